import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { newItem, takenOver } from '../../work/item/workItem.js';
import { redriven, workOf, type Job, type JobKey } from '../job.js';
import type { JobStore } from '../jobStore.js';

export interface RedriveJobPorts {
  readonly jobs: JobStore;
  readonly work: Pick<Enqueuer, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Why a job is not opened again, in words for the operator. */
export class RedriveRefusal extends Error {}

/**
 * Opens a FAILED job again: same id, same time of creation, as if it had never been tried. Its row remembers who did
 * so, when and after which failure; an insight that was still to be taken back no longer is.
 *
 * @param by the operator
 * @throws RedriveRefusal for a job that isn't there, has not FAILED or was changed meanwhile
 */
export const redriveJob =
  ({ jobs, work, clock, log }: RedriveJobPorts, by: string) =>
  async (key: JobKey): Promise<Job> => {
    const [stored, open] = await Promise.all([jobs.find(key), jobs.findWork(key)]);
    if (stored === undefined) throw new RedriveRefusal(`No job ${key.jobId} of this tenant and solution is there.`);
    const { status, failure } = stored.job;
    if (status !== 'FAILED') {
      throw new RedriveRefusal(`The job ${key.jobId} is ${status}; only a FAILED job is opened again.`);
    }
    const now = clock.now().getTime();
    const job = redriven(stored.job, by, now);
    // What it had published is overwritten by its next publication, or taken back after its next end.
    const item = open === undefined ? newItem(workOf(job), now, job.epoch) : takenOver(open.item, job, now);
    if (!(await jobs.replace(stored, job, open, { item }))) {
      throw new RedriveRefusal(`The job ${key.jobId} was changed meanwhile; look at it and repeat the command.`);
    }
    const { tenant, solution, jobId } = job;
    log('Job:Redriven', { tenant, solution, jobId, by, failure });
    // An attempt that is taking the insight back is waited for.
    if (item.notBefore <= now) await work.send(item);
    return job;
  };
