import { ended, isEnded, leavesInsight, type Job } from '../job.js';
import type { StoredJob } from '../jobPorts.js';
import { WITHDRAW } from '../steps/jobSteps.js';
import type { JobStore } from '../jobStore.js';
import { removeMade, type PurgeJobsPorts } from './purgeJobs.js';
import { takenOver, type WorkItem } from '../../work/item/workItem.js';
import { workPartitions } from '../../work/item/workStore.js';

const PAGE = 100;

export interface EraseJobsOptions {
  readonly isMeant: (job: Job) => boolean;
  /** Length of a lease: for so long an attempt may be at a job that was taken from it. */
  readonly leaseMs: number;
  /** Writes of an attempt whose lease has ended may still arrive for so long. */
  readonly writerMs: number;
}

/** How many jobs were deleted, and how many are to be looked at again. */
export interface ErasedJobs {
  readonly jobs: number;
  readonly kept: number;
}

/**
 * Ends and deletes jobs of a tenant with their insights, page by page. A job that an attempt may be at is cancelled, and
 * kept until that attempt can't write any more: whoever wants all of them gone begins again until none is kept.
 */
export async function* eraseJobs(
  ports: PurgeJobsPorts,
  tenant: string,
  options: EraseJobsOptions,
): AsyncGenerator<ErasedJobs> {
  for (const partition of workPartitions) {
    let after: Job | undefined;
    do {
      const page = await ports.jobs.pageOf(tenant, { partition, after, most: PAGE });
      const meant = page.filter(({ job }) => options.isMeant(job));
      let jobs = 0;
      for (const stored of meant) if (await eraseJob(ports, stored, options)) jobs += 1;
      yield { jobs, kept: meant.length - jobs };
      after = page.length < PAGE ? undefined : page.at(-1)?.job;
    } while (after !== undefined);
  }
}

/** @returns false when the job is still there */
async function eraseJob(ports: PurgeJobsPorts, stored: StoredJob, options: EraseJobsOptions): Promise<boolean> {
  const { jobs, clock } = ports;
  const now = clock.now().getTime();
  if (!isEnded(stored.job)) return cancel(jobs, stored, now);
  const work = await jobs.findWork(stored.job);
  if (work !== undefined && mayBeWorkedAt(work.item, now, options)) return false;
  await removeMade(ports, stored.job);
  return jobs.erase(stored);
}

/** Ends a job, and takes it from whoever is at it. @returns false, for it is to be looked at again */
async function cancel(jobs: JobStore, stored: StoredJob, now: number): Promise<false> {
  const work = await jobs.findWork(stored.job);
  const cancelled = ended(stored.job, { status: 'CANCELLED' }, now);
  const taken = work && takenOver(work.item, { place: { step: WITHDRAW }, epoch: cancelled.epoch }, now);
  await jobs.replace(stored, cancelled, work, { item: leavesInsight(cancelled) ? taken : undefined });
  return false;
}

/** Whether a lease of the item runs, or ended just now; an item that waits for longer than a lease is nobody's. */
const mayBeWorkedAt = ({ notBefore }: WorkItem, now: number, { leaseMs, writerMs }: EraseJobsOptions): boolean =>
  now - writerMs < notBefore && notBefore <= now + leaseMs;
