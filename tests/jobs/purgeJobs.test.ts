import { describe, expect, test } from '@jest/globals';
import { insightIdOf } from '../../shared/insights/insightId.js';
import { ended, type Job } from '../../shared/jobs/job.js';
import { purgeJobs } from '../../shared/jobs/purgeJobs.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryJobStore } from '../support/memoryJobStore.js';

const DAY_MS = 86_400_000;

async function aServiceWithAnEndedJob() {
  const clock = new ManualClock();
  const jobs = new MemoryJobStore();
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

  test('leaves an open job alone, however old', async () => {
    const service = await aServiceWithAnEndedJob();
    await service.jobs.insert({ ...service.job, jobId: 'still-open' });
    service.clock.jump(1000 * DAY_MS);
    await purgeJobs(service, 90)();
    expect(await service.jobs.find({ ...service.job, jobId: 'still-open' })).toBeDefined();
  });
});
