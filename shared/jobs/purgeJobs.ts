import type { Clock } from '../clock.js';
import type { InsightStore } from '../insights/insightPorts.js';
import { insightIdOf } from '../insights/insightId.js';
import { endedOn, isEnded } from './job.js';
import { BUCKETS, type JobStore, type StoredJob } from './jobPorts.js';
import { ranAgain } from './rerun.js';

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
        const stored = await jobs.find(entry);
        const job = stored?.job;
        if (stored === undefined || job === undefined || !isEnded(job) || endedOn(job) !== entry.endedOn) {
          await jobs.forget(entry);
          continue;
        }
        if (!(await hasRunLast(jobs, stored, clock))) continue;
        // The insight goes first: a purge that is cut short leaves the job to be found again.
        await insights.remove(entry.tenant, insightIdOf(job));
        if (await jobs.purge(entry, job)) purged += 1;
      }
    }
    return purged;
  };

/** Takes a job that was to run again off the index for that; false while it runs: then it is deleted another night. */
async function hasRunLast(jobs: Pick<JobStore, 'end'>, stored: StoredJob, clock: Pick<Clock, 'now'>): Promise<boolean> {
  const { job } = stored;
  if (job.rerun === undefined) return true;
  if (job.lease !== undefined && job.lease.until > clock.now().getTime()) return false;
  return jobs.end(stored, ranAgain(job, undefined));
}
