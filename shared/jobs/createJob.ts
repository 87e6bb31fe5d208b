import type { Clock } from '../clock.js';
import type { Fault } from '../errors/fault.js';
import { ServiceError } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import type { Job, JobKey, JsonObject } from './job.js';
import type { JobQueues, JobStore } from './jobPorts.js';
import type { Lines } from './lines.js';

export interface CreateJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly lines: Pick<Lines, 'lineOfNew' | 'wait'>;
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
 * Stores a new job and tells the workers, or puts it into its tenant's line.
 *
 * The stored row alone makes the job: when the message can't be sent, or the ticket not left, the sweeper does so, and
 * the caller's job is accepted all the same.
 *
 * @throws ServiceError with `exists` when the tenant has used the id before
 */
export const createJob =
  ({ jobs, jobQueues, lines, clock, newId }: CreateJobPorts) =>
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
    const line = await lines.lineOfNew(key);
    const now = clock.now().getTime();
    const job: Job = {
      ...key,
      e2eId: newId(),
      status: 'WAITING',
      parameters,
      createdAt: now,
      lastActionAt: now,
      attempt: 0,
      epoch: 0,
      ...(line === undefined ? {} : { parked: { line, askedAt: now }, lines: [line] }),
    };
    if (!(await jobs.insert(job))) throw taken();
    if (line === undefined) {
      await jobQueues[key.solution].enqueue(key, 0).catch(() => undefined);
    } else {
      await lines.wait(line, { ...key, askedAt: now }).catch(() => undefined);
    }
    return job;
  };
