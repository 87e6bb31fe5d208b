import type { SolutionId } from './job.js';
import { BUCKETS } from './jobPorts.js';
import { reviveJob, type Revival, type ReviveJobPorts } from './reviveJob.js';

/** How many jobs of one sweep had which fate. */
export type SweepCount = Readonly<Record<Revival, number>>;

/**
 * Looks at every open job that is overdue; reads 16 ranges of the index of open jobs, never the whole table. In a
 * backlog the message of an overdue job is late and not lost: such a job costs the line that names it.
 */
export const sweepJobs = (ports: ReviveJobPorts) => async (): Promise<SweepCount> => {
  const count = { enqueued: 0, failed: 0, 'not due': 0 };
  const revive = reviveJob(ports);
  const servedUntil = queueProgress(ports);
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    for await (const open of ports.jobs.listOverdue(bucket, ports.clock.now().getTime())) {
      const served = await servedUntil(open.solution);
      const fate = open.checkAt > served ? 'not due' : await revive(open, { servedUntil: served });
      count[fate] += 1;
    }
  }
  return count;
};

/** How far each queue has come, asked at most once. */
export function queueProgress({
  jobQueues,
  clock,
}: Pick<ReviveJobPorts, 'jobQueues' | 'clock'>): (solution: SolutionId) => Promise<number> {
  const known = new Map<SolutionId, number>();
  return async (solution) => {
    const served = known.get(solution) ?? (await jobQueues[solution].servedUntil(clock.now().getTime()));
    known.set(solution, served);
    return served;
  };
}
