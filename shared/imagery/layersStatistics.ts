import { erode } from '../raster/morphology.js';

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
/** With this many pixels left, those at the field's edge, mixed with what lies beside it, are left out. */
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
export function speakingPixels(
  field: Uint8Array,
  valid: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Uint8Array {
  const inner = erode(field, size).map((value, index) => value & (valid[index] ?? 0));
  const count = inner.reduce((sum, value) => sum + value, 0);
  return count >= FEWEST_INNER_PIXELS ? inner : valid;
}

/** The values of the pixels set in a mask. */
export function valuesWhere(values: ArrayLike<number>, mask: Uint8Array): Float64Array {
  const chosen = new Float64Array(mask.reduce((sum, value) => sum + value, 0));
  let at = 0;
  mask.forEach((isSet, index) => {
    if (isSet === 0) return;
    chosen[at] = values[index] ?? NaN;
    at += 1;
  });
  return chosen;
}

function histogramOf(values: Float64Array, [min, max]: readonly [number, number]): Histogram {
  const counts = Array<number>(BINS).fill(0);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor(((value - min) / (max - min)) * BINS)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { min, max, counts };
}

/**
 * Statistics of a band.
 *
 * @param values not empty, without nodata
 * @param range ends of the histogram: the band's range of values
 */
export function statisticsOf(values: Float64Array, range: readonly [min: number, max: number]): BandStatistics {
  const sorted = Float64Array.from(values).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    min: sorted[0] ?? NaN,
    p2: percentile(sorted, 0.02),
    p25: percentile(sorted, 0.25),
    median: percentile(sorted, 0.5),
    mean,
    p75: percentile(sorted, 0.75),
    p98: percentile(sorted, 0.98),
    max: sorted.at(-1) ?? NaN,
    std: Math.sqrt(squares / sorted.length),
    count: sorted.length,
    histogram: histogramOf(values, range),
  };
}
