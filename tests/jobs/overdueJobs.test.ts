/** Jobs that should have moved: what a sweep, a fetch and a poisoned message do about them. */
import { describe, expect, test } from '@jest/globals';
import { gddFaults } from '../../shared/errors/catalogue.js';
import { failPoisonedJob } from '../../shared/jobs/failPoisonedJob.js';
import { fetchJob } from '../../shared/jobs/fetchJob.js';
import { LOST_MESSAGE_MS, MAX_ATTEMPTS, type Job } from '../../shared/jobs/job.js';
import { workLineOf } from '../../shared/jobs/line.js';
import { reviveJob } from '../../shared/jobs/reviveJob.js';
import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import { sweepLines } from '../../shared/jobs/sweepLines.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryJobQueue } from '../support/memoryJobQueue.js';
import { MemoryRows } from '../support/memoryRows.js';
import { memoryLines } from '../support/memoryLines.js';
import { aJob, START } from './aJob.js';

const line = workLineOf(aJob());
const lease = { token: 't', until: START + 60_000 };

/** A queue whose head is as old as it is told. */
class StandingQueue extends MemoryJobQueue {
  headDueAt: number | undefined;
  asked = 0;

  override servedUntil(now: number): Promise<number> {
    this.asked += 1;
    return Promise.resolve(Math.min(now, this.headDueAt ?? now));
  }
}

async function aServiceWith(...jobs: readonly Partial<Job>[]) {
  const clock = new ManualClock();
  const store = new TableJobStore(new MemoryRows());
  const queue = new StandingQueue(clock);
  const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
  const events: string[] = [];
  const log = (event: string): void => void events.push(event);
  for (const job of jobs) await store.insert(aJob(job));
  const ports = { jobs: store, jobQueues, clock, log, ...memoryLines({ jobQueues, clock }, () => 1) };
  const told = () => queue.sent.map(({ key }) => key.jobId);
  const open = async () => (await store.findOpen(aJob()))?.checkAt;
  return { ...ports, queue, events, told, open };
}

describe('a sweep', () => {
  test('sends the message of a job again that is two minutes late, once', async () => {
    const service = await aServiceWith({});
    service.clock.jump(LOST_MESSAGE_MS - 1);
    expect(await sweepJobs(service)()).toEqual({ enqueued: 0, failed: 0, 'not due': 0 });
    service.clock.jump(1);
    expect(await sweepJobs(service)()).toEqual({ enqueued: 1, failed: 0, 'not due': 0 });
    expect(service.told()).toEqual(['spring-corn']);
    expect(await sweepJobs(service)()).toEqual({ enqueued: 0, failed: 0, 'not due': 0 });
  });

  test('sends none while the queue has not come as far: late is not lost', async () => {
    const service = await aServiceWith({});
    service.clock.jump(10 * LOST_MESSAGE_MS);
    service.queue.headDueAt = START + LOST_MESSAGE_MS - 1;
    expect(await sweepJobs(service)()).toEqual({ enqueued: 0, failed: 0, 'not due': 1 });
    service.queue.headDueAt = START + LOST_MESSAGE_MS;
    expect(await sweepJobs(service)()).toMatchObject({ enqueued: 1 });
  });

  test('asks each queue how far it has come once, however many jobs are late', async () => {
    const service = await aServiceWith({ jobId: 'a' }, { jobId: 'b' }, { jobId: 'c' });
    service.clock.jump(LOST_MESSAGE_MS);
    expect(await sweepJobs(service)()).toMatchObject({ enqueued: 3 });
    expect(service.queue.asked).toBe(1);
  });

  test('ends a job FAILED that has no attempt left', async () => {
    const service = await aServiceWith({ attempt: MAX_ATTEMPTS, lease, failure: 'GDD-05005: away' });
    service.clock.jump(60_000);
    expect(await sweepJobs(service)()).toMatchObject({ failed: 1 });
    expect((await service.jobs.find(aJob()))?.job).toMatchObject({ status: 'FAILED', failure: 'GDD-05005: away' });
  });

  test('takes what has no job, or nothing to be done about, off the index', async () => {
    const service = await aServiceWith();
    await service.jobs.putOpen(aJob(), START);
    expect(await sweepJobs(service)()).toMatchObject({ 'not due': 1 });
    expect(await service.open()).toBeUndefined();
    await service.jobs.insert(aJob({ status: 'SUCCEEDED', endedAt: START }));
    await service.jobs.putOpen(aJob(), START);
    await sweepJobs(service)();
    expect([await service.open(), service.told()]).toEqual([undefined, []]);
  });

  test('moves the look at a job that is worked on to the end of its lease', async () => {
    const service = await aServiceWith({ status: 'RUNNING', attempt: 1, lease });
    await service.jobs.putOpen(aJob(), START);
    expect(await sweepJobs(service)()).toMatchObject({ 'not due': 1 });
    expect([await service.open(), service.told()]).toEqual([lease.until, []]);
  });

  test('leaves the ticket of a job again that stands in line, and looks again an hour later', async () => {
    const service = await aServiceWith({ parked: { line, askedAt: START }, lines: [line] });
    await service.lines.take(line, { ...aJob(), jobId: 'ahead', askedAt: START - 1 });
    service.clock.jump(LOST_MESSAGE_MS);
    expect(await sweepJobs(service)()).toMatchObject({ 'not due': 1 });
    expect([service.told(), await service.lineStore.waiting()]).toEqual([[], 1]);
    expect(await service.open()).toBe(START + LOST_MESSAGE_MS + 60 * 60_000);
  });

  test('sends the message of a worker that died, wherever the queue stands', async () => {
    const service = await aServiceWith({ status: 'RUNNING', attempt: 1, lease });
    service.clock.jump(lease.until - START);
    const open = (await service.jobs.findOpen(aJob()))!;
    expect(await reviveJob(service)(open, { servedUntil: START - 1 })).toBe('enqueued');
  });

  test('that comes second to an overdue job leaves it to the first', async () => {
    const service = await aServiceWith({});
    service.clock.jump(LOST_MESSAGE_MS);
    const open = (await service.jobs.findOpen(aJob()))!;
    const surroundings = { servedUntil: service.clock.now().getTime() };
    expect(await reviveJob(service)(open, surroundings)).toBe('enqueued');
    expect(await reviveJob(service)(open, surroundings)).toBe('not due');
    expect(service.told()).toEqual(['spring-corn']);
  });
});

describe('a sweep of the lines', () => {
  const placed = async (...jobs: readonly Partial<Job>[]) => {
    const service = await aServiceWith(...jobs);
    await service.lines.take(line, { ...aJob(), askedAt: START });
    await service.lines.take(line, { ...aJob(), jobId: 'next', askedAt: START + 1 });
    const holders = async () => (await service.lineStore.read(line, 9)).state.holders;
    return { ...service, holders };
  };
  const atWork = { status: 'RUNNING', attempt: 1, lease: { token: 't', until: START + 3_600_000 } } as const;

  test('hands on the place of a job that has ended, and of one that is not there', async () => {
    for (const jobs of [[{ status: 'SUCCEEDED', endedAt: START } as const], []]) {
      const service = await placed(...jobs);
      service.clock.jump(LOST_MESSAGE_MS);
      expect(await sweepLines(service)()).toEqual({ lines: 1, left: 1 });
      expect(await service.holders()).toMatchObject([{ jobId: 'next' }]);
      expect(service.told()).toEqual(['next']);
    }
  });

  test('looks at nobody before a message would be late, or before the queue has come as far', async () => {
    const service = await placed();
    service.clock.jump(LOST_MESSAGE_MS - 1);
    expect(await sweepLines(service)()).toEqual({ lines: 1, left: 0 });
    service.clock.jump(LOST_MESSAGE_MS);
    service.queue.headDueAt = START + LOST_MESSAGE_MS - 1;
    expect(await sweepLines(service)()).toEqual({ lines: 1, left: 0 });
    service.queue.headDueAt = START + LOST_MESSAGE_MS;
    expect(await sweepLines(service)()).toEqual({ lines: 1, left: 1 });
  });

  test('leaves its place to a job that is at work, and looks again ten minutes later', async () => {
    const service = await placed(atWork);
    service.clock.jump(LOST_MESSAGE_MS);
    expect(await sweepLines(service)()).toEqual({ lines: 1, left: 0 });
    const now = service.clock.now().getTime();
    expect(await service.holders()).toMatchObject([{ jobId: 'spring-corn', checkAt: now + 5 * LOST_MESSAGE_MS }]);
    expect(service.told()).toEqual([]);
  });

  test('leaves its place to one that has SUCCEEDED and is at work again, until that is over', async () => {
    const ended = { status: 'SUCCEEDED', endedAt: START } as const;
    const cases = [
      { job: { ...ended, rerun: { dueAt: START, runs: 1 } }, left: 0 },
      { job: { ...ended, rerun: { dueAt: START + 86_400_000, runs: 1 }, lease: atWork.lease }, left: 0 },
      { job: { ...ended, rerun: { dueAt: START + 86_400_000, runs: 1 } }, left: 1 },
    ];
    for (const { job, left } of cases) {
      const service = await placed(job);
      service.clock.jump(LOST_MESSAGE_MS);
      expect(await sweepLines(service)()).toEqual({ lines: 1, left });
    }
  });

  test('sends the message of a job that has its place and whose message got lost', async () => {
    const service = await placed({ parked: { line, askedAt: START }, lines: [line] });
    service.clock.jump(LOST_MESSAGE_MS);
    await sweepLines(service)();
    expect(service.told()).toEqual(['spring-corn']);
  });

  test('sends none to a job that has its place and whose message the queue has not come to yet', async () => {
    const service = await placed({ dueAt: START + 60_000 });
    service.clock.jump(2 * LOST_MESSAGE_MS);
    service.queue.headDueAt = START + LOST_MESSAGE_MS + 30_000;
    expect(await sweepLines(service)()).toEqual({ lines: 1, left: 0 });
    expect(service.told()).toEqual([]);
    service.queue.headDueAt = START + LOST_MESSAGE_MS + 60_000;
    service.clock.jump(5 * LOST_MESSAGE_MS);
    await sweepLines(service)();
    expect(service.told()).toEqual([]);
    service.queue.headDueAt = undefined;
    await sweepLines(service)();
    expect(service.told()).toEqual(['spring-corn']);
  });

  test('goes on with the other lines when one makes trouble', async () => {
    const service = await placed();
    const other = workLineOf({ tenant: 'tenant-b', solution: 'partnerAgPowered.gdd' });
    await service.lines.take(other, { ...aJob({ tenant: 'tenant-b' }), askedAt: START });
    service.clock.jump(LOST_MESSAGE_MS);
    const fill = service.lines.fill.bind(service.lines);
    const lines = {
      ...service.lines,
      fill: ((name, change) => (name === line ? Promise.reject(new Error('away')) : fill(name, change))) as typeof fill,
    };
    expect(await sweepLines({ ...service, lines })()).toEqual({ lines: 2, left: 1 });
    expect(service.events).toEqual(['Line:SweepFailed']);
  });
});

describe('a fetch', () => {
  const fetch = (service: Awaited<ReturnType<typeof aServiceWith>>) => fetchJob(service, gddFaults.unknownJob)(aJob());

  test('of a job that nobody has created names its id', async () => {
    await expect(fetch(await aServiceWith())).rejects.toThrow('spring-corn');
  });

  test('wakes a job whose message is lost, as a sweep does', async () => {
    const service = await aServiceWith({});
    service.clock.jump(LOST_MESSAGE_MS - 1);
    await fetch(service);
    expect([service.told(), service.queue.asked]).toEqual([[], 0]);
    service.clock.jump(1);
    await fetch(service);
    await fetch(service);
    expect(service.told()).toEqual(['spring-corn']);
  });

  test('wakes no job of which the queue has not come as far', async () => {
    const service = await aServiceWith({});
    service.clock.jump(10 * LOST_MESSAGE_MS);
    service.queue.headDueAt = START + LOST_MESSAGE_MS - 1;
    await fetch(service);
    expect(service.told()).toEqual([]);
    service.queue.headDueAt = START + LOST_MESSAGE_MS;
    await fetch(service);
    expect(service.told()).toEqual(['spring-corn']);
  });

  test('asks nothing about a job that has ended, or that somebody has looked at since', async () => {
    const ended = await aServiceWith({ status: 'SUCCEEDED', endedAt: START });
    ended.clock.jump(10 * LOST_MESSAGE_MS);
    await fetch(ended);
    const looked = await aServiceWith({});
    looked.clock.jump(LOST_MESSAGE_MS);
    await looked.jobs.putOpen(aJob(), looked.clock.now().getTime() + 1);
    await fetch(looked);
    expect([ended.queue.asked, looked.queue.asked, looked.told()]).toEqual([0, 0, []]);
  });

  test('answers all the same when the job cannot be woken', async () => {
    const service = await aServiceWith({});
    service.clock.jump(LOST_MESSAGE_MS);
    service.jobs.findOpen = () => Promise.reject(new Error('away'));
    expect(await fetch(service)).toMatchObject({ jobId: 'spring-corn' });
  });
});

describe('a message that the host has given up', () => {
  const handled = async (...jobs: readonly Partial<Job>[]) => {
    const service = await aServiceWith(...jobs);
    await failPoisonedJob(service)(aJob());
    return { ...service, status: (await service.jobs.find(aJob()))?.job.status };
  };

  test.each([
    { why: 'of a job with attempts left is sent again', job: {}, status: 'WAITING', told: ['spring-corn'] },
    { why: 'of one without ends it', job: { attempt: MAX_ATTEMPTS, failure: 'x' }, status: 'FAILED', told: [] },
    { why: 'of one that is worked on is dropped', job: { status: 'RUNNING', lease }, status: 'RUNNING', told: [] },
    { why: 'of one that has ended is dropped', job: { status: 'CANCELLED' }, status: 'CANCELLED', told: [] },
  ] as const)('$why', async ({ job, status, told }) => {
    const service = await handled(job);
    expect([service.status, service.told()]).toEqual([status, told]);
  });

  test('of no job is dropped', async () => {
    const service = await handled();
    expect([service.told(), service.events]).toEqual([[], []]);
  });

  test('is not thrown back when storage is away: the host would bring it for ever', async () => {
    const service = await aServiceWith({});
    service.jobs.find = () => Promise.reject(new Error('away'));
    await failPoisonedJob(service)(aJob());
    expect(service.events).toEqual(['Job:PoisonNotHandled']);
  });
});
