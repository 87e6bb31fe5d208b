/** The states of a job and the moves between them, without storage, clock or wire words. */
import type { Outage } from './outage.js';
import { awaitingRerun, type Rerun } from './rerun.js';

/** The last three are ends. */
export const jobStatuses = ['WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The kinds of jobs, by which lists and operators name them. */
export const jobKinds = ['gdd', 'smartBoundary'] as const;
export type JobKind = (typeof jobKinds)[number];

/** The two solutions whose operations are jobs. */
export type SolutionId = `partnerAgPowered.${JobKind}`;

export const solutionOf = (kind: JobKind): SolutionId => `partnerAgPowered.${kind}`;
export const kindOf = (solution: SolutionId): JobKind => (solution === solutionOf('gdd') ? 'gdd' : 'smartBoundary');

/** Names one job of one tenant. */
export interface JobKey {
  readonly tenant: string;
  readonly solution: SolutionId;
  readonly jobId: string;
}

/** One job as stored. Instants are milliseconds since 1970 UTC. */
export interface Job extends JobKey {
  /** Minted by the create that stored this row: tells our own lost answer from another create. */
  readonly e2eId: string;
  readonly status: JobStatus;
  /** The job parameters in the canonical form (see validation). */
  readonly parameters: JsonObject;
  readonly createdAt: number;
  readonly lastActionAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Why it FAILED, or why the latest attempt ended badly: code and text for the caller. */
  readonly failure?: string;
  readonly insightId?: string;
  /** Attempts begun so far. */
  readonly attempt: number;
  /** Fencing token of what is written for the job elsewhere: grows with each claim, and with an end that takes it back. */
  readonly epoch: number;
  /** Owner of the running attempt, and until when it owns the job. */
  readonly lease?: { readonly token: string; readonly until: number };
  /** When the next attempt or the next look is due; absent for at once. */
  readonly dueAt?: number;
  /** Set from the first attempt on, which may write an insight: an end without success then has something to take back. */
  readonly isPublishing?: true;
  /** On a job that ended without success while it was publishing: from then on its insight is to be taken back. */
  readonly withdrawAt?: number;
  /** On a job that SUCCEEDED without something: it runs again. */
  readonly rerun?: Rerun;
  /** Each time an operator opened the job again, after which end; oldest first. */
  readonly redrives?: readonly Redrive[];
  /** Set while something outside refuses the job: the next claim is no new attempt. */
  readonly outage?: Outage;
  /** Set while the job waits for another system: the next claim is no new attempt. */
  readonly waiting?: { readonly phase: string; readonly state: JsonObject };
  /** Set while the job stands in a line and has no message: it gets one with its place (see line.ts). */
  readonly parked?: { readonly line: string; readonly askedAt: number };
  /** Lines in which the job has stood and may have a place. */
  readonly lines?: readonly string[];
}

export interface Redrive {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** The operator, by the name of the account that ran the command. */
  readonly by: string;
  /** Why the job had FAILED. */
  readonly failure: string;
}

/** Attempts a job gets before it is FAILED with the last reason. */
export const MAX_ATTEMPTS = 5;
/** A message that is this late is taken for lost. */
export const LOST_MESSAGE_MS = 2 * 60_000;
/** Between two looks at a job that stands in a line, whether its ticket is still there. */
export const PARKED_LOOK_MS = 60 * 60_000;

export const isEnded = ({ status }: Pick<Job, 'status'>): boolean => status !== 'WAITING' && status !== 'RUNNING';

/** Whether something is left to be done about a job: it has not ended, its insight is to be taken back, or to be made again. */
export const wantsLook = (job: Job): boolean =>
  !isEnded(job) || job.withdrawAt !== undefined || job.rerun !== undefined;

/** The UTC day on which an ended job ended, YYYY-MM-DD: a later job of the same id has another one. */
export const endedOn = ({ lastActionAt }: Pick<Job, 'lastActionAt'>): string =>
  new Date(lastActionAt).toISOString().slice(0, 10);

/** What a worker that holds a message of the job may do with it. */
export type ClaimDecision = 'claim' | 'ended' | 'owned' | 'early' | 'exhausted';

export function claimDecision(job: Job, now: number): ClaimDecision {
  if (isEnded(job)) return 'ended';
  if (job.lease !== undefined && job.lease.until > now) return 'owned';
  if (job.dueAt !== undefined && job.dueAt > now) return 'early';
  if (!isLook(job) && job.attempt >= MAX_ATTEMPTS) return 'exhausted';
  return 'claim';
}

/** Whether the next claim looks after a wait and is no new attempt. A look that died, lease in hand, was one. */
const isLook = ({ waiting, outage, lease }: Job): boolean =>
  lease === undefined && (waiting !== undefined || outage !== undefined);

/** Later of two instants: the times of a job never run backwards, whatever the clocks say. */
const notBefore = (previous: number, now: number): number => Math.max(previous, now);

/**
 * The fencing token of a claim: its instant, and more than the one before whatever the clocks say. A count would begin
 * anew where a restore brings an older row back, below what was written meanwhile.
 */
export const nextEpoch = ({ epoch }: Job, now: number): number => Math.max(epoch + 1, now);

/** The job as the attempt that begins now owns it. */
export function claimed(job: Job, lease: NonNullable<Job['lease']>, now: number): Job {
  const at = notBefore(job.lastActionAt, now);
  const { dueAt: _due, parked: _parked, ...rest } = job;
  return {
    ...rest,
    status: 'RUNNING',
    attempt: isLook(job) ? job.attempt : job.attempt + 1,
    epoch: nextEpoch(job, now),
    startedAt: job.startedAt ?? at,
    lastActionAt: at,
    isPublishing: true,
    lease,
  };
}

/** The job with its lease moved on; the last action stays, a heartbeat is none. */
export function renewed(job: Job, until: number): Job {
  return job.lease === undefined ? job : { ...job, lease: { ...job.lease, until } };
}

/** The job released by its attempt until `dueAt`, because the attempt failed in a way that may pass. */
export function released(job: Job, release: { readonly dueAt: number; readonly failure: string }, now: number): Job {
  const { lease: _lease, waiting: _waiting, outage: _outage, ...rest } = job;
  return { ...rest, ...release, lastActionAt: notBefore(job.lastActionAt, now) };
}

export interface Refused extends Pick<Job, 'waiting'> {
  readonly dueAt: number;
  readonly failure: string;
  readonly outage: Outage;
}

/**
 * The job released by its attempt until `dueAt`, because something outside refuses it. It begins its work anew then,
 * unless `waiting` says where to go on.
 */
export function refused(job: Job, { outage, waiting: place, ...release }: Refused, now: number): Job {
  return { ...released(job, release, now), outage, ...(place === undefined ? {} : { waiting: place }) };
}

/** The job released by its attempt until `dueAt`, because it waits for another system. */
export function waiting(
  job: Job,
  wait: { readonly dueAt: number; readonly phase: string; readonly state: JsonObject; readonly line?: string },
  now: number,
): Job {
  const { lease: _lease, outage: _outage, ...rest } = job;
  const { dueAt, phase, state, line } = wait;
  const lines = line === undefined ? {} : { lines: linesWith(job, line) };
  return { ...rest, ...lines, dueAt, waiting: { phase, state }, lastActionAt: notBefore(job.lastActionAt, now) };
}

/** The job released by its attempt until it gets a place: its ticket is in the line. */
export function parked(
  job: Job,
  { phase, state, ...place }: { readonly phase: string; readonly state: JsonObject } & NonNullable<Job['parked']>,
  now: number,
): Job {
  const { lease: _lease, dueAt: _due, outage: _outage, ...rest } = job;
  const lastActionAt = notBefore(job.lastActionAt, now);
  return { ...rest, waiting: { phase, state }, parked: place, lines: linesWith(job, place.line), lastActionAt };
}

/** The job given back by its attempt, which leaves the place it had in a line and asks for one again when it is due. */
export const askingLater = (released: Job, line: string): Job => ({
  ...released,
  parked: { line, askedAt: released.dueAt ?? released.lastActionAt },
});

/** The lines of the job with one more. */
export const linesWith = ({ lines = [] }: Job, line: string): readonly string[] => [...new Set([...lines, line])];

export type JobEnd =
  | { readonly status: 'SUCCEEDED'; readonly insightId: string; readonly rerun?: Rerun }
  | { readonly status: 'FAILED'; readonly failure: string }
  | { readonly status: 'CANCELLED' };

/**
 * The job at its end. A job that never started has neither start nor end of processing.
 *
 * @throws Error when the job has ended already: the first end is final
 */
export function ended(job: Job, end: JobEnd, now: number): Job {
  if (isEnded(job)) throw new Error(`A job that is ${job.status} cannot become ${end.status}.`);
  const at = notBefore(job.lastActionAt, now);
  const { lease, isPublishing, dueAt: _due, outage: _outage, waiting: _waiting, failure: _failure, ...others } = job;
  const { parked: _parked, lines: _lines, ...rest } = others;
  // An attempt that has not noticed yet writes on until its lease is over at the latest.
  const withdrawAt = Math.max(at, lease?.until ?? at);
  const next: Job = {
    ...rest,
    ...end,
    lastActionAt: at,
    ...(job.startedAt === undefined ? {} : { endedAt: at }),
    // Whoever stood still must find its own token too low, and not only that of those before.
    ...(isPublishing === true && end.status !== 'SUCCEEDED' ? { withdrawAt, epoch: nextEpoch(job, now) } : {}),
  };
  return next.rerun === undefined ? next : awaitingRerun(next, next.rerun);
}

/**
 * The FAILED job opened again by an operator: the same id and time of creation, its attempts and its end forgotten.
 *
 * @throws Error for a job that has not FAILED
 */
export function redriven(job: Job, by: string, now: number): Job {
  if (job.status !== 'FAILED') throw new Error(`A job that is ${job.status} is not opened again.`);
  const { startedAt: _started, endedAt: _ended, failure = '', withdrawAt, redrives = [], ...rest } = job;
  const at = notBefore(job.lastActionAt, now);
  return {
    ...rest,
    status: 'WAITING',
    attempt: 0,
    lastActionAt: at,
    redrives: [...redrives, { at, by, failure }],
    // What it had published is overwritten by its next publication, or taken back after its next end.
    ...(withdrawAt === undefined ? {} : { isPublishing: true }),
  };
}

/**
 * Whole seconds of processing: 0 before the start, elapsed while running, floor(end − start) after the end.
 */
export function processingSeconds(job: Job, now: number): number {
  if (job.startedAt === undefined) return 0;
  const until = job.endedAt ?? (isEnded(job) ? job.startedAt : now);
  return Math.max(0, Math.floor((until - job.startedAt) / 1000));
}

/**
 * When somebody should look whether the job still moves: the end of the lease, when its message is overdue, or, after
 * its end, when its insight is to be taken back or to be made again.
 */
export function checkAt(job: Job): number {
  if (job.withdrawAt !== undefined) return job.withdrawAt;
  if (job.lease !== undefined) return job.lease.until;
  if (job.rerun !== undefined) return job.rerun.dueAt;
  // Nobody has sent a message that could be late: the look itself asks for the place.
  if (job.parked !== undefined && job.dueAt !== undefined) return job.dueAt;
  return (job.dueAt ?? job.lastActionAt) + LOST_MESSAGE_MS;
}
