import { erode, type MaskSize } from '../../raster/mask/maskEdges.js';
import { countSet } from '../../geo/grid/polygonMask.js';

/** Counts of values in bins of equal width; the last bin holds its upper edge. */
export interface Histogram {
  /** Lower edge of the first bin, upper edge of the last. */
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
}

/** What one band of a layer holds, in stored values, over the field's inner pixels with data. */
export interface BandStatistics {
  readonly min: number;
  readonly p2: number;
  readonly p25: number;
  readonly median: number;
  readonly mean: number;
  readonly p75: number;
  readonly p98: number;
  readonly max: number;
  /** Of the population: divided by count. */
  readonly std: number;
  readonly count: number;
  readonly histogram: Histogram;
}

const BINS = 20;
/** Pixels at the field's edge are mixed with the neighbourhood; they are left out when at least this many remain. */
const FEWEST_INNER_PIXELS = 100;

/**
 * A percentile with linear interpolation between the ranks (type 7 of Hyndman & Fan 1996, as numpy does).
 *
 * @param sorted ascending, not empty
 * @param fraction 0–1
 */
export function percentile(sorted: ArrayLike<number>, fraction: number): number {
  const rank = (sorted.length - 1) * fraction;
  const below = Math.floor(rank);
  const lower = sorted[below] ?? NaN;
  return lower + ((sorted[below + 1] ?? lower) - lower) * (rank - below);
}

/**
 * The pixels that speak for a field: valid ones that are not at its edge, or all valid ones when fewer than 100
 * would remain.
 *
 * @param field 1 inside @param valid 1 where the layer has data inside the field
 */
export function speakingPixels(field: Uint8Array, valid: Uint8Array, size: MaskSize): Uint8Array {
  const inner = erode(field, size);
  for (let index = 0; index < inner.length; index += 1) inner[index] = (inner[index] ?? 0) & (valid[index] ?? 0);
  return countSet(inner) >= FEWEST_INNER_PIXELS ? inner : valid;
}

/** Values in ascending order; bytes are counted, not compared. */
function sortInPlace(values: Uint8Array | Float32Array): void {
  if (values instanceof Float32Array) {
    values.sort();
    return;
  }
  const counts = new Uint32Array(256);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  let at = 0;
  for (let value = 0; value < 256; value += 1) {
    const next = at + (counts[value] ?? 0);
    values.fill(value, at, next);
    at = next;
  }
}

/** The values of the pixels set in a mask, in ascending order. */
export function sortedWhere(values: Uint8Array | Float32Array, mask: Uint8Array): Uint8Array | Float32Array {
  const count = countSet(mask);
  const chosen = values instanceof Uint8Array ? new Uint8Array(count) : new Float32Array(count);
  for (let index = 0, at = 0; index < mask.length; index += 1) {
    if (mask[index] === 1) {
      chosen[at] = values[index] ?? 0;
      at += 1;
    }
  }
  sortInPlace(chosen);
  return chosen;
}

function histogramOf(values: Uint8Array | Float32Array, [min, max]: readonly [number, number]): Histogram {
  const counts = Array<number>(BINS).fill(0);
  const binsPerUnit = BINS / (max - min);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((value - min) * binsPerUnit)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { min, max, counts };
}

/** Mean and standard deviation of the population. */
function spreadOf(values: Uint8Array | Float32Array): { readonly mean: number; readonly std: number } {
  let [sum, squares] = [0, 0];
  for (const value of values) sum += value;
  const mean = sum / values.length;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, std: Math.sqrt(squares / values.length) };
}

/**
 * Statistics of a band.
 *
 * @param sorted its values without nodata, ascending (`sortedWhere`), not empty
 * @param range ends of the histogram: the band's range of values
 */
export function bandStatistics(
  sorted: Uint8Array | Float32Array,
  range: readonly [min: number, max: number],
): BandStatistics {
  return {
    min: sorted[0] ?? NaN,
    p2: percentile(sorted, 0.02),
    p25: percentile(sorted, 0.25),
    median: percentile(sorted, 0.5),
    p75: percentile(sorted, 0.75),
    p98: percentile(sorted, 0.98),
    max: sorted.at(-1) ?? NaN,
    ...spreadOf(sorted),
    count: sorted.length,
    histogram: histogramOf(sorted, range),
  };
}
