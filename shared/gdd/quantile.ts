/**
 * A quantile of a sample by linear interpolation between its ordered values (Hyndman & Fan 1996, type 7).
 *
 * @param ordered ascending, not empty
 * @param probability 0–1
 */
export function quantileOf(ordered: readonly number[], probability: number): number {
  const position = (ordered.length - 1) * probability;
  const below = ordered[Math.floor(position)] ?? NaN;
  const above = ordered[Math.ceil(position)] ?? NaN;
  // The comparison keeps two infinities from making a NaN.
  return below === above ? below : below + (above - below) * (position - Math.floor(position));
}

export const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
