import type { Clock } from '../clock.js';
import type { Log } from '../telemetry/telemetry.js';
import { redriven, type Job, type JobKey } from './job.js';
import type { JobQueues, JobStore } from './jobPorts.js';

export interface RedriveJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly clock: Clock;
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
  ({ jobs, jobQueues, clock, log }: RedriveJobPorts, by: string) =>
  async (key: JobKey): Promise<Job> => {
    const stored = await jobs.find(key);
    if (stored === undefined) throw new RedriveRefusal(`No job ${key.jobId} of this tenant and solution is there.`);
    const { status, failure } = stored.job;
    if (status !== 'FAILED') {
      throw new RedriveRefusal(`The job ${key.jobId} is ${status}; only a FAILED job is opened again.`);
    }
    const job = redriven(stored.job, by, clock.now().getTime());
    if (!(await jobs.reopen(stored, job))) {
      throw new RedriveRefusal(`The job ${key.jobId} was changed meanwhile; look at it and repeat the command.`);
    }
    const { tenant, solution, jobId } = job;
    log('Job:Redriven', { tenant, solution, jobId, by, failure });
    // The row alone opens the job: a message that can't be sent is sent by the sweeper.
    await jobQueues[solution].enqueue(job, 0).catch(() => undefined);
    return job;
  };
