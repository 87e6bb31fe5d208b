import type { Job, JsonObject } from '../jobs/job.js';
import type { Round } from './searchRegion.js';

/** Where a job stands between two looks. */
export interface LookState {
  /** What it waits for: a place among the tenant's ingests, or the end of its ingest. */
  readonly phase: 'slot' | 'ingest';
  readonly round: Round;
  /** Whether a field at the edge of the region is looked for in a larger one. */
  readonly mayGrow: boolean;
  /** Looks of this phase so far: the pauses grow with them. */
  readonly looks: number;
}

/** The first look at a job. */
export const firstLook: LookState = { phase: 'slot', round: 0, mayGrow: true, looks: 0 };

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
const GROWTH = 1.3;
/** From the first claim on; a job that still waits then fails. */
const DEADLINE_MS = 30 * 60_000;
/** A look that began in time may take this long. */
const GRACE_MS = 15 * 60_000;

/** The state a waiting job was put back with; the first look for any other. */
export function stateOf({ waiting }: Pick<Job, 'waiting'>): LookState {
  if (waiting === undefined) return firstLook;
  const { round, mayGrow, looks } = waiting.state;
  return {
    phase: waiting.phase === 'ingest' ? 'ingest' : 'slot',
    round: round === 1 ? 1 : 0,
    mayGrow: mayGrow !== false,
    looks: typeof looks === 'number' ? looks : 0,
  };
}

/** What `stateOf` reads again. */
export function storedState({ round, mayGrow, looks }: LookState): JsonObject {
  return { round, mayGrow, looks };
}

/** Milliseconds until the next look: 2 s at first, at most 15 s. */
export const pauseMs = ({ looks }: LookState): number =>
  Math.min(LONGEST_PAUSE_MS, Math.round(FIRST_PAUSE_MS * GROWTH ** looks));

/** When waiting ends, milliseconds since 1970 UTC. */
export const deadlineOf = ({ startedAt, createdAt }: Job): number => (startedAt ?? createdAt) + DEADLINE_MS;

/** Whether a job has been looked at for so long that its looks must have been cut short again and again. */
export const isOverdue = (job: Job, now: number): boolean =>
  job.waiting !== undefined && now > deadlineOf(job) + GRACE_MS;
