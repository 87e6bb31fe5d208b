const FIRST_MS = 15_000;
const LONGEST_MS = 15 * 60_000;

/**
 * Milliseconds until work that failed is tried again: 15 s · 4^(attempt − 1), at most 15 min, of which a random half.
 *
 * The other half is kept whole, so that five attempts always outlive an outage of ten minutes.
 *
 * @param attempt 1 for the pause after the first attempt
 * @param random 0 ≤ random < 1
 * @param mostMs another limit than 15 min
 */
export function retryDelayMs(attempt: number, random: number, mostMs = LONGEST_MS): number {
  const longest = Math.min(FIRST_MS * 4 ** (attempt - 1), mostMs);
  return Math.round(longest / 2 + (longest / 2) * random);
}

/**
 * As `retryDelayMs`, and not before the other side asks for it; yet its word counts for 15 minutes at most. Nobody is
 * put off for days by one wrong number.
 */
export const politeDelayMs = (attempt: number, random: number, askedSeconds = 0): number =>
  Math.max(retryDelayMs(attempt, random), Math.min(askedSeconds * 1000, LONGEST_MS));

/** Whether more is asked for than is believed. */
export const isBeyondBelief = (askedSeconds: number): boolean => askedSeconds * 1000 > LONGEST_MS;
