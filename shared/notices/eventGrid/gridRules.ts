/** How much is sent at once, and what follows from an answer: pure rules and numbers. */
import type { LoggedNotice } from '../log/noticeLogStore.js';
import { askedWaitMs, pauseMs, usualPace } from '../../kit/retryDelay.js';
import type { GridAnswer } from './gridClient.js';
import type { GridState } from './gridCursorStore.js';

/** Events of one send. */
export const MOST_EVENTS = 100;
/** Half of what Event Grid takes, so that what surrounds the events never counts. */
export const MOST_BYTES = 512_000;

/** Where Event Grid refuses, somebody has to act: nothing is gained by asking more often. */
const REFUSED_MS = 15 * 60_000;
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;

/** The first events that go into one send; one that is too large for it goes alone. */
export function firstThatFit(events: readonly LoggedNotice[]): readonly LoggedNotice[] {
  let bytes = 2;
  const end = events.findIndex(({ body }, index) => {
    bytes += Buffer.byteLength(body) + 1;
    return index > 0 && bytes > MOST_BYTES;
  });
  return end < 0 ? events : events.slice(0, end);
}

/** What an answer means for the events that were sent. */
export type GridVerdict =
  | { readonly kind: 'taken' }
  | { readonly kind: 'tooLarge' }
  /** Event Grid is away, or asks for a pause. */
  | { readonly kind: 'away'; readonly waitMs?: number }
  /** Something is set up wrongly: a role, the schema of the topic, the topic itself. */
  | { readonly kind: 'refused' };

export function gridVerdict({ status, retryAfter }: GridAnswer, now: number): GridVerdict {
  if (status === undefined || status >= 500 || PASSING.has(status)) {
    const waitMs = PAUSES.has(status) ? askedWaitMs(retryAfter, now) : undefined;
    return waitMs === undefined ? { kind: 'away' } : { kind: 'away', waitMs };
  }
  if (status === 413) return { kind: 'tooLarge' };
  return status >= 200 && status < 300 ? { kind: 'taken' } : { kind: 'refused' };
}

/** Answers below 500 that pass by themselves, and those that may say when. */
const PASSING: ReadonlySet<number> = new Set([408, 429]);
const PAUSES: ReadonlySet<number | undefined> = new Set([429, 503]);

interface Failing {
  readonly now: number;
  /** 0 ≤ random < 1 */
  readonly random: number;
}

/** The state after a send that failed: the cursor stays, and nothing is sent for a while. */
export function failedState(
  { cursor, failures }: GridState,
  verdict: GridVerdict & { readonly kind: 'away' | 'refused' },
  { now, random }: Failing,
): GridState {
  const pause = (): number => {
    if (verdict.kind === 'refused') return REFUSED_MS;
    const { waitMs } = verdict;
    if (waitMs === undefined) return pauseMs(usualPace, failures + 1, random);
    return Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  };
  return { cursor, failures: failures + 1, restUntil: now + pause() };
}
