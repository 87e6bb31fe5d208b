import type { Clock } from '../clock.js';
import type { Fault } from '../errors/fault.js';
import { ServiceError } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import type { Job, JobKey, JsonObject } from './job.js';
import type { JobQueues, JobStore } from './jobPorts.js';

export interface CreateJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface NewJob {
  readonly key: JobKey;
  readonly parameters: JsonObject;
  /** The solution's fault for an id that is taken. */
  readonly exists: Fault;
  /** Asked after the id was found free and before anything is stored; throws to refuse. */
  readonly admit?: () => Promise<void>;
}

/**
 * Stores a new job and tells the workers.
 *
 * The stored row alone makes the job: when the message can't be sent the sweeper sends it, so the caller's job is
 * accepted all the same.
 *
 * @throws ServiceError with `exists` when the tenant has used the id before
 */
export const createJob =
  ({ jobs, jobQueues, clock, newId }: CreateJobPorts) =>
  async ({ key, parameters, exists, admit }: NewJob): Promise<Job> => {
    const taken = (): ServiceError =>
      new ServiceError(
        exists,
        `A job with the id ${key.jobId} exists already. Fetch it, or create one under a new id.`,
      );
    if (admit !== undefined) {
      if ((await jobs.find(key)) !== undefined) throw taken();
      await admit();
    }
    const now = clock.now().getTime();
    const job: Job = {
      ...key,
      e2eId: newId(),
      status: 'WAITING',
      parameters,
      createdAt: now,
      lastActionAt: now,
      attempt: 0,
    };
    if (!(await jobs.insert(job))) throw taken();
    await jobQueues[key.solution].enqueue(key, 0).catch(() => undefined);
    return job;
  };
