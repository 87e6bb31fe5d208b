import type { Clock } from '../../kit/clock.js';
import type { JobFailure } from '../../kit/errors/serviceError.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { TellOfJob } from './jobNotices.js';
import type { JobStore } from '../jobStore.js';
import type { JobWork } from './jobWork.js';
import type { PublishInsight } from './publishPort.js';

/** What is left to be done about a job that ended without success: what it may have published is taken back. */
export const WITHDRAW = 'withdraw';
/** What is left to be done about a job that SUCCEEDED without something: it runs again. */
export const RERUN = 'rerun';
/** The same job's better insight is kept with us, and the data manager is still to be told. */
export const TELL = 'tell';

export interface JobKindPorts {
  readonly jobs: Pick<JobStore, 'find' | 'findWork' | 'replace'>;
  readonly publishInsight: PublishInsight;
  readonly tellOfJob: TellOfJob;
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
