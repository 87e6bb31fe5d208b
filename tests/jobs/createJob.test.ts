import { describe, expect, test } from '@jest/globals';
import { gddFaults } from '../../shared/errors/catalogue.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { createJob } from '../../shared/jobs/createJob.js';
import { endJob } from '../../shared/jobs/endJob.js';
import type { Job } from '../../shared/jobs/job.js';
import { workLineOf } from '../../shared/jobs/line.js';
import { jobIdOf } from '../../shared/jobs/solution.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryJobQueue } from '../support/memoryJobQueue.js';
import { MemoryRows } from '../support/memoryRows.js';
import { memoryLines } from '../support/memoryLines.js';
import { aJob, START } from './aJob.js';

const { tenant, solution, jobId } = aJob();
const key = { tenant, solution, jobId };
const line = workLineOf(key);
const cancelFaults = { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable };

/** @param places jobs of a tenant that may be at work; half of them pass without standing in line */
function aService(places = 1_000) {
  const clock = new ManualClock();
  const queue = new MemoryJobQueue(clock);
  const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
  const events: { event: string; facts: object }[] = [];
  const log = (event: string, facts: object): void => void events.push({ event, facts });
  const { lines, lineStore } = memoryLines({ jobQueues, clock }, () => places);
  const ports = {
    jobs: new TableJobStore(new MemoryRows()),
    jobQueues,
    lines,
    lineStore,
    clock,
    newId: () => 'an-id',
    log,
  };
  const create = (admit?: () => Promise<void>): Promise<Job> =>
    createJob(ports)({
      key,
      parameters: { crop: 'CORN' },
      exists: gddFaults.jobExists,
      ...(admit === undefined ? {} : { admit }),
    });
  return { ...ports, queue, events, create };
}

describe('a create', () => {
  test('stores a WAITING job and tells the workers', async () => {
    const { create, queue, jobs } = aService();
    const job = await create();
    expect(job).toEqual({
      ...key,
      e2eId: 'an-id',
      status: 'WAITING',
      parameters: { crop: 'CORN' },
      createdAt: START,
      lastActionAt: START,
      attempt: 0,
      epoch: 0,
    });
    expect((await jobs.find(key))?.job).toEqual(job);
    expect(queue.sent).toEqual([{ key, delayMs: 0 }]);
  });

  test('of one job too many at work leaves a ticket, and sends no message before its turn', async () => {
    const { create, queue, lineStore, jobs } = aService(0);
    const { parked, lines } = await create();
    expect([parked, lines]).toEqual([{ line, askedAt: START }, [line]]);
    expect([queue.sent, await lineStore.waiting()]).toEqual([[], 1]);
    expect((await jobs.find(key))?.job.parked).toEqual({ line, askedAt: START });
  });

  test.each([1_000, 0])('is accepted though nobody can be told of it: the sweep will (%s places)', async (places) => {
    const { create, queue, lineStore } = aService(places);
    queue.enqueue = () => Promise.reject(new Error('away'));
    lineStore.ask = () => Promise.reject(new Error('away'));
    expect(await create()).toMatchObject({ status: 'WAITING' });
  });

  test('of an id that is taken is refused, and changes nothing', async () => {
    const { create, jobs, queue } = aService();
    await create();
    const before = await jobs.find(key);
    await expect(create()).rejects.toMatchObject({ fault: gddFaults.jobExists });
    expect(await jobs.find(key)).toEqual(before);
    expect(queue.sent).toHaveLength(1);
  });

  test('asks for admission only for an id that is free, and stores nothing when refused', async () => {
    const { create, jobs } = aService();
    await expect(create(() => Promise.reject(new Error('no licence')))).rejects.toThrow('no licence');
    expect(await jobs.find(key)).toBeUndefined();
    let asked = 0;
    const admit = (): Promise<void> => Promise.resolve(void (asked += 1));
    await create(admit);
    await expect(create(admit)).rejects.toMatchObject({ fault: gddFaults.jobExists });
    expect(asked).toBe(1);
  });
});

describe('the end of a job', () => {
  test('is said once, with how long it took since the create', async () => {
    const { create, jobs, events, clock, ...ports } = aService();
    await create();
    clock.jump(2_500);
    const stored = (await jobs.find(key))!;
    expect(
      await endJob({ ...ports, jobs, clock })(stored, { status: 'FAILED', failure: 'GDD-05000: x' }),
    ).toBeDefined();
    expect(await endJob({ ...ports, jobs, clock })(stored, { status: 'CANCELLED' })).toBeUndefined();
    const facts = { ...key, attempt: 0, seconds: 2.5, outcome: 'FAILED', failure: 'GDD-05000: x' };
    expect(events).toEqual([{ event: 'Job:Failed', facts }]);
  });

  test('without a failure names none', async () => {
    const { create, jobs, events, ...ports } = aService();
    await create();
    await endJob({ ...ports, jobs })((await jobs.find(key))!, { status: 'CANCELLED' });
    expect(events).toEqual([
      { event: 'Job:Cancelled', facts: { ...key, attempt: 0, seconds: 0, outcome: 'CANCELLED' } },
    ]);
  });

  test('stands though its place cannot be given back: the sweep finds it', async () => {
    const { create, jobs, events, ...ports } = aService();
    await create();
    const lines = { leaveAll: () => Promise.reject(new Error('storage is away')) };
    expect(await endJob({ ...ports, jobs, lines })((await jobs.find(key))!, { status: 'CANCELLED' })).toBeDefined();
    expect(events.at(-1)).toEqual({
      event: 'Job:PlaceNotLeft',
      facts: { ...key, cause: expect.stringContaining('storage is away') },
    });
  });
});

describe('a cancel', () => {
  test('tries again while others write, and gives up after ten', async () => {
    const { create, jobs, ...ports } = aService();
    await create();
    let tries = 0;
    const end = jobs.end.bind(jobs);
    jobs.end = (stored, next) => ((tries += 1) < 10 ? Promise.resolve(false) : end(stored, next));
    expect(await cancelJob({ ...ports, jobs }, cancelFaults)(key)).toMatchObject({ status: 'CANCELLED' });
    const other = aService();
    await other.create();
    other.jobs.end = () => Promise.resolve(false);
    await expect(cancelJob(other, cancelFaults)(key)).rejects.toThrow('10 times');
  });
});

test('the id of a job is the last segment of its request path', () => {
  expect(jobIdOf('/v1/gdd/spring-corn')).toBe('spring-corn');
});
