import type { Clock } from '../clock.js';
import type { PublishInsight } from '../insights/publishInsight.js';
import type { Log } from '../telemetry/telemetry.js';
import type { Job } from './job.js';
import type { JobFaults } from './jobFailures.js';
import type { JobStore } from './jobStore.js';
import type { JobWork } from './jobWork.js';

/** What is left to be done about a job that ended without success: what it may have published is taken back. */
export const WITHDRAW = 'withdraw';
/** What is left to be done about a job that SUCCEEDED without something: it runs again. */
export const RERUN = 'rerun';
/** The same job's better insight is kept with us, and the data manager is still to be told. */
export const TELL = 'tell';

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
  readonly faults: JobFaults;
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
