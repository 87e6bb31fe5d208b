import { describe, expect, test } from '@jest/globals';
import { insightIdOf } from '../../shared/insights/insightId.js';
import { ended, type Job } from '../../shared/jobs/job.js';
import type { EndedEntry, EndedJob } from '../../shared/jobs/jobPorts.js';
import { purgeJobs } from '../../shared/jobs/purgeJobs.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';

const DAY_MS = 86_400_000;

/** A store in which a deletion that was cut short may have left an entry without its job. */
class HalfPurgedStore extends TableJobStore {
  leftover: EndedEntry | undefined;

  override async *listEndedBefore(bucket: number, instant: number): AsyncIterable<EndedEntry> {
    yield* super.listEndedBefore(bucket, instant);
    if (bucket === 0 && this.leftover !== undefined) yield this.leftover;
  }

  override forget(ended: readonly EndedJob[]): Promise<void> {
    if (ended.some(({ jobId }) => jobId === this.leftover?.jobId)) this.leftover = undefined;
    return super.forget(ended);
  }
}

async function aServiceWithAnEndedJob() {
  const clock = new ManualClock();
  const jobs = new HalfPurgedStore(new MemoryRows());
  const removed: string[] = [];
  const insights = {
    put: () => Promise.resolve(),
    find: () => Promise.resolve(undefined),
    findFile: () => Promise.resolve(undefined),
    remove: (_tenant: string, insightId: string) => {
      removed.push(insightId);
      return Promise.resolve();
    },
  };
  const now = clock.now().getTime();
  const job: Job = {
    tenant: 'tenant-a',
    solution: 'partnerAgPowered.gdd',
    jobId: 'spring-corn',
    e2eId: 'e',
    status: 'WAITING',
    parameters: {},
    createdAt: now,
    lastActionAt: now,
    attempt: 1,
    epoch: 0,
  };
  await jobs.insert(job);
  await jobs.end((await jobs.find(job))!, ended(job, { status: 'SUCCEEDED', insightId: insightIdOf(job) }, now));
  return { clock, jobs, insights, removed, job };
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
    const later: Job = { ...service.job, createdAt: now, lastActionAt: now };
    await jobs.insert(later);
    expect(await purgeJobs(service, 90)()).toBe(0);
    expect((await jobs.find(later))?.job).toEqual(later);
    expect(service.removed).toEqual([]);
  });

  describe('of a job that SUCCEEDED without something and was to run again', () => {
    const nights = 91 * DAY_MS;
    const withRerun = async (changes: Partial<Job>) => {
      const service = await aServiceWithAnEndedJob();
      const stored = (await service.jobs.find(service.job))!;
      const rerun = { dueAt: service.clock.now().getTime() + nights + DAY_MS, runs: 1, lacks: 'the forecast' };
      await service.jobs.end(stored, { ...stored.job, rerun, ...changes });
      service.clock.jump(nights);
      return service;
    };
    const lease = (until: number) => ({ lease: { token: 't', until } });
    const begin = new ManualClock().now().getTime();

    test('takes it off the index of open jobs first', async () => {
      const service = await withRerun({});
      expect(await purgeJobs(service, 90)()).toBe(1);
      expect(await service.jobs.findOpen(service.job)).toBeUndefined();
    });

    test('waits for another night while it runs', async () => {
      const service = await withRerun(lease(begin + nights + 1));
      expect(await purgeJobs(service, 90)()).toBe(0);
      expect(service.removed).toEqual([]);
      service.clock.jump(1);
      expect(await purgeJobs(service, 90)()).toBe(1);
    });

    test('leaves it to whoever has begun to run it in this moment', async () => {
      const service = await withRerun({});
      service.jobs.end = () => Promise.resolve(false);
      expect(await purgeJobs(service, 90)()).toBe(0);
      expect(service.removed).toEqual([]);
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
    await service.jobs.insert({ ...service.job, jobId: 'still-open' });
    service.clock.jump(1000 * DAY_MS);
    await purgeJobs(service, 90)();
    expect(await service.jobs.find({ ...service.job, jobId: 'still-open' })).toBeDefined();
  });
});
