import type { Clock } from '../clock.js';
import type { InsightStore } from '../insights/insightPorts.js';
import { insightIdOf } from '../insights/insightId.js';
import { endedOn, isEnded, type Job } from './job.js';
import { BUCKETS, type EndedEntry, type EndedJob, type JobStore, type StoredJob } from './jobPorts.js';
import { ranAgain } from './rerun.js';

const DAY_MS = 86_400_000;

export interface PurgeJobsPorts {
  readonly jobs: JobStore;
  readonly insights: Pick<InsightStore, 'remove'>;
  readonly clock: Clock;
}

/** Deletes the jobs that ended more than `retentionDays` ago, each with its insight; returns how many. */
export const purgeJobs =
  ({ jobs, insights, clock }: PurgeJobsPorts, retentionDays: number) =>
  async (): Promise<number> => {
    const before = clock.now().getTime() - retentionDays * DAY_MS;
    let purged = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      const gone: EndedJob[] = [];
      for await (const entry of jobs.listEndedBefore(bucket, before)) {
        const stored = await jobs.find(entry);
        if (stored === undefined || !isOf(entry, stored.job)) gone.push(entry);
        else if (await purgeJob({ jobs, insights, clock }, entry, stored)) {
          purged += 1;
          gone.push(entry);
        }
      }
      await jobs.forget(gone);
    }
    return purged;
  };

const isOf = ({ endedOn: day }: EndedJob, job: Job): boolean => isEnded(job) && endedOn(job) === day;

async function purgeJob(ports: PurgeJobsPorts, entry: EndedEntry, stored: StoredJob): Promise<boolean> {
  const { jobs, insights, clock } = ports;
  if (!(await hasRunLast(jobs, stored, clock))) return false;
  // The insight goes first: a purge that is cut short leaves the job to be found again.
  await insights.remove(entry.tenant, insightIdOf(stored.job));
  return jobs.purge(entry, stored.job);
}

/** Takes a job that was to run again off the index for that; false while it runs: then it is deleted another night. */
async function hasRunLast(jobs: Pick<JobStore, 'end'>, stored: StoredJob, clock: Pick<Clock, 'now'>): Promise<boolean> {
  const { job } = stored;
  if (job.rerun === undefined) return true;
  if (job.lease !== undefined && job.lease.until > clock.now().getTime()) return false;
  return jobs.end(stored, ranAgain(job, undefined));
}
