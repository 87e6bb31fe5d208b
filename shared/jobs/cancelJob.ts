import type { Fault } from '../errors/fault.js';
import { ServiceError } from '../errors/serviceError.js';
import { endJob, type EndJobPorts } from './endJob.js';
import { isEnded, type Job, type JobKey } from './job.js';

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
  (ports: EndJobPorts, faults: CancelFaults) =>
  async (key: JobKey): Promise<Job> => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stored = await ports.jobs.find(key);
      if (stored === undefined) throw new ServiceError(faults.unknown, `No job has the id ${key.jobId}.`);
      if (isEnded(stored.job)) {
        throw new ServiceError(
          faults.notCancellable,
          `Invalid job status for the cancel operation: the job is ${stored.job.status}; only a WAITING or RUNNING job can be cancelled.`,
        );
      }
      const cancelled = await endJob(ports)(stored, { status: 'CANCELLED' });
      if (cancelled !== undefined) return cancelled;
    }
    throw new Error(`The row of job ${key.jobId} changed ${TRIES} times while it was being cancelled.`);
  };
