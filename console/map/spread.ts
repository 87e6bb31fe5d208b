import type { ShownPixels } from './mapScene.js';

/** How the values of a field are spread. */
export interface Spread {
  readonly least: number;
  readonly most: number;
  /** How many values lie in each equal part from the least to the most. */
  readonly bins: readonly number[];
}

const BINS = 48;

/** The values of a field from the least to the most; undefined where it has none. */
export function spreadOf({ data, nodata }: ShownPixels): Spread | undefined {
  const values = Array.from(data).filter((value) => value !== nodata && !Number.isNaN(value));
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (values.length === 0) return undefined;
  const bins = new Array<number>(BINS).fill(0);
  const width = (most - least) / BINS;
  for (const value of values) {
    const bin = width === 0 ? 0 : Math.min(BINS - 1, Math.floor((value - least) / width));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return { least, most, bins };
}
