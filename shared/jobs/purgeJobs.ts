import type { Clock } from '../clock.js';
import type { InsightStore } from '../insights/insightPorts.js';
import { insightIdOf } from '../insights/insightId.js';
import { endedOn, isEnded } from './job.js';
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
      for await (const entry of jobs.listEndedBefore(bucket, before)) {
        const job = (await jobs.find(entry))?.job;
        if (job === undefined || !isEnded(job) || endedOn(job) !== entry.endedOn) {
          await jobs.forget(entry);
          continue;
        }
        // The insight goes first: a purge that is cut short leaves the job to be found again.
        await insights.remove(entry.tenant, insightIdOf(job));
        if (await jobs.purge(entry)) purged += 1;
      }
    }
    return purged;
  };
