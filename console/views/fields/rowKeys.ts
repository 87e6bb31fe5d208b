/** The row that a key leads to; undefined for other keys. On a phone rows lie beside each other. */
export function rowAfterKey(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const places: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    Home: 0,
    End: last,
  };
  const next = Object.hasOwn(places, key) ? places[key] : undefined;
  return next === undefined ? undefined : Math.max(0, Math.min(last, next));
}
