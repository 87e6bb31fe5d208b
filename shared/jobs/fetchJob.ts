import type { Fault } from '../errors/fault.js';
import { ServiceError } from '../errors/serviceError.js';
import { checkAt, wantsLook, type Job, type JobKey } from './job.js';
import { reviveJob, type ReviveJobPorts } from './reviveJob.js';

/**
 * Reads one job of the tenant. A fetch of a job that should have moved by now also wakes it: timers have been seen
 * dead, callers that wait have not.
 *
 * @param unknown the solution's fault for a job that isn't there
 */
export const fetchJob =
  (ports: ReviveJobPorts, unknown: Fault) =>
  async (key: JobKey): Promise<Job> => {
    const stored = await ports.jobs.find(key);
    if (stored === undefined) throw new ServiceError(unknown, `No job has the id ${key.jobId}.`);
    const { job } = stored;
    const now = ports.clock.now().getTime();
    if (wantsLook(job) && checkAt(job) <= now) await wake(ports, key, now).catch(() => undefined);
    return job;
  };

async function wake(ports: ReviveJobPorts, key: JobKey, now: number): Promise<void> {
  const open = await ports.jobs.findOpen(key);
  // Somebody has looked since, or the queue has not come as far as the job.
  if (open === undefined || open.checkAt > now) return;
  const servedUntil = await ports.jobQueues[key.solution].servedUntil(now);
  if (open.checkAt <= servedUntil) await reviveJob(ports)(open, { servedUntil });
}
