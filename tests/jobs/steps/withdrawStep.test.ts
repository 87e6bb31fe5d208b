import { describe, expect, test } from '@jest/globals';
import { insightIdOf } from '../../../shared/jobs/steps/insightId.js';
import type { PublishInsight } from '../../../shared/jobs/steps/publishPort.js';
import { newItem, waiting } from '../../../shared/work/item/workItem.js';
import { isEnded, workOf, type Job } from '../../../shared/jobs/job.js';
import { JobsInMemory } from '../../support/jobsInMemory.js';
import { aJob, START } from '../aJob.js';
import { succeeds } from '../works.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const cancelled = aJob({ status: 'CANCELLED', epoch: START });

/** A service with a job of which something is to be taken back from `from` on, and a data manager that may be away. */
async function aServiceWith(job: Job, from = START) {
  const service = new JobsInMemory(succeeds);
  const item = waiting(newItem(workOf(job), START, job.epoch), { until: from, hasProgress: true }, START);
  await service.jobs.insert(job, item);
  const asked: { insightId: string; isWanted: () => Promise<boolean>; epoch: number }[] = [];
  const state = { isAway: false };
  const withdraw: PublishInsight['withdraw'] = ({ epoch }, insightId, isWanted) => {
    if (state.isAway) return Promise.reject(new Error('the data manager is away'));
    asked.push({ insightId, isWanted, epoch });
    return Promise.resolve();
  };
  service.publication.withdraw = withdraw;
  return { service, asked, state, abandoned: service.publication.abandoned };
}

describe('what a job without success has published', () => {
  test('is taken back, with a higher token than any attempt had, and nothing is left to be done', async () => {
    const { service, asked } = await aServiceWith(cancelled);
    await service.run();
    expect(asked.map(({ insightId }) => insightId)).toEqual([insightIdOf(cancelled)]);
    expect(asked[0]!.epoch).toBeGreaterThan(cancelled.epoch);
    expect(await service.item()).toBeUndefined();
    expect(await service.job()).toMatchObject({ status: 'CANCELLED', epoch: asked[0]!.epoch });
  });

  test('stays while its attempt may still write', async () => {
    const { service, asked } = await aServiceWith(cancelled, START + 1);
    await service.run();
    expect(asked).toEqual([]);
    service.clock.jump(1);
    await service.run();
    expect(asked).toHaveLength(1);
  });

  test.each([
    { why: 'of a job that SUCCEEDED', job: aJob({ status: 'SUCCEEDED', epoch: START }) },
    { why: 'of a job that no attempt ever had', job: aJob({ status: 'CANCELLED' }) },
  ])('is nothing $why: its work is done', async ({ job }) => {
    const { service, asked } = await aServiceWith(job);
    await service.run();
    expect([asked, await service.item()]).toEqual([[], undefined]);
  });

  test('is asked for after pauses that double from two minutes, of which the half is left to chance', async () => {
    const { service, state } = await aServiceWith(cancelled);
    state.isAway = true;
    const pauses: number[] = [];
    for (let look = 0; look < 10; look += 1) {
      await service.run();
      const pauseMs = (await service.item())!.notBefore - service.now();
      pauses.push(pauseMs / MINUTE_MS);
      service.clock.jump(pauseMs);
    }
    expect(pauses).toEqual([1.5, 3, 6, 12, 24, 48, 96, 192, 270, 270]);
    expect(service.factsOf('Work:AttemptFailed')).toMatchObject({
      kind: 'gdd',
      id: 'spring-corn',
      step: 'withdraw',
      failure: 'the data manager is away',
    });
  });

  test('is given up a day after the first refusal, whenever that was: our record goes, and one line tells', async () => {
    const { service, state, abandoned } = await aServiceWith(cancelled, START + 3 * DAY_MS);
    state.isAway = true;
    service.clock.jump(3 * DAY_MS);
    const first = service.now();
    while ((await service.item()) !== undefined) {
      expect(abandoned).toEqual([]);
      await service.run();
      const { notBefore = service.now() } = (await service.item()) ?? {};
      service.clock.jump(notBefore - service.now());
    }
    expect(service.now() - first).toBe(DAY_MS);
    expect(abandoned).toEqual([insightIdOf(cancelled)]);
    expect(service.events.filter((event) => event === 'Job:WithdrawalGivenUp')).toHaveLength(1);
    expect(service.factsOf('Job:WithdrawalGivenUp')).toMatchObject({ hours: 24 });
  });

  test('is left alone once an operator has opened the job again, its id was used anew or it was deleted', async () => {
    const failed = aJob({ status: 'FAILED', epoch: START, failure: 'GDD-05000: x' });
    const { service, asked } = await aServiceWith(failed);
    service.publication.withdraw = async (job, insightId, isWanted) => {
      asked.push({ insightId, isWanted, epoch: job.epoch });
      expect(await isWanted()).toBe(true);
      await service.redrive();
      expect(await isWanted()).toBe(false);
    };
    await service.run();
    expect(service.events).toContain('Work:AttemptLost');
    expect(isEnded(await service.job())).toBe(false);
    const [{ isWanted }] = asked as [(typeof asked)[0]];
    service.jobs.find = () => Promise.resolve({ job: aJob({ createdAt: START + 1 }), etag: 'of another job' });
    expect(await isWanted()).toBe(false);
    service.jobs.find = () => Promise.resolve(undefined);
    expect(await isWanted()).toBe(false);
  });
});
