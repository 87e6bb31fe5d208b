import type { Clock } from '../clock.js';
import { insightIdOf } from '../insights/insightId.js';
import type { PublishInsight } from '../insights/publishInsight.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import type { Job } from './job.js';
import type { JobStore } from './jobPorts.js';

export interface WithdrawInsightPorts {
  readonly jobs: JobStore;
  readonly publishInsight: PublishInsight;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Takes back what was published for a job that ended CANCELLED or FAILED. What goes wrong is left to the next look: the
 * job stays on the index of open jobs until everything is taken back.
 */
export const withdrawInsight =
  ({ jobs, publishInsight, clock, log }: WithdrawInsightPorts) =>
  async (job: Job): Promise<void> => {
    const { tenant, solution, jobId, withdrawAt, createdAt } = job;
    if (withdrawAt === undefined || withdrawAt > clock.now().getTime()) return;
    const open = await jobs.findOpen(job);
    if (open === undefined) return;
    // An operator may open the job again meanwhile: what it publishes then is not to be touched.
    const isWanted = async (): Promise<boolean> => {
      const current = (await jobs.find(job))?.job;
      return current?.createdAt === createdAt && current.withdrawAt !== undefined;
    };
    try {
      await publishInsight.withdraw(job, insightIdOf(job), isWanted);
      await jobs.dropOpen(open);
    } catch (error) {
      log('Job:NotWithdrawn', { tenant, solution, jobId, cause: errorText(error) });
    }
  };
