import type { Clock } from '../clock.js';
import type { Fault } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { ended, isEnded, type Job, type JobKey } from './job.js';
import type { JobStore } from './jobPorts.js';

export interface CancelFaults {
  readonly unknown: Fault;
  readonly notCancellable: Fault;
}

/** Others may write the row at the same time; each of them can win only a handful of times before the job ends. */
const TRIES = 10;

/**
 * Ends a job of the tenant as CANCELLED, from WAITING or RUNNING. The first end is final: whoever loses against the
 * worker gets `notCancellable`.
 */
export const cancelJob =
  ({ jobs, clock }: { readonly jobs: JobStore; readonly clock: Clock }, faults: CancelFaults) =>
  async (key: JobKey): Promise<Job> => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stored = await jobs.find(key);
      if (stored === undefined) throw new ServiceError(faults.unknown, `No job has the id ${key.jobId}.`);
      if (isEnded(stored.job)) {
        throw new ServiceError(
          faults.notCancellable,
          `Invalid job status for the cancel operation: the job is ${stored.job.status}; only a WAITING or RUNNING job can be cancelled.`,
        );
      }
      const cancelled = ended(stored.job, { status: 'CANCELLED' }, clock.now().getTime());
      if (await jobs.end(stored, cancelled)) return cancelled;
    }
    throw new Error(`The row of job ${key.jobId} changed ${TRIES} times while it was being cancelled.`);
  };
