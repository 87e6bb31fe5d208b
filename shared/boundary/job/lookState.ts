import type { JobAtWork } from '../../jobs/steps/jobWork.js';
import type { Place } from '../../work/item/workItem.js';
import type { Round } from '../stack/searchRegion.js';

/** State of a job between two attempts (looks). */
export interface LookState {
  /** What the job waits for: a slot for its ingest, or the end of its ingest. */
  readonly phase: 'slot' | 'ingest';
  readonly round: Round;
  /** Whether a field at the edge of the region is looked for in a larger one. */
  readonly mayGrow: boolean;
  /** When the job got its slot, milliseconds since 1970 UTC: its deadline counts from there. */
  readonly since?: number;
}

/** State of a job before its first look. */
export const firstLook: LookState = { phase: 'slot', round: 0, mayGrow: true };

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
/** Pause as a share of the time waited so far; longer pauses would leave the slot idle after the ingest's end. */
const PAUSE_SHARE = 0.1;
/** Time from the slot on after which a waiting job fails. */
const DEADLINE_MS = 30 * 60_000;
/** Longest time of a look that began before the deadline. */
const GRACE_MS = 15 * 60_000;

/** The state that a waiting job was stored with; the state before the first look for any other job. */
export function stateOf({ place }: Pick<JobAtWork, 'place'>): LookState {
  if (place === undefined) return firstLook;
  const { round, mayGrow, since } = place.state ?? {};
  return {
    phase: place.step === 'ingest' ? 'ingest' : 'slot',
    round: round === 1 ? 1 : 0,
    mayGrow: mayGrow !== false,
    ...(typeof since === 'number' ? { since } : {}),
  };
}

/** The state as it is stored with the job; the inverse of `stateOf`. */
export function placeOfLook({ phase, round, mayGrow, since }: LookState): Place {
  return { step: phase, state: { round, mayGrow, ...(since === undefined ? {} : { since }) } };
}

/** Milliseconds until the next look: 10 % of the time waited so far, 2 s to 15 s. */
export const lookPauseMs = (waitedMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, Math.round(waitedMs * PAUSE_SHARE)));

/** Deadline of a waiting job, milliseconds since 1970 UTC. @param since when it got its slot */
export const deadlineOf = (since: number): number => since + DEADLINE_MS;

/** Whether a job is so late that its looks must have been cut short again and again. */
export const isOverdue = ({ since }: LookState, now: number): boolean =>
  since !== undefined && now > deadlineOf(since) + GRACE_MS;
