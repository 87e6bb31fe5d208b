const FIRST_MS = 15_000;
const LONGEST_MS = 15 * 60_000;

/**
 * Milliseconds until work that failed is tried again: 15 s · 4^(attempt − 1), at most 15 min, of which a random half.
 *
 * The other half is kept whole, so that five attempts always outlive an outage of ten minutes.
 *
 * @param attempt 1 for the pause after the first attempt
 * @param random 0 ≤ random < 1
 */
export function retryDelayMs(attempt: number, random: number): number {
  const longest = Math.min(FIRST_MS * 4 ** (attempt - 1), LONGEST_MS);
  return Math.round(longest / 2 + (longest / 2) * random);
}
