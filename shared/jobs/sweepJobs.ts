import { BUCKETS } from './jobPorts.js';
import { reviveJob, type Revival, type ReviveJobPorts } from './reviveJob.js';

/** How many jobs of one sweep had which fate. */
export type SweepCount = Readonly<Record<Revival, number>>;

/** Looks at every open job that is overdue; reads 16 ranges of the index of open jobs, never the whole table. */
export const sweepJobs = (ports: ReviveJobPorts) => async (): Promise<SweepCount> => {
  const count = { enqueued: 0, failed: 0, 'not due': 0 };
  const revive = reviveJob(ports);
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    for await (const open of ports.jobs.listOverdue(bucket, ports.clock.now().getTime())) {
      count[await revive(open)] += 1;
    }
  }
  return count;
};
