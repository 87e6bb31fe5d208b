import { beforeEach, describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../shared/dataManager/dataManager.js';
import { gddFaults, gddJobFaults } from '../../shared/errors/catalogue.js';
import { JobFailure } from '../../shared/errors/serviceError.js';
import { gddSolution } from '../../shared/gdd/gddSolution.js';
import type { Insight } from '../../shared/insights/insight.js';
import { insightIdOf } from '../../shared/insights/insightId.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { createJob } from '../../shared/jobs/createJob.js';
import { failPoisonedJob } from '../../shared/jobs/failPoisonedJob.js';
import { fetchJob } from '../../shared/jobs/fetchJob.js';
import { claimed, type Job, type JobKey } from '../../shared/jobs/job.js';
import { fetchedAnswer } from '../../shared/jobs/jobView.js';
import type { JobWork } from '../../shared/jobs/jobWork.js';
import { redriveJob } from '../../shared/jobs/redriveJob.js';
import { runJob } from '../../shared/jobs/runJob.js';
import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import { ForeignTenantRefusal } from '../../shared/tenants/foreignTenant.js';
import { TenantNotServed } from '../../shared/tenants/servedTenant.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryJobQueue } from '../support/memoryJobQueue.js';
import { MemoryRows } from '../support/memoryRows.js';
import { memoryLines } from '../support/memoryLines.js';
import { insightOf, succeeds } from './works.js';

const key: JobKey = { tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId: 'spring-corn' };
const LEASE_MS = 60_000;

const away = (): JobFailure => new JobFailure(gddJobFaults.weatherUnavailable, 'No weather source answered.');

/** What a fetch says of the job. */
const messageOf = (job: Job): unknown =>
  (fetchedAnswer(job, gddSolution, 0).json as { readonly message: string }).message;

/** The whole of one instance, with a queue that delivers when its delay is over. */
function anInstance(work: JobWork) {
  const clock = new ManualClock();
  const jobs = new TableJobStore(new MemoryRows());
  const queue = new MemoryJobQueue(clock);
  const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
  const published: string[] = [];
  const withdrawn: string[] = [];
  const events: string[] = [];
  let ids = 0;
  const ports = {
    jobs,
    jobQueues,
    ...memoryLines({ jobQueues, clock }),
    clock,
    newId: () => `id-${(ids += 1)}`,
    random: () => 0.5,
    log: (event: string) => void events.push(event),
    publishInsight: {
      publish: (_job: Job, { insightId }: Insight, _signal: AbortSignal) =>
        Promise.resolve(void published.push(insightId)),
      findKept: () => Promise.resolve({}),
      publishKept: (_job: Job, insightId: string) => {
        published.push(`kept ${insightId}`);
        return Promise.resolve(true);
      },
      abandon: () => Promise.resolve(),
      withdraw: async (_job: Job, insightId: string, isWanted: () => Promise<boolean>) => {
        if (await isWanted()) withdrawn.push(insightId);
      },
    },
  };
  const options = { work, faults: gddJobFaults, leaseMs: LEASE_MS, patienceHours: 24 };
  return {
    ...ports,
    queue,
    published,
    withdrawn,
    events,
    create: () => createJob(ports)({ key, parameters: {}, exists: gddFaults.jobExists }),
    run: () => runJob(ports, options)(key),
    cancel: () => cancelJob(ports, { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable })(key),
    job: async () => (await jobs.find(key))!.job,
    /** What happens in so many minutes without a caller: sweeps, and the messages they send. */
    sweepFor: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.jump(60_000);
        await sweepJobs(ports)();
        for (const { key: named } of queue.sent.splice(0)) await runJob(ports, options)(named);
      }
    },
    /** Runs every message in the order of its due time until none is left; returns how many there were. */
    drain: async () => {
      let count = 0;
      for (let message = queue.sent.shift(); message !== undefined; message = queue.sent.shift()) {
        clock.jump(message.delayMs);
        await runJob(ports, options)(message.key);
        count += 1;
      }
      return count;
    },
  };
}

describe('a job that is created', () => {
  test('waits, on the queue once', async () => {
    const instance = anInstance(succeeds);
    const job = await instance.create();
    expect(job).toMatchObject({ status: 'WAITING', attempt: 0, e2eId: 'id-1' });
    expect(instance.queue.sent).toEqual([{ key, delayMs: 0 }]);
  });

  test('is accepted although the queue is away, and the sweeper sends its message two minutes later', async () => {
    const instance = anInstance(succeeds);
    const enqueue = instance.queue.enqueue.bind(instance.queue);
    instance.queue.enqueue = () => Promise.reject(new Error('away'));
    await expect(instance.create()).resolves.toMatchObject({ status: 'WAITING' });
    instance.queue.enqueue = enqueue;
    expect(await sweepJobs(instance)()).toMatchObject({ enqueued: 0 });
    instance.clock.jump(120_000);
    expect(await sweepJobs(instance)()).toMatchObject({ enqueued: 1 });
    expect(await sweepJobs(instance)()).toMatchObject({ enqueued: 0 });
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('is refused under an id that is taken, and the first one stays', async () => {
    const instance = anInstance(succeeds);
    const first = await instance.create();
    await expect(instance.create()).rejects.toMatchObject({ fault: gddFaults.jobExists });
    expect((await instance.job()).e2eId).toBe(first.e2eId);
  });
});

describe('a job whose data manager is in an Entra tenant that has not consented', () => {
  test('is FAILED at once, and says what the administrator of that tenant has to do', async () => {
    const text = 'The Entra tenant of contoso gives this service no access. Its administrator has to consent.';
    const instance = anInstance(() => Promise.reject(new ForeignTenantRefusal(text)));
    await instance.create();
    await instance.run();
    const { status, failure } = await instance.job();
    expect([status, failure]).toEqual(['FAILED', `GDD-05010: ${text} Then create a new job.`]);
  });
});

describe('a job of a tenant that is not served', () => {
  const notServed: JobWork = () => Promise.reject(new TenantNotServed('Your tenant is disabled at this service.'));

  test('waits for it to be served again', async () => {
    let isServed = false;
    const instance = anInstance((...args) => (isServed ? succeeds(...args) : notServed(...args)));
    await instance.create();
    await instance.run();
    expect(await instance.job()).toMatchObject({ status: 'RUNNING', attempt: 1 });
    isServed = true;
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('is FAILED in the end, and says why', async () => {
    const instance = anInstance(notServed);
    await instance.create();
    await instance.drain();
    const { status, failure } = await instance.job();
    expect([status, failure]).toEqual([
      'FAILED',
      'GDD-05009: Your tenant is disabled at this service. Ask the operator of the service, then create the job again under a new id.',
    ]);
  });
});

describe('an attempt', () => {
  test('publishes the insight before the job says so', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    let statusWhilePublishing = '';
    instance.publishInsight.publish = async () => {
      statusWhilePublishing = (await instance.job()).status;
    };
    await instance.run();
    expect(statusWhilePublishing).toBe('RUNNING');
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('of a message that comes five times makes one insight', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    for (let delivery = 0; delivery < 5; delivery += 1) await instance.run();
    expect(instance.published).toHaveLength(1);
    expect((await instance.job()).insightId).toBe(instance.published[0]);
  });

  test('leaves a job alone that another attempt owns', async () => {
    let finish: () => void = () => undefined;
    const instance = anInstance(async (_job, insightId) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { kind: 'done', insight: insightOf(insightId) };
    });
    await instance.create();
    const first = instance.run();
    await settle();
    await instance.run();
    expect((await instance.job()).attempt).toBe(1);
    finish();
    await first;
    expect((await instance.job()).status).toBe('SUCCEEDED');
  });

  test('keeps its job by heartbeats for as long as it works', async () => {
    let finish: () => void = () => undefined;
    const instance = anInstance(async (_job, insightId) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { kind: 'done', insight: insightOf(insightId) };
    });
    await instance.create();
    const running = instance.run();
    await settle();
    await instance.clock.advance(5 * LEASE_MS);
    expect(await sweepJobs(instance)()).toMatchObject({ enqueued: 0, failed: 0 });
    finish();
    await running;
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('that lost its lease to another attempt publishes nothing', async () => {
    const finishers: (() => void)[] = [];
    const instance = anInstance(async (_job, insightId) => {
      await new Promise<void>((resolve) => finishers.push(resolve));
      return { kind: 'done', insight: insightOf(insightId) };
    });
    await instance.create();
    const zombie = instance.run();
    await settle();
    instance.clock.jump(LEASE_MS + 1);
    const second = instance.run();
    await settle();
    finishers[0]!();
    await zombie;
    expect(instance.published).toHaveLength(0);
    expect(instance.events).toContain('Job:AttemptLost');
    finishers[1]!();
    await second;
    expect(instance.published).toHaveLength(1);
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 2 });
  });

  test('ends at its deadline although its work hangs', async () => {
    const instance = anInstance(() => new Promise(() => undefined));
    await instance.create();
    const running = instance.run();
    await settle();
    await instance.clock.advance(20 * 60_000);
    await running;
    expect(await instance.job()).toMatchObject({ status: 'RUNNING', failure: expect.stringMatching(/^GDD-05000: /) });
  });
});

describe('a failure', () => {
  test('of our own is tried five times, with the last reason at the end', async () => {
    const instance = anInstance(() => Promise.reject(new JobFailure(gddJobFaults.weatherIncomplete, 'Too many gaps.')));
    await instance.create();
    expect(await instance.drain()).toBe(5);
    expect(await instance.job()).toMatchObject({
      status: 'FAILED',
      attempt: 5,
      failure: 'GDD-05006: Too many gaps.',
    });
  });

  test('that no repetition mends ends the job at once', async () => {
    const failure = new JobFailure(gddJobFaults.fieldNotFound, 'No such field.');
    const instance = anInstance(() => Promise.reject(failure));
    await instance.create();
    expect(await instance.drain()).toBe(1);
    expect(await instance.job()).toMatchObject({ status: 'FAILED', failure: 'GDD-05001: No such field.' });
  });

  test('in the middle of publishing leaves nothing published behind', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publishInsight.publish = (_job, { insightId }) => {
      instance.published.push(insightId);
      return Promise.reject(new DataManagerError('bad_request', 'no'));
    };
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'FAILED', attempt: 5 });
    await instance.sweepFor(3);
    expect(instance.withdrawn).toEqual(instance.published.slice(0, 1));
    expect(await instance.jobs.findOpen(key)).toBeUndefined();
  });

  test('of an unforeseen kind tells the caller nothing of its cause', async () => {
    const instance = anInstance(() => Promise.reject(new Error('secret detail')));
    await instance.create();
    await instance.drain();
    const { status, failure } = await instance.job();
    expect(status).toBe('FAILED');
    expect(failure).toMatch(/^GDD-05000: /);
    expect(failure).not.toContain('secret detail');
  });
});

describe('an outage of what the job depends on', () => {
  const HOUR_MS = 3_600_000;

  /** An instance whose weather is away from its first look on, for so long. */
  function withWeatherAwayFor(outageMs: number) {
    const begun = new ManualClock().now().getTime();
    const instance = anInstance((job, insightId, signal) =>
      instance.clock.now().getTime() < begun + outageMs ? Promise.reject(away()) : succeeds(job, insightId, signal),
    );
    return instance;
  }

  test.each([
    { why: 'three minutes', hours: 0.05 },
    { why: 'two hours', hours: 2 },
    { why: 'nearly a day', hours: 23.9 },
  ])('of $why fails no job and uses up no attempt', async ({ hours }) => {
    const instance = withWeatherAwayFor(hours * HOUR_MS);
    await instance.create();
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    expect((await instance.job()).outage).toBeUndefined();
  });

  test('is given up after a day, with the last reason, and never between two tries', async () => {
    const instance = withWeatherAwayFor(48 * HOUR_MS);
    const { createdAt } = await instance.create();
    await instance.drain();
    const { status, attempt, failure, endedAt } = await instance.job();
    expect({ status, attempt, failure }).toEqual({
      status: 'FAILED',
      attempt: 1,
      failure: 'GDD-05005: No weather source answered.',
    });
    expect(endedAt! - createdAt).toBe(24 * HOUR_MS);
  });

  test('is asked less and less often: after 15 s at first, every 15 minutes later', async () => {
    const instance = withWeatherAwayFor(23.9 * HOUR_MS);
    await instance.create();
    const pauses: number[] = [];
    for (let message = instance.queue.sent.shift(); message !== undefined; message = instance.queue.sent.shift()) {
      pauses.push(message.delayMs);
      instance.clock.jump(message.delayMs);
      await instance.run();
    }
    expect(pauses.slice(0, 6)).toEqual([0, 11_250, 45_000, 180_000, 675_000, 675_000]);
    expect(pauses.length).toBeLessThan(140);
  });

  test('leaves the job RUNNING, and its message says for whom it waits, since when and until when', async () => {
    const instance = withWeatherAwayFor(HOUR_MS);
    await instance.create();
    await instance.run();
    expect(messageOf(await instance.job())).toBe(
      'GDD-01002: The GDD job is running. It waits for the weather services (GDD-05005) since ' +
        '2026-06-15T12:00:00.000Z; the next try is at 2026-06-15T12:00:11.250Z, the last one at 2026-06-16T12:00:00.000Z.',
    );
    expect(await instance.job()).toMatchObject({ status: 'RUNNING', attempt: 1 });
  });

  test('waits at least as long as the other side asked', async () => {
    const failure = new JobFailure(gddJobFaults.weatherUnavailable, 'Throttled.', { retryAfterSeconds: 40 });
    const instance = anInstance(() => Promise.reject(failure));
    await instance.create();
    instance.queue.sent.shift();
    await instance.run();
    expect(instance.queue.sent[0]?.delayMs).toBe(40_000);
  });

  test('believes a Retry-After up to 15 minutes, and the message says what was asked for', async () => {
    const failure = new JobFailure(gddJobFaults.weatherUnavailable, 'Throttled.', { retryAfterSeconds: 900_000 });
    const instance = anInstance(() => Promise.reject(failure));
    await instance.create();
    instance.queue.sent.shift();
    await instance.run();
    expect(instance.queue.sent[0]?.delayMs).toBe(15 * 60_000);
    expect(messageOf(await instance.job())).toMatch(
      / the next try is at 2026-06-15T12:15:00\.000Z, .* A pause of 900000 s was asked for; no pause is longer than 15 minutes\.$/,
    );
  });

  test.each([
    { kind: 'denied', code: 'GDD-05003' },
    { kind: 'unavailable', code: 'GDD-05004' },
    { kind: 'throttled', code: 'GDD-05004' },
  ] as const)('that meets the publication ($kind) keeps what is computed: it is not computed again', async (given) => {
    let computed = 0;
    const instance = anInstance((job, insightId, signal) => {
      computed += 1;
      return succeeds(job, insightId, signal);
    });
    await instance.create();
    const { publish, publishKept } = instance.publishInsight;
    instance.publishInsight.publish = () => Promise.reject(new DataManagerError(given.kind, 'no'));
    instance.publishInsight.publishKept = () => Promise.reject(new DataManagerError(given.kind, 'no'));
    for (let look = 0; look < 20; look += 1) {
      instance.clock.jump(15 * 60_000);
      await instance.run();
    }
    expect(await instance.job()).toMatchObject({ status: 'RUNNING', attempt: 1, outage: { code: given.code } });
    instance.publishInsight = Object.assign(instance.publishInsight, { publish, publishKept });
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    expect(computed).toBe(1);
    expect(instance.published).toEqual([`kept ${(await instance.job()).insightId!}`]);
  });

  test('after which the kept insight is gone has it computed once more', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    const { publish } = instance.publishInsight;
    instance.publishInsight.publish = () => Promise.reject(new DataManagerError('unavailable', 'no'));
    await instance.run();
    instance.publishInsight.publish = publish;
    instance.publishInsight.publishKept = () => Promise.resolve(false);
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED' });
    expect(instance.published).toHaveLength(1);
  });

  test('of a publication that the data manager does not take is none: that is ours, and counts as an attempt', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publishInsight.publish = () => Promise.reject(new DataManagerError('bad_request', 'no'));
    expect(await instance.drain()).toBe(5);
    expect(await instance.job()).toMatchObject({ status: 'FAILED', failure: expect.stringMatching(/^GDD-05000: /) });
  });

  test('does not hide a look that kills its worker: five of them end the job', async () => {
    const instance = withWeatherAwayFor(10 * HOUR_MS);
    await instance.create();
    await instance.run();
    for (let death = 0; death < 5; death += 1) {
      const stored = (await instance.jobs.find(key))!;
      const now = instance.clock.now().getTime();
      instance.clock.jump(15 * 60_000);
      const lease = { token: 'dead', until: now };
      await instance.jobs.replace(stored, claimed(stored.job, lease, now));
    }
    await instance.run();
    expect(await instance.job()).toMatchObject({ status: 'FAILED', attempt: 5 });
  });
});

describe('a wait', () => {
  test('is no attempt: 40 looks and the job is on its first', async () => {
    let looks = 0;
    const instance = anInstance((job, insightId, signal) => {
      looks += 1;
      if (looks > 40) return succeeds(job, insightId, signal);
      const dueAt = instance.clock.now().getTime() + 15_000;
      return Promise.resolve({ kind: 'waiting', phase: 'ingest', state: { looks }, dueAt });
    });
    await instance.create();
    expect(await instance.drain()).toBe(41);
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('is taken for lost two minutes after its time, not before', async () => {
    const dueIn = 600_000;
    const instance = anInstance(() =>
      Promise.resolve({
        kind: 'waiting',
        phase: 'ingest',
        state: {},
        dueAt: instance.clock.now().getTime() + dueIn,
      }),
    );
    await instance.create();
    await instance.run();
    instance.queue.sent.length = 0;
    instance.clock.jump(dueIn + 119_000);
    expect(await sweepJobs(instance)()).toMatchObject({ enqueued: 0 });
    instance.clock.jump(2_000);
    expect(await sweepJobs(instance)()).toMatchObject({ enqueued: 1 });
  });
});

describe('a cancel', () => {
  test('from WAITING keeps every later message from doing anything', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    await expect(instance.cancel()).resolves.toMatchObject({ status: 'CANCELLED' });
    await instance.drain();
    expect(instance.published).toHaveLength(0);
    expect(await instance.job()).toMatchObject({ status: 'CANCELLED' });
  });

  test('while RUNNING aborts the work at the next heartbeat', async () => {
    let aborted = false;
    const instance = anInstance(
      (_job, _id, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (aborted = true));
        }),
    );
    await instance.create();
    const running = instance.run();
    await settle();
    await instance.cancel();
    await instance.clock.advance(LEASE_MS / 3);
    await running;
    expect(aborted).toBe(true);
    expect((await instance.job()).status).toBe('CANCELLED');
  });

  test('while the insight is being published wins, and within minutes what was published is taken back', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publishInsight.publish = async (_job, { insightId }) => {
      instance.published.push(insightId);
      await instance.cancel();
    };
    await instance.run();
    expect(await instance.job()).toMatchObject({ status: 'CANCELLED' });
    await instance.sweepFor(3);
    expect(instance.withdrawn).toEqual(instance.published);
    expect(await instance.jobs.findOpen(key)).toBeUndefined();
  });

  test('that breaks off the publication in its middle has its part taken back too', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publishInsight.publish = (_job, { insightId }, signal) => {
      instance.published.push(insightId);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    };
    const running = instance.run();
    await settle();
    await instance.cancel();
    await instance.clock.advance(LEASE_MS / 3);
    await running;
    expect(instance.events).toContain('Job:AttemptLost');
    await instance.sweepFor(4);
    expect(instance.withdrawn).toEqual(instance.published);
  });

  test('whose withdrawal fails is looked after again, until nothing is left', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publishInsight.publish = async (_job, { insightId }) => {
      instance.published.push(insightId);
      await instance.cancel();
    };
    const { withdraw } = instance.publishInsight;
    instance.publishInsight.withdraw = () => Promise.reject(new Error('away'));
    await instance.run();
    await instance.sweepFor(10);
    expect(instance.events.filter((event) => event === 'Job:NotWithdrawn').length).toBeGreaterThan(2);
    instance.publishInsight.withdraw = withdraw;
    await instance.sweepFor(10);
    expect(instance.withdrawn).toEqual(instance.published);
    expect(await instance.jobs.findOpen(key)).toBeUndefined();
  });

  test('of an attempt that died while publishing is completed by the sweep, without its message', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publishInsight.publish = (_job, { insightId }) => {
      instance.published.push(insightId);
      return new Promise(() => undefined);
    };
    void instance.run();
    await settle();
    await instance.cancel();
    instance.queue.sent.length = 0;
    await instance.sweepFor(3);
    expect(instance.withdrawn).toEqual(instance.published);
  });

  test('is completed once more when a host that stood still publishes after the withdrawal', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    let wake: () => void = () => undefined;
    instance.publishInsight.publish = async (_job, { insightId }) => {
      await new Promise<void>((resolve) => (wake = resolve));
      instance.published.push(insightId);
    };
    const zombie = instance.run();
    await settle();
    await instance.cancel();
    await instance.sweepFor(3);
    expect(await instance.jobs.findOpen(key)).toBeUndefined();
    wake();
    await zombie;
    await instance.sweepFor(3);
    expect(instance.withdrawn).toEqual([...instance.published, ...instance.published]);
  });

  test('of a running job is followed by one look for what its attempt may have published', async () => {
    const instance = anInstance(() => new Promise(() => undefined));
    await instance.create();
    void instance.run();
    await settle();
    await instance.cancel();
    expect(await instance.jobs.findOpen(key)).toBeDefined();
    await instance.sweepFor(3);
    expect(instance.withdrawn).toHaveLength(1);
    expect(await instance.jobs.findOpen(key)).toBeUndefined();
  });

  test.each([
    { why: 'a moment after the claim is not noticed: what is published is taken back', workMs: 1_000, published: 1 },
    { why: 'later is noticed before anything is published', workMs: 5_000, published: 0 },
  ])('$why', async ({ workMs, published }) => {
    const instance = anInstance(async (_job, insightId) => {
      await instance.clock.sleep(workMs);
      return { kind: 'done', insight: insightOf(insightId) };
    });
    await instance.create();
    const running = instance.run();
    await settle();
    await instance.cancel();
    await instance.clock.advance(workMs);
    await running;
    expect(instance.published).toHaveLength(published);
    await instance.sweepFor(3);
    expect(instance.withdrawn.length).toBeGreaterThanOrEqual(1);
    expect(await instance.job()).toMatchObject({ status: 'CANCELLED' });
  });

  test('before the start leaves nothing to take back', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    await instance.cancel();
    await instance.run();
    expect(instance.withdrawn).toEqual([]);
  });

  test('of an ended job is refused', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    await instance.run();
    await expect(instance.cancel()).rejects.toMatchObject({ fault: gddFaults.notCancellable });
    expect((await instance.job()).status).toBe('SUCCEEDED');
  });

  test('of a job nobody created is unknown', async () => {
    await expect(anInstance(succeeds).cancel()).rejects.toMatchObject({ fault: gddFaults.unknownJob });
  });
});

describe('a job whose worker was killed', () => {
  let instance: ReturnType<typeof anInstance>;
  beforeEach(async () => {
    instance = anInstance(succeeds);
    await instance.create();
    instance.queue.sent.length = 0;
    const stored = (await instance.jobs.find(key))!;
    const lease = { token: 'dead', until: instance.clock.now().getTime() + LEASE_MS };
    await instance.jobs.replace(stored, { ...stored.job, status: 'RUNNING', attempt: 1, lease });
  });

  test('goes on within four minutes, by sweeps of one minute', async () => {
    for (let minute = 0; minute < 4 && instance.queue.sent.length === 0; minute += 1) {
      instance.clock.jump(60_000);
      await sweepJobs(instance)();
    }
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 2 });
  });

  test('also goes on when a caller fetches it after its time, with no timer running', async () => {
    instance.clock.jump(121_000);
    await fetchJob(instance, gddFaults.unknownJob)(key);
    await instance.drain();
    expect((await instance.job()).status).toBe('SUCCEEDED');
  });

  test('is FAILED with the last reason when it was its fifth attempt, and what that published is taken back', async () => {
    const stored = (await instance.jobs.find(key))!;
    const startedAt = stored.job.createdAt;
    const last = { startedAt, attempt: 5, failure: 'GDD-05005: away', isPublishing: true } as const;
    await instance.jobs.replace(stored, { ...stored.job, ...last });
    instance.clock.jump(121_000);
    expect(await sweepJobs(instance)()).toMatchObject({ failed: 1 });
    expect(await instance.job()).toMatchObject({ status: 'FAILED', failure: 'GDD-05005: away' });
    await instance.sweepFor(2);
    expect(instance.withdrawn).toEqual([insightIdOf(stored.job)]);
  });

  test('is sent again by the poison function while attempts are left, and failed when none is', async () => {
    instance.clock.jump(LEASE_MS + 1);
    await failPoisonedJob(instance)(key);
    expect(instance.queue.sent).toHaveLength(1);
    const stored = (await instance.jobs.find(key))!;
    await instance.jobs.replace(stored, { ...stored.job, attempt: 5 });
    await failPoisonedJob(instance)(key);
    expect((await instance.job()).status).toBe('FAILED');
  });
});

describe('a redrive', () => {
  /** A job that failed in the middle of its publication; it succeeds from then on. */
  async function aFailedJob() {
    const instance = anInstance(succeeds);
    const { publish } = instance.publishInsight;
    instance.publishInsight.publish = () => Promise.reject(new DataManagerError('bad_request', 'no'));
    await instance.create();
    await instance.drain();
    instance.publishInsight.publish = publish;
    return { ...instance, redrive: () => redriveJob(instance, 'operator')(key) };
  }

  test('opens a FAILED job again as it was created: the same id and time, no attempt, no end', async () => {
    const instance = await aFailedJob();
    const { createdAt, e2eId, failure } = await instance.job();
    instance.clock.jump(3_600_000);
    await instance.redrive();
    const job = await instance.job();
    expect(job).toMatchObject({ status: 'WAITING', createdAt, e2eId, attempt: 0 });
    expect(job).not.toHaveProperty('endedAt');
    expect(job).not.toHaveProperty('failure');
    expect(job.redrives).toEqual([{ at: instance.clock.now().getTime(), by: 'operator', failure }]);
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED', attempt: 1, insightId: insightIdOf(job) });
  });

  test('is written to the log by the command, and by the worker that takes the job', async () => {
    const instance = await aFailedJob();
    await instance.redrive();
    expect(instance.events.filter((event) => event === 'Job:Redriven')).toHaveLength(1);
    await instance.drain();
    expect(instance.events.filter((event) => event === 'Job:Redriven')).toHaveLength(2);
  });

  test('removes the withdrawal first: what the job publishes then stays', async () => {
    const instance = await aFailedJob();
    expect(await instance.jobs.findOpen(key)).toBeDefined();
    await instance.redrive();
    await instance.drain();
    await instance.sweepFor(5);
    expect(instance.withdrawn).toEqual([]);
    expect(instance.published).toHaveLength(1);
  });

  test('that comes while a withdrawal is at work stops it', async () => {
    const instance = await aFailedJob();
    const { withdraw } = instance.publishInsight;
    instance.publishInsight.withdraw = async (job, insightId, isWanted) => {
      await instance.redrive();
      await withdraw(job, insightId, isWanted);
    };
    await instance.sweepFor(2);
    expect(instance.withdrawn).toEqual([]);
    await instance.drain();
    expect((await instance.job()).status).toBe('SUCCEEDED');
  });

  test('that fails again has everything taken back', async () => {
    const instance = await aFailedJob();
    await instance.redrive();
    instance.publishInsight.publish = () => Promise.reject(new DataManagerError('bad_request', 'no'));
    await instance.drain();
    await instance.sweepFor(3);
    expect((await instance.job()).status).toBe('FAILED');
    expect(instance.withdrawn).toHaveLength(1);
  });

  test('opens no job that has not FAILED, and none that is not there', async () => {
    const instance = anInstance(succeeds);
    const redrive = () => redriveJob(instance, 'operator')(key);
    await expect(redrive()).rejects.toThrow('No job spring-corn');
    await instance.create();
    await expect(redrive()).rejects.toThrow('is WAITING; only a FAILED job');
    await instance.drain();
    await expect(redrive()).rejects.toThrow('is SUCCEEDED; only a FAILED job');
  });
});
