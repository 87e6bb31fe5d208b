/** Days that Page Up and Page Down pass over. */
const PAGE = 10;

/** The day that a key leads to, of those that have a value; undefined for other keys. @param days in order */
export function dayToRead(key: string, days: readonly number[], at: number): number | undefined {
  const index = Math.max(0, days.indexOf(at));
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    PageUp: index - PAGE,
    PageDown: index + PAGE,
    Home: 0,
    End: days.length - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return next === undefined ? undefined : days[Math.max(0, Math.min(days.length - 1, next))];
}

/** Places moved apart until none is closer to another than the gap; in their order, between the ends where they fit. */
export function apart(
  places: readonly number[],
  { gap, from, to }: { readonly gap: number; readonly from: number; readonly to: number },
): readonly number[] {
  const order = places.map((_, index) => index).sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  const moved = [...places];
  let free = from;
  for (const index of order) {
    moved[index] = Math.max(free, places[index] ?? 0);
    free = (moved[index] ?? 0) + gap;
  }
  let limit = Math.max(to, from + gap * (places.length - 1));
  for (const index of order.toReversed()) {
    moved[index] = Math.min(limit, moved[index] ?? 0);
    limit = (moved[index] ?? 0) - gap;
  }
  return moved;
}

/** A line ends where nothing is known for longer, as over a winter; days. */
const LONGEST_GAP = 75;

/** Points in runs, each drawn as a line of its own. */
export function runsOf<P extends { readonly x: number }>(points: readonly P[]): readonly (readonly P[])[] {
  const runs: P[][] = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last === undefined || point.x - (last.at(-1)?.x ?? 0) > LONGEST_GAP) runs.push([point]);
    else last.push(point);
  }
  return runs;
}
