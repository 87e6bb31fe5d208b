/** How fast tries follow on each other: the n-th pause is `initialMs · coefficient^(n − 1)`, at most `maximumMs`. */
export interface Pace {
  readonly initialMs: number;
  readonly coefficient: number;
  readonly maximumMs: number;
}

const QUARTER_MS = 15 * 60_000;

/** 15 s, 1 min, 4 min, 15 min, … */
export const usualPace: Pace = { initialMs: 15_000, coefficient: 4, maximumMs: QUARTER_MS };

/**
 * Milliseconds of the n-th pause of a pace, of which a random half; the other half is kept whole, so that five attempts
 * at the usual pace always outlive an outage of ten minutes.
 *
 * @param tries 1 for the pause after the first try
 * @param random 0 ≤ random < 1
 */
export function pauseMs({ initialMs, coefficient, maximumMs }: Pace, tries: number, random: number): number {
  const longest = Math.min(initialMs * coefficient ** (tries - 1), maximumMs);
  return Math.round(longest / 2 + (longest / 2) * random);
}

/** Milliseconds until work that failed is tried again, at the usual pace. @param mostMs another limit than 15 min */
export const retryDelayMs = (attempt: number, random: number, mostMs = QUARTER_MS): number =>
  pauseMs({ ...usualPace, maximumMs: mostMs }, attempt, random);

/**
 * As `pauseMs`, and not before the other side asks for it; yet its word counts for 15 minutes at most. Nobody is put off
 * for days by one wrong number.
 */
export const politePauseMs = (pace: Pace, tries: number, random: number, askedSeconds = 0): number =>
  Math.max(pauseMs(pace, tries, random), Math.min(askedSeconds * 1000, QUARTER_MS));

/** As `politePauseMs`, at the usual pace. */
export const politeDelayMs = (attempt: number, random: number, askedSeconds = 0): number =>
  politePauseMs(usualPace, attempt, random, askedSeconds);

/** Whether more is asked for than is believed. */
export const isBeyondBelief = (askedSeconds: number): boolean => askedSeconds * 1000 > QUARTER_MS;

/** Milliseconds that a `Retry-After` asks for, seconds or a date; undefined when it says neither. */
export function askedWaitMs(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const waitMs = /^\d{1,10}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(waitMs) ? undefined : waitMs;
}
