import type { Fault } from '../../kit/errors/fault.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Job, JobKey } from '../job.js';
import type { JobStore } from '../jobStore.js';

/**
 * Reads one job of the tenant.
 *
 * @param unknown the solution's fault for a job that isn't there
 */
export const fetchJob =
  ({ jobs }: { readonly jobs: Pick<JobStore, 'find'> }, unknown: Fault) =>
  async (key: JobKey): Promise<Job> => {
    const stored = await jobs.find(key);
    if (stored === undefined) throw new ServiceError(unknown, `No job has the id ${key.jobId}.`);
    return stored.job;
  };
