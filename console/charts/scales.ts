/** From values to places on a drawing. */
export interface Scale {
  (value: number): number;
  /** Back from a place to a value. */
  readonly back: (place: number) => number;
}

/** A straight scale. @param from values at both ends @param to places at both ends */
export function linear([v0, v1]: readonly [number, number], [p0, p1]: readonly [number, number]): Scale {
  const factor = v1 === v0 ? 0 : (p1 - p0) / (v1 - v0);
  const scale = (value: number): number => p0 + (value - v0) * factor;
  return Object.assign(scale, { back: (place: number) => (factor === 0 ? v0 : v0 + (place - p0) / factor) });
}

/** Round values from 0, or below, to the top or just above it. @param most how many steps at most */
export function ticksOf(bottom: number, top: number, most: number): readonly number[] {
  const rough = (top - bottom) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor(bottom / step);
  const last = Math.ceil(top / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Points as the `d` of a path. */
export const lineOf = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** The area between two lines as the `d` of a path. */
export const bandOf = (
  upper: readonly (readonly [x: number, y: number])[],
  lower: readonly (readonly [x: number, y: number])[],
): string => (upper.length === 0 ? '' : `${lineOf([...upper, ...lower.toReversed()])}Z`);
