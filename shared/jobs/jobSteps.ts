import type { Clock } from '../clock.js';
import type { JobFailure } from '../errors/serviceError.js';
import type { JsonObject } from '../json.js';
import type { Log } from '../telemetry/telemetry.js';
import type { Job } from './job.js';
import type { JobStore } from './jobStore.js';
import type { JobWork, MadeInsight } from './jobWork.js';

/** What is left to be done about a job that ended without success: what it may have published is taken back. */
export const WITHDRAW = 'withdraw';
/** What is left to be done about a job that SUCCEEDED without something: it runs again. */
export const RERUN = 'rerun';
/** The same job's better insight is kept with us, and the data manager is still to be told. */
export const TELL = 'tell';

/** The attempt that publishes. */
export interface Publisher {
  readonly signal: AbortSignal;
  /** Makes sure that the job is still the attempt's: the data manager knows no fencing token. */
  hold(): Promise<void>;
}

/** Where insights are published. */
export interface PublishInsight {
  /**
   * Writes the insight where callers read it, then into the tenant's data manager. Repeating it is harmless.
   *
   * @returns false when a later claim of the job, or its end, has written before: nothing was published then
   */
  publish(job: Job, insight: MadeInsight, attempt: Publisher): Promise<boolean>;
  /** The record of the insight that is kept with us. */
  findKept(job: Job, insightId: string): Promise<JsonObject | undefined>;
  /**
   * Publishes an insight that is kept with us already, as `publish` does.
   *
   * @returns false when there is none
   */
  publishKept(job: Job, insightId: string, attempt: Publisher): Promise<boolean>;
  /**
   * Takes back what `publish` has written, as far as it came, for a job that was cancelled or has failed.
   *
   * @param isWanted asked before each delete; once it says no, nothing more is deleted
   */
  withdraw(job: Job, insightId: string, isWanted: () => Promise<boolean>): Promise<void>;
  /** Takes back what is kept with us of an insight that the data manager does not let go. */
  abandon(job: Job, insightId: string): Promise<void>;
}

export interface JobKindPorts {
  readonly jobs: Pick<JobStore, 'find'>;
  readonly publishInsight: PublishInsight;
  readonly clock: Pick<Clock, 'now'>;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly log: Log;
}

export interface JobKindOptions {
  readonly work: JobWork;
  /** Why an attempt failed, in words for the caller. */
  readonly failureOf: (error: unknown) => JobFailure;
  readonly leaseMs: number;
  /** How long a job waits for what refuses it from outside. */
  readonly patienceHours: number;
}

const events = { SUCCEEDED: 'Job:Succeeded', FAILED: 'Job:Failed', CANCELLED: 'Job:Cancelled' } as const;

/** Says once how a job has ended. */
export function sayEnd(log: Log, job: Job, { attempt, now }: { readonly attempt: number; readonly now: number }): void {
  const { tenant, solution, jobId, createdAt, status, failure } = job;
  if (status !== 'SUCCEEDED' && status !== 'FAILED' && status !== 'CANCELLED') return;
  const facts = { tenant, solution, jobId, attempt, seconds: (now - createdAt) / 1000 };
  log(events[status], { ...facts, outcome: status, ...(failure === undefined ? {} : { failure }) });
}
