import type { Clock } from '../../kit/clock.js';
import { insightIdOf } from '../steps/insightId.js';
import { workPartitions } from '../../work/item/workStore.js';
import { endedOn, isEnded, type Job } from '../job.js';
import type { EndedEntry, EndedJob } from '../jobPorts.js';
import type { JobStore } from '../jobStore.js';

const DAY_MS = 86_400_000;

export interface PurgeJobsPorts {
  readonly jobs: JobStore;
  /** Removes an insight of a tenant; twice is harmless. */
  readonly insights: { remove(tenant: string, insightId: string): Promise<void> };
  /** Removes what else was made for a job; twice is harmless. */
  readonly removeLeftovers: (job: Job) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Deletes the jobs that ended more than `retentionDays` ago, each with what it has made; returns how many. */
export const purgeJobs = (ports: PurgeJobsPorts, retentionDays: number) => async (): Promise<number> => {
  const before = ports.clock.now().getTime() - retentionDays * DAY_MS;
  let purged = 0;
  for (const partition of workPartitions) {
    const gone: EndedJob[] = [];
    for (const entry of await ports.jobs.listEndedBefore(partition, before)) {
      const fate = await purgeJob(ports, entry);
      if (fate !== 'kept') gone.push(entry);
      if (fate === 'purged') purged += 1;
    }
    await ports.jobs.forget(gone);
  }
  return purged;
};

const isOf = ({ endedOn: day }: EndedJob, job: Job): boolean => isEnded(job) && endedOn(job) === day;

async function purgeJob(ports: PurgeJobsPorts, entry: EndedEntry): Promise<'purged' | 'kept' | 'gone'> {
  const { jobs, clock } = ports;
  const stored = await jobs.find(entry);
  if (stored === undefined || !isOf(entry, stored.job)) return 'gone';
  if (!(await jobs.closeWork(stored, clock.now().getTime()))) return 'kept';
  // What it has made goes first: a purge that is cut short leaves the job to be found again.
  await removeMade(ports, stored.job);
  return (await jobs.purge(entry, stored.job)) ? 'purged' : 'kept';
}

/** Removes what a job has made. */
export async function removeMade(
  { insights, removeLeftovers }: Pick<PurgeJobsPorts, 'insights' | 'removeLeftovers'>,
  job: Job,
): Promise<void> {
  await removeLeftovers(job);
  await insights.remove(job.tenant, insightIdOf(job));
}
