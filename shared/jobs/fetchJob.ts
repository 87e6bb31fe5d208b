import type { Clock } from '../clock.js';
import type { Fault } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { checkAt, isEnded, type Job, type JobKey } from './job.js';
import type { JobQueues, JobStore } from './jobPorts.js';
import { reviveJob } from './reviveJob.js';

export interface FetchJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly clock: Clock;
}

/**
 * Reads one job of the tenant. A fetch of a job that should have moved by now also wakes it: timers have been seen
 * dead, callers that wait have not.
 *
 * @param unknown the solution's fault for a job that isn't there
 */
export const fetchJob =
  (ports: FetchJobPorts, unknown: Fault) =>
  async (key: JobKey): Promise<Job> => {
    const stored = await ports.jobs.find(key);
    if (stored === undefined) throw new ServiceError(unknown, `No job has the id ${key.jobId}.`);
    const { job } = stored;
    if (!isEnded(job) && checkAt(job) <= ports.clock.now().getTime()) {
      const open = await ports.jobs.findOpen(key);
      if (open !== undefined) await reviveJob(ports)(open).catch(() => undefined);
    }
    return job;
  };
