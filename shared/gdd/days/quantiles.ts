/** The values below which one in ten, five in ten and nine in ten lie. */
export interface Quantiles {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}

/** Three percentiles, each changed by a function. */
export const mappedQuantiles = (
  { p10, p50, p90 }: Quantiles,
  change: (value: number, line: keyof Quantiles) => number,
): Quantiles => ({ p10: change(p10, 'p10'), p50: change(p50, 'p50'), p90: change(p90, 'p90') });

/** The 10th, 50th and 90th percentile of a sample in ascending order. */
export const quantilesOf = (ordered: ArrayLike<number>, quantile: typeof quantileOf): Quantiles => ({
  p10: quantile(ordered, 0.1),
  p50: quantile(ordered, 0.5),
  p90: quantile(ordered, 0.9),
});

/**
 * A quantile of a sample by linear interpolation between its ordered values: type 7 of Hyndman & Fan (1996), for the
 * sample itself.
 *
 * @param ordered ascending, not empty
 * @param probability 0–1
 */
export const quantileOf = (ordered: ArrayLike<number>, probability: number): number =>
  interpolated(ordered, (ordered.length - 1) * probability);

/**
 * The same by type 6, for the population behind the sample: between the 10th and the 90th percentile of type 7 lie only
 * 75 % of new years.
 *
 * @see Hyndman & Fan (1996): Sample quantiles in statistical packages. The American Statistician 50, 361–365
 */
export const quantileType6 = (ordered: ArrayLike<number>, probability: number): number =>
  interpolated(ordered, Math.min(Math.max((ordered.length + 1) * probability - 1, 0), ordered.length - 1));

function interpolated(ordered: ArrayLike<number>, position: number): number {
  const below = ordered[Math.floor(position)] ?? NaN;
  const above = ordered[Math.ceil(position)] ?? NaN;
  // The comparison keeps two infinities from making a NaN.
  return below === above ? below : below + (above - below) * (position - Math.floor(position));
}

/** Numbers in ascending order; a typed array sorts several times as fast as an ordinary one. */
export const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Sum of values, 0 without any. */
export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Arithmetic mean; NaN without any value. */
export const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;

/** Standard deviation of a sample. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
}
