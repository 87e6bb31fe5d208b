import type { JobAtWork } from '../jobs/jobWork.js';
import type { Place } from '../work/workItem.js';
import type { Round } from './searchRegion.js';

/** Where a job stands between two looks. */
export interface LookState {
  /** What it waits for: that its ingest is taken, or the end of its ingest. */
  readonly phase: 'slot' | 'ingest';
  readonly round: Round;
  /** Whether a field at the edge of the region is looked for in a larger one. */
  readonly mayGrow: boolean;
  /** Since when it has a slot among the data manager's ingests, milliseconds since 1970 UTC: its time runs from there. */
  readonly since?: number;
}

/** The first look at a job. */
export const firstLook: LookState = { phase: 'slot', round: 0, mayGrow: true };

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
/** Share of the time waited so far: as much of a slot may stand idle after the end of an ingest, and others wait for it. */
const PAUSE_SHARE = 0.1;
/** From the slot on; a job that still waits then fails. */
const DEADLINE_MS = 30 * 60_000;
/** A look that began in time may take this long. */
const GRACE_MS = 15 * 60_000;

/** The state a waiting job was put back with; the first look for any other. */
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

/** What `stateOf` reads again. */
export function placeOf({ phase, round, mayGrow, since }: LookState): Place {
  return { step: phase, state: { round, mayGrow, ...(since === undefined ? {} : { since }) } };
}

/** Milliseconds until the next look at what has taken so long: 2 s at first, at most 15 s. */
export const pauseMs = (waitedMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, Math.round(waitedMs * PAUSE_SHARE)));

/** When waiting ends, milliseconds since 1970 UTC. */
export const deadlineOf = (since: number): number => since + DEADLINE_MS;

/** Whether a job has been looked at for so long that its looks must have been cut short again and again. */
export const isOverdue = ({ since }: LookState, now: number): boolean =>
  since !== undefined && now > deadlineOf(since) + GRACE_MS;
