import { describe, expect, test } from '@jest/globals';
import { gddFaults, gddJobFaults } from '../../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../../shared/kit/errors/serviceError.js';
import { workOf } from '../../../shared/jobs/job.js';
import { jobIdOf } from '../../../shared/jobs/operations/solution.js';
import { jobsLaneOf } from '../../../shared/work/lanes/lane.js';
import { LOST_MESSAGE_MS } from '../../../shared/work/item/workItem.js';
import { JobsInMemory, jobKeyUnderTest as key } from '../../support/jobsInMemory.js';
import { START } from '../aJob.js';
import { succeeds } from '../works.js';

const lane = jobsLaneOf(workOf(key));

/** @param slots jobs of a tenant that may be at work; half of them pass without standing in the lane */
function aService(slots = 1_000, work = succeeds): JobsInMemory {
  const instance = new JobsInMemory(work);
  instance.kernel.slotsOf = () => slots;
  return instance;
}

describe('a create', () => {
  test('stores a WAITING job with its work, and tells the workers', async () => {
    const instance = aService();
    const job = await instance.create(key, { parameters: { crop: 'CORN' } });
    expect(job).toEqual({
      ...key,
      e2eId: 'id-1',
      status: 'WAITING',
      parameters: { crop: 'CORN' },
      createdAt: START,
      lastActionAt: START,
      epoch: 0,
    });
    expect(await instance.job()).toEqual(job);
    expect(await instance.item()).toMatchObject({ ...workOf(key), epoch: 0, attempts: 0, notBefore: 0 });
    expect(instance.kernel.sent).toEqual([{ v: 1, ...workOf(key), dueAt: START }]);
  });

  test('of one job too many at work leaves a ticket, and sends no message before its turn', async () => {
    const instance = aService(0);
    await instance.create();
    expect(await instance.item()).toMatchObject({ parked: { lane, askedAt: START }, lanes: [lane] });
    expect([instance.kernel.sent, await instance.kernel.waitingTickets()]).toEqual([[], 1]);
  });

  test.each([
    { slots: 1_000, told: { messages: 1, tickets: 0 } },
    { slots: 0, told: { messages: 0, tickets: 1 } },
  ])('is accepted though nobody can be told of it: the sweep does so ($slots slots)', async ({ slots, told }) => {
    const instance = aService(slots);
    const { messages, laneStore } = instance.kernel;
    const [send, ask] = [messages.send.bind(messages), laneStore.ask.bind(laneStore)];
    messages.send = () => Promise.reject(new Error('away'));
    laneStore.ask = () => Promise.reject(new Error('away'));
    expect(await instance.create()).toMatchObject({ status: 'WAITING' });
    messages.send = send;
    laneStore.ask = ask;
    await instance.clock.advance(LOST_MESSAGE_MS);
    await instance.kernel.sweep();
    const { sent } = instance.kernel;
    expect({ messages: sent.length, tickets: await instance.kernel.waitingTickets() }).toEqual(told);
  });

  test('of an id that is taken is refused, and changes nothing', async () => {
    const instance = aService();
    await instance.create();
    const before = instance.kernel.rows.all();
    await expect(instance.create()).rejects.toMatchObject({ fault: gddFaults.jobExists });
    expect(instance.kernel.rows.all()).toEqual(before);
    expect(instance.kernel.sent).toHaveLength(1);
  });

  test('asks for admission only for an id that is free, and stores nothing when refused', async () => {
    const instance = aService();
    const refuse = () => Promise.reject(new Error('no licence'));
    await expect(instance.create(key, { admit: refuse })).rejects.toThrow('no licence');
    expect(instance.kernel.rows.all()).toEqual([]);
    let asked = 0;
    const admit = (): Promise<void> => Promise.resolve(void (asked += 1));
    await instance.create(key, { admit });
    await expect(instance.create(key, { admit })).rejects.toMatchObject({ fault: gddFaults.jobExists });
    expect(asked).toBe(1);
  });
});

describe('the end of a job', () => {
  const ends = ({ kernel }: JobsInMemory) => kernel.logged.filter(({ event }) => event.startsWith('Job:'));

  test('is said once, with how long it took since the create and how many attempts', async () => {
    const fails = () => Promise.reject(new JobFailure(gddJobFaults.fieldNotFound, 'x'));
    const instance = aService(1_000, fails);
    await instance.create();
    instance.clock.jump(2_500);
    await instance.run();
    await expect(instance.cancel()).rejects.toMatchObject({ fault: gddFaults.notCancellable });
    const failure = `${gddJobFaults.fieldNotFound.code}: x`;
    const facts = { ...key, attempt: 1, seconds: 2.5, outcome: 'FAILED', failure };
    expect(ends(instance)).toEqual([{ event: 'Job:Failed', facts }]);
  });

  test('without a failure names none', async () => {
    const instance = aService();
    await instance.create();
    await instance.cancel();
    const facts = { ...key, attempt: 0, seconds: 0, outcome: 'CANCELLED' };
    expect(ends(instance)).toEqual([{ event: 'Job:Cancelled', facts }]);
  });

  test('stands though its ticket cannot be taken back', async () => {
    const instance = aService(0);
    await instance.create();
    instance.kernel.laneStore.read = () => Promise.reject(new Error('storage is away'));
    expect(await instance.cancel()).toMatchObject({ status: 'CANCELLED' });
    expect(await instance.item()).toBeUndefined();
    await instance.clock.advance(200);
    const cause = expect.stringContaining('storage is away');
    expect(instance.kernel.logged.at(-1)).toEqual({
      event: 'Lane:NotFilled',
      facts: { lane: 'jobs|gdd', owner: 'tenant-a', cause },
    });
  });
});

describe('a cancel', () => {
  test('tries again while others write, and gives up after ten', async () => {
    const instance = aService();
    await instance.create();
    let tries = 0;
    const replace = instance.jobs.replace.bind(instance.jobs);
    instance.jobs.replace = (...write) => ((tries += 1) < 10 ? Promise.resolve(false) : replace(...write));
    expect(await instance.cancel()).toMatchObject({ status: 'CANCELLED' });
    const other = aService();
    await other.create();
    other.jobs.replace = () => Promise.resolve(false);
    await expect(other.cancel()).rejects.toMatchObject({ fault: { status: 503 } });
  });
});

test('the id of a job is the last segment of its request path', () => {
  expect(jobIdOf('/v1/gdd/spring-corn')).toBe('spring-corn');
});
