import { describe, expect, test } from '@jest/globals';
import { insightIdOf } from '../../shared/insights/insightId.js';
import type { Job } from '../../shared/jobs/job.js';
import { withdrawInsight } from '../../shared/jobs/withdrawInsight.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';
import { aJob, START } from './aJob.js';

const cancelled = aJob({ status: 'CANCELLED', withdrawAt: START });

async function aServiceWith(job: Job) {
  const jobs = new TableJobStore(new MemoryRows());
  await jobs.insert(job);
  const events: { event: string; facts: object }[] = [];
  const asked: { insightId: string; isWanted: () => Promise<boolean> }[] = [];
  const state = { isAway: false };
  const abandoned: string[] = [];
  const publishInsight = {
    publish: () => Promise.resolve(),
    findKept: () => Promise.resolve(undefined),
    publishKept: () => Promise.resolve(false),
    abandon: (_job: Job, insightId: string) => Promise.resolve(void abandoned.push(insightId)),
    withdraw: (_job: Job, insightId: string, isWanted: () => Promise<boolean>) => {
      if (state.isAway) return Promise.reject(new Error('the data manager is away'));
      asked.push({ insightId, isWanted });
      return Promise.resolve();
    },
  };
  const log = (event: string, facts: object): void => void events.push({ event, facts });
  const ports = { jobs, publishInsight, clock: new ManualClock(), random: () => 0.5, log };
  const isOnIndex = async () => (await jobs.findOpen(job)) !== undefined;
  return { ...ports, asked, abandoned, events, state, isOnIndex, withdraw: withdrawInsight(ports, 24) };
}

describe('what a job without success has published', () => {
  test('is taken back, and the job leaves the index of open jobs', async () => {
    const { withdraw, asked, isOnIndex } = await aServiceWith(cancelled);
    await withdraw(cancelled);
    expect(asked.map(({ insightId }) => insightId)).toEqual([insightIdOf(cancelled)]);
    expect(await isOnIndex()).toBe(false);
  });

  test('stays while its attempt may still write', async () => {
    const later = { ...cancelled, withdrawAt: START + 1 };
    const { withdraw, asked, clock } = await aServiceWith(later);
    await withdraw(later);
    expect(asked).toEqual([]);
    clock.jump(1);
    await withdraw(later);
    expect(asked).toHaveLength(1);
  });

  test('is nothing for a job that has nothing to take back, or of which somebody has done so', async () => {
    const { withdraw, asked, jobs } = await aServiceWith(cancelled);
    await withdraw(aJob({ status: 'SUCCEEDED' }));
    await jobs.dropOpen((await jobs.findOpen(cancelled))!);
    await withdraw(cancelled);
    expect(asked).toEqual([]);
  });

  test('is tried again at the next look when the data manager is away', async () => {
    const { withdraw, state, events, isOnIndex } = await aServiceWith(cancelled);
    state.isAway = true;
    await withdraw(cancelled);
    const { tenant, solution, jobId } = cancelled;
    const cause = expect.stringContaining('away');
    expect(events).toEqual([{ event: 'Job:NotWithdrawn', facts: { tenant, solution, jobId, cause } }]);
    expect(await isOnIndex()).toBe(true);
  });

  test('is asked for after pauses that double from two minutes, of which the half is left to chance', async () => {
    const { withdraw, state, jobs, clock } = await aServiceWith(cancelled);
    state.isAway = true;
    const pauses: number[] = [];
    for (let look = 0; look < 10; look += 1) {
      await withdraw(cancelled);
      const { checkAt } = (await jobs.findOpen(cancelled))!;
      pauses.push((checkAt - clock.now().getTime()) / 60_000);
      clock.jump(1);
    }
    expect(pauses).toEqual([1.5, 3, 6, 12, 24, 48, 96, 192, 270, 270]);
  });

  test('is given up a day after the first refusal, whenever that was: our record goes, and one line tells', async () => {
    const { withdraw, state, abandoned, events, clock, isOnIndex } = await aServiceWith(cancelled);
    clock.jump(3 * 86_400_000);
    state.isAway = true;
    await withdraw(cancelled);
    clock.jump(86_400_000 - 1);
    await withdraw(cancelled);
    expect([abandoned, await isOnIndex()]).toEqual([[], true]);
    clock.jump(1);
    await withdraw(cancelled);
    expect([abandoned, await isOnIndex()]).toEqual([[insightIdOf(cancelled)], false]);
    expect(events.map(({ event }) => event)).toEqual(['Job:NotWithdrawn', 'Job:NotWithdrawn', 'Job:WithdrawalGivenUp']);
  });

  test('is given up without touching what the job has published since it was opened again', async () => {
    const { withdraw, state, abandoned, clock, jobs } = await aServiceWith(cancelled);
    state.isAway = true;
    await withdraw(cancelled);
    clock.jump(86_400_000);
    await jobs.replace((await jobs.find(cancelled))!, { ...cancelled, createdAt: START + 1 });
    await withdraw(cancelled);
    expect(abandoned).toEqual([]);
  });

  test('is left alone once an operator has opened the job again, its id was used anew or it was deleted', async () => {
    const { withdraw, asked, jobs } = await aServiceWith(cancelled);
    await withdraw(cancelled);
    const [{ isWanted } = { isWanted: () => Promise.resolve(false) }] = asked;
    expect(await isWanted()).toBe(true);
    await jobs.replace((await jobs.find(cancelled))!, { ...cancelled, createdAt: START + 1 });
    expect(await isWanted()).toBe(false);
    await jobs.replace((await jobs.find(cancelled))!, aJob());
    expect(await isWanted()).toBe(false);
    jobs.find = () => Promise.resolve(undefined);
    expect(await isWanted()).toBe(false);
  });
});
