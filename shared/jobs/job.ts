/** A job as its tenant sees it, and the moves between its states, without storage, clock or wire words. */
import type { JsonObject } from '../kit/json/json.js';
import { nextEpoch, type WorkItem, type WorkKey } from '../work/item/workItem.js';

/** The last three are ends. */
export const jobStatuses = ['WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type JobStatus = (typeof jobStatuses)[number];

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

/** The work item of a job: its id begins with the tenant, as lanes go by. */
export const workOf = ({ tenant, solution, jobId }: JobKey): WorkKey => ({
  kind: kindOf(solution),
  id: `${tenant}|${jobId}`,
});

/** The job of a work item. */
export function jobOfWork({ kind, id }: WorkKey): JobKey {
  const [tenant = '', jobId = ''] = id.split('|');
  return { tenant, solution: solutionOf(kind as JobKind), jobId };
}

/**
 * One job as stored. Instants are milliseconds since 1970 UTC. Attempts, leases and waits are its work item's: what stands
 * here is what the tenant may read, and what is needed to make the item again.
 */
export interface Job extends JobKey {
  /** Minted by the create that stored this row: callers quote it when they ask us about the job. */
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
  /**
   * Fencing token of what is written for the job elsewhere: grows with each claim of its work item, and with an end
   * without success. 0 until the first claim: nothing can have been written then.
   */
  readonly epoch: number;
  /** Set while something outside refuses the job. */
  readonly outage?: Outage;
  /** On a job that SUCCEEDED without something: it runs again. */
  readonly rerun?: Rerun;
  /** Each time an operator opened the job again, after which end; oldest first. */
  readonly redrives?: readonly Redrive[];
}

/** What refuses a job from outside. No attempt is used up while the job waits for it. */
export interface Outage {
  /** Whom the job waits for, in words for the caller: `the weather services`. */
  readonly dependency: string;
  /** Code of the reason. */
  readonly code: string;
  /** The first refusal, and when the job is given up; milliseconds since 1970 UTC. */
  readonly since: number;
  readonly until: number;
  /** Refusals so far. */
  readonly refusals: number;
  /** The pause that was asked for with the latest one. */
  readonly askedSeconds?: number;
  /** When the next try is due; absent while the job is being tried. */
  readonly nextAt?: number;
}

/** What is left to be done about a job that SUCCEEDED with less than there should be. */
export interface Rerun {
  /** When the next run is due, milliseconds since 1970 UTC; absent while it runs. */
  readonly dueAt?: number;
  /** Runs begun so far. */
  readonly runs: number;
  /** What the insight lacks, in words for the caller; absent when it lacks nothing any more and is only to be told. */
  readonly lacks?: string;
  /** Since when the data manager may not know the insight that is kept with us. */
  readonly untoldSince?: number;
}

export interface Redrive {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** The operator, by the name of the account that ran the command. */
  readonly by: string;
  /** Why the job had FAILED. */
  readonly failure: string;
}

export const isEnded = ({ status }: Pick<Job, 'status'>): boolean => status !== 'WAITING' && status !== 'RUNNING';

/** Whether a job has ended without success and may have written an insight, which is to be taken back then. */
export const leavesInsight = ({ status, epoch }: Job): boolean =>
  (status === 'FAILED' || status === 'CANCELLED') && epoch > 0;

/** The UTC day on which an ended job ended, YYYY-MM-DD: a later job of the same id has another one. */
export const endedOn = ({ lastActionAt }: Pick<Job, 'lastActionAt'>): string =>
  new Date(lastActionAt).toISOString().slice(0, 10);

/** Later of two instants: the times of a job never run backwards, whatever the clocks say. */
const notBefore = (previous: number, now: number): number => Math.max(previous, now);

/** The job while an attempt is at it. @param item its work item as claimed */
export function running(job: Job, { epoch }: Pick<WorkItem, 'epoch'>, now: number): Job {
  const at = notBefore(job.lastActionAt, now);
  const { nextAt: _next, ...outage } = job.outage ?? {};
  return {
    ...job,
    status: 'RUNNING',
    epoch,
    startedAt: job.startedAt ?? at,
    lastActionAt: at,
    ...(job.outage === undefined ? {} : { outage: outage as Outage }),
  };
}

/** The job after an attempt that failed in a way that may pass. */
export function failing(
  job: Job,
  { failure, outage }: { failure: string; outage?: Outage | undefined },
  now: number,
): Job {
  const { outage: _outage, ...rest } = job;
  const lastActionAt = notBefore(job.lastActionAt, now);
  return { ...rest, failure, lastActionAt, ...(outage === undefined ? {} : { outage }) };
}

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
  const { outage: _outage, failure: _failure, ...rest } = job;
  const next: Job = {
    ...rest,
    ...end,
    lastActionAt: at,
    ...(job.startedAt === undefined ? {} : { endedAt: at }),
  };
  // Whoever stood still must find its own token too low, and not only that of those before.
  return leavesInsight(next) ? { ...next, epoch: nextEpoch(job, now) } : next;
}

/**
 * The FAILED job opened again by an operator: the same id and time of creation, its end forgotten.
 *
 * @throws Error for a job that has not FAILED
 */
export function redriven(job: Job, by: string, now: number): Job {
  if (job.status !== 'FAILED') throw new Error(`A job that is ${job.status} is not opened again.`);
  const { startedAt: _started, endedAt: _ended, failure = '', redrives = [], ...rest } = job;
  const at = notBefore(job.lastActionAt, now);
  return { ...rest, status: 'WAITING', lastActionAt: at, redrives: [...redrives, { at, by, failure }] };
}

/**
 * Whole seconds of processing: 0 before the start, elapsed while running, floor(end − start) after the end.
 */
export function processingSeconds(job: Job, now: number): number {
  if (job.startedAt === undefined) return 0;
  const until = job.endedAt ?? (isEnded(job) ? job.startedAt : now);
  return Math.max(0, Math.floor((until - job.startedAt) / 1000));
}
