/** The values below which one in ten, five in ten and nine in ten lie. */
export interface Quantiles {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}

/**
 * A quantile of a sample by linear interpolation between its ordered values (Hyndman & Fan 1996, type 7): of the years
 * themselves.
 *
 * @param ordered ascending, not empty
 * @param probability 0–1
 */
export const quantileOf = (ordered: ArrayLike<number>, probability: number): number =>
  interpolated(ordered, (ordered.length - 1) * probability);

/**
 * The same by type 6: of the years that the sample stands for. Type 7 would promise 80 % and hold 75 % of new years.
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

/** Sorted as numbers; a typed array does that several times as fast as one of anything. */
export const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
