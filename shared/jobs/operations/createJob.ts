import type { Clock } from '../../kit/clock.js';
import type { Fault } from '../../kit/errors/fault.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { NewId } from '../../kit/ids.js';
import { workOf, type Job, type JobKey } from '../job.js';
import type { JsonObject } from '../../kit/json/json.js';
import type { JobStore } from '../jobStore.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { Lanes } from '../../work/lanes/lanes.js';
import { inLane, newItem } from '../../work/item/workItem.js';

export interface CreateJobPorts {
  readonly jobs: JobStore;
  readonly work: Pick<Enqueuer, 'send'>;
  readonly lanes: Pick<Lanes, 'laneOfNew' | 'wait'>;
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
 * Stores a new job with its work item and sends its message, or puts it into its tenant's lane.
 *
 * The stored row alone makes the job: when the message can't be sent, or the ticket not left, the sweep does so, and
 * the caller's job is accepted all the same.
 *
 * @throws ServiceError with `exists` when the tenant has used the id before
 */
export const createJob =
  ({ jobs, work, lanes, clock, newId }: CreateJobPorts) =>
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
    const workKey = workOf(key);
    const lane = await lanes.laneOfNew(workKey);
    const now = clock.now().getTime();
    const job: Job = {
      ...key,
      e2eId: newId(),
      status: 'WAITING',
      parameters,
      createdAt: now,
      lastActionAt: now,
      epoch: 0,
    };
    const item = newItem(workKey, now);
    if (!(await jobs.insert(job, lane === undefined ? item : inLane(item, { lane, askedAt: now })))) throw taken();
    if (lane === undefined) await work.send(workKey);
    else await lanes.wait(lane, { ...workKey, askedAt: now }).catch(() => undefined);
    return job;
  };
