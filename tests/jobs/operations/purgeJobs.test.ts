import { describe, expect, test } from '@jest/globals';
import { insightIdOf } from '../../../shared/jobs/steps/insightId.js';
import { ended, running, type Job, type JobEnd } from '../../../shared/jobs/job.js';
import type { EndedEntry, EndedJob } from '../../../shared/jobs/jobPorts.js';
import { JobStore } from '../../../shared/jobs/jobStore.js';
import { purgeJobs } from '../../../shared/jobs/operations/purgeJobs.js';
import type { WorkItem } from '../../../shared/work/item/workItem.js';
import { workPartitions, type StoredWork } from '../../../shared/work/item/workStore.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { aJob, START, workOfJob } from '../aJob.js';

const DAY_MS = 86_400_000;

/** A store in which a deletion that was cut short may have left an entry without its job. */
class HalfPurgedStore extends JobStore {
  leftover: EndedEntry | undefined;
  /** What somebody does once the work item was read. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  override async listEndedBefore(partition: string, instant: number): Promise<readonly EndedEntry[]> {
    const entries = await super.listEndedBefore(partition, instant);
    return partition === workPartitions[0] && this.leftover !== undefined ? [...entries, this.leftover] : entries;
  }

  override forget(ended: readonly EndedJob[]): Promise<void> {
    if (ended.some(({ jobId }) => jobId === this.leftover?.jobId)) this.leftover = undefined;
    return super.forget(ended);
  }

  override async findWork(job: Job): Promise<StoredWork | undefined> {
    const work = await super.findWork(job);
    await this.meanwhile();
    return work;
  }
}

const succeeded = { status: 'SUCCEEDED', insightId: insightIdOf(aJob()) } as const;

/** @param item what is left to be done about the job */
async function aServiceWithAnEndedJob(end: JobEnd = succeeded, item?: WorkItem) {
  const clock = new ManualClock();
  const rows = new MemoryRows();
  const jobs = new HalfPurgedStore(rows);
  const removed: string[] = [];
  const leftovers: string[] = [];
  const insights = {
    remove: (_tenant: string, insightId: string) => {
      removed.push(insightId);
      return Promise.resolve();
    },
  };
  const removeLeftovers = ({ jobId }: Job) => Promise.resolve(void leftovers.push(jobId));
  const began = running(aJob(), { epoch: START }, START);
  const job = ended(began, end, START);
  await jobs.insert(began, workOfJob(began));
  await jobs.replace((await jobs.find(began))!, job, await jobs.findWork(began), { item });
  return { clock, rows, jobs, insights, removed, removeLeftovers, leftovers, job };
}

describe('the nightly deletion', () => {
  test('keeps a job for as long as the setting says', async () => {
    const service = await aServiceWithAnEndedJob();
    service.clock.jump(90 * DAY_MS);
    expect(await purgeJobs(service, 90)()).toBe(0);
    expect(await service.jobs.find(service.job)).toBeDefined();
  });

  test('deletes a job that is older, with its insight, once', async () => {
    const service = await aServiceWithAnEndedJob();
    service.clock.jump(91 * DAY_MS);
    expect(await purgeJobs(service, 90)()).toBe(1);
    expect(service.removed).toEqual([insightIdOf(service.job)]);
    expect(service.leftovers).toEqual([service.job.jobId]);
    expect(await service.jobs.find(service.job)).toBeUndefined();
    expect(await purgeJobs(service, 90)()).toBe(0);
  });

  test('that finds the entry of a job whose id was used again touches neither the new job nor its insight', async () => {
    const service = await aServiceWithAnEndedJob();
    const { jobs, clock } = service;
    const { tenant, solution, jobId } = service.job;
    clock.jump(91 * DAY_MS);
    expect(await purgeJobs(service, 90)()).toBe(1);
    service.removed.length = 0;
    jobs.leftover = { tenant, solution, jobId, endedOn: '2026-06-15', etag: 'as it was' };
    const now = clock.now().getTime();
    const later = aJob({ createdAt: now, lastActionAt: now });
    await jobs.insert(later, workOfJob(later));
    expect(await purgeJobs(service, 90)()).toBe(0);
    expect((await jobs.find(later))?.job).toEqual(later);
    expect(service.removed).toEqual([]);
  });

  const nights = 91 * DAY_MS;
  const work = workOfJob(aJob());
  const rerun = { dueAt: START + nights + DAY_MS, runs: 1, lacks: 'the forecast' };
  const lane = 'jobs|gdd|tenant-a';
  test.each<{ what: string; end: JobEnd; item: WorkItem | undefined }>([
    { what: 'SUCCEEDED', end: succeeded, item: undefined },
    {
      what: 'SUCCEEDED without something and is to run again',
      end: { ...succeeded, rerun },
      item: {
        ...work,
        notBefore: rerun.dueAt,
        checkAt: rerun.dueAt,
        parked: { lane, askedAt: rerun.dueAt },
        lanes: [lane],
      },
    },
    {
      what: 'FAILED, and whose insight nobody could take back so far',
      end: { status: 'FAILED', failure: 'GDD-05000: x' },
      item: { ...work, place: { step: 'withdraw' }, notBefore: START + 2 * nights },
    },
    {
      what: 'was CANCELLED, and whose withdrawal has died',
      end: { status: 'CANCELLED' },
      item: { ...work, place: { step: 'withdraw' }, claim: 'dead', notBefore: START + 60_000 },
    },
  ])('leaves no row of a job that $what', async ({ end, item }) => {
    const service = await aServiceWithAnEndedJob(end, item);
    expect(await service.jobs.findWork(service.job)).toEqual(item === undefined ? undefined : expect.anything());
    service.clock.jump(nights);
    expect(await purgeJobs(service, 90)()).toBe(1);
    expect(service.rows.all()).toEqual([]);
    expect(service.removed).toEqual([insightIdOf(service.job)]);
  });

  describe('of a job about which something is left to be done', () => {
    const withRerun = async (changes: Partial<WorkItem> = {}) => {
      const service = await aServiceWithAnEndedJob(
        { ...succeeded, rerun },
        { ...work, notBefore: rerun.dueAt, ...changes },
      );
      service.clock.jump(nights);
      return service;
    };

    test('waits for another night while an attempt is at it', async () => {
      const service = await withRerun({ claim: 'mine', notBefore: START + nights + 1 });
      expect(await purgeJobs(service, 90)()).toBe(0);
      expect(service.removed).toEqual([]);
      service.clock.jump(1);
      expect(await purgeJobs(service, 90)()).toBe(1);
    });

    test('leaves it to whoever has begun an attempt in this moment', async () => {
      const service = await withRerun();
      const { jobs, job } = service;
      // Each claim writes the row of the job.
      jobs.meanwhile = async () => {
        jobs.meanwhile = () => Promise.resolve();
        await jobs.replace((await jobs.find(job))!, { ...job, epoch: START + 1 }, undefined);
      };
      expect(await purgeJobs(service, 90)()).toBe(0);
      expect(service.removed).toEqual([]);
      expect(await jobs.findWork(job)).toBeDefined();
      expect(await purgeJobs(service, 90)()).toBe(1);
    });
  });

  test('forgets an entry without its job', async () => {
    const service = await aServiceWithAnEndedJob();
    const { tenant, solution } = service.job;
    service.jobs.leftover = { tenant, solution, jobId: 'gone', endedOn: '2026-06-01', etag: 'e' };
    expect(await purgeJobs(service, 90)()).toBe(0);
    expect(service.jobs.leftover).toBeUndefined();
  });

  test('leaves an open job alone, however old', async () => {
    const service = await aServiceWithAnEndedJob();
    const open = aJob({ jobId: 'still-open' });
    await service.jobs.insert(open, workOfJob(open));
    service.clock.jump(1000 * DAY_MS);
    await purgeJobs(service, 90)();
    expect(await service.jobs.find(open)).toBeDefined();
    expect(await service.jobs.findWork(open)).toBeDefined();
  });
});
