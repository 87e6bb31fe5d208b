/** What follows from a receiver's answer: pure rules and numbers. */
import { askedWaitMs } from '../../kit/retryDelay.js';
import type { ReceiverAnswer } from './webhookClient.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Pauses before the tries of one event, ±20 %: ten tries in 75.6 hours. @see Standard Webhooks 1.0.0 */
export const schedule: readonly number[] = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * SECOND_MS,
);
/** Pauses before the probes of a receiver that is away; the last again and again. */
const probes: readonly number[] = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS];
/** Failures in a row after which a receiver counts as away. */
export const FAILURES_TO_OPEN = 5;
const LONGEST_WAIT_MS = DAY_MS;
/** A receiver without a success for so long, and as many tries, is disabled; so is one that refused so many events for good. */
export const HOPELESS_MS = 5 * DAY_MS;
export const HOPELESS_TRIES = 10;
export const HOPELESS_EVENTS = 20;

/** ±20 %. @param random 0 ≤ random < 1 */
const around = (pauseMs: number, random: number): number => Math.round(pauseMs * (0.8 + 0.4 * random));

/** Until the next try of an event; undefined after the last. @param tries so far */
export function pauseAfter(tries: number, random: number): number | undefined {
  const pauseMs = schedule[tries];
  return pauseMs === undefined ? undefined : around(pauseMs, random);
}

/** Until the next probe. @param failed probes so far */
export const probePause = (failed: number, random: number): number =>
  around(probes[Math.min(failed, probes.length - 1)] ?? HOUR_MS, random);

/** What an answer means for its event and for its webhook. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  /** The receiver asks for a pause: no try is counted. */
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'failed' };

export function verdictOn({ status, retryAfter }: ReceiverAnswer, now: number): Verdict {
  if (status === undefined) return { kind: 'failed' };
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const waitMs = status === 429 || status === 503 ? waitIn(retryAfter, now) : undefined;
  return waitMs === undefined ? { kind: 'failed' } : { kind: 'wait', waitMs };
}

/** Answers of a receiver that has too much to do, or of what stands before it. */
const OVERLOADED: readonly (number | undefined)[] = [429, 502, 503, 504];

/** How many requests at the same time a receiver is sent from here on: half of them once it has too much to do. */
export const inFlightAfter = (
  inFlight: number,
  sent: readonly { readonly answer: Pick<ReceiverAnswer, 'status'> }[],
): number =>
  sent.some(({ answer: { status } }) => OVERLOADED.includes(status)) ? Math.max(1, Math.floor(inFlight / 2)) : inFlight;

/** At least a second, at most a day. */
function waitIn(retryAfter: string | undefined, now: number): number | undefined {
  const waitMs = askedWaitMs(retryAfter, now);
  return waitMs === undefined ? undefined : Math.min(Math.max(waitMs, SECOND_MS), LONGEST_WAIT_MS);
}

/** What its owner is told of an answer. What the guard refuses looks like a name that is not there. */
export function errorShown({ status, error }: Pick<ReceiverAnswer, 'status' | 'error'>): string | null {
  if (error === 'dns' || error === 'refused_address') return 'unreachable';
  if (error !== undefined) return error;
  return status !== undefined && status >= 300 && status < 400 ? 'redirect' : null;
}
