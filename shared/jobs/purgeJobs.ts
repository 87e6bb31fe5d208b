import type { Clock } from '../clock.js';
import type { InsightStore } from '../insights/insightPorts.js';
import { insightIdOf } from '../insights/insightId.js';
import { BUCKETS, type JobStore } from './jobPorts.js';

const DAY_MS = 86_400_000;

export interface PurgeJobsPorts {
  readonly jobs: JobStore;
  readonly insights: InsightStore;
  readonly clock: Clock;
}

/** Deletes the jobs that ended more than `retentionDays` ago, each with its insight; returns how many. */
export const purgeJobs =
  ({ jobs, insights, clock }: PurgeJobsPorts, retentionDays: number) =>
  async (): Promise<number> => {
    const before = clock.now().getTime() - retentionDays * DAY_MS;
    let purged = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      for await (const key of jobs.listEndedBefore(bucket, before)) {
        const stored = await jobs.find(key);
        // The insight goes first: a purge that is cut short leaves the job to be found again.
        if (stored !== undefined) await insights.remove(key.tenant, insightIdOf(stored.job));
        await jobs.purge(key);
        purged += 1;
      }
    }
    return purged;
  };
