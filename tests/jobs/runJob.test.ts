import { beforeEach, describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../shared/jobs/dataManager/dataManager.js';
import { gddFaults, gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../shared/kit/errors/serviceError.js';
import { gddSolution } from '../../shared/gdd/form/gddSolution.js';
import { insightIdOf } from '../../shared/jobs/steps/insightId.js';
import { workOf, type Job } from '../../shared/jobs/job.js';
import { fetchedAnswer } from '../../shared/jobs/operations/jobView.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { TenantNotServed } from '../../shared/access/tenants/servedTenant.js';
import { claimed } from '../../shared/work/item/workItem.js';
import { JOB_LEASE_MS, jobKeyUnderTest as key, JobsInMemory } from '../support/jobsInMemory.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { insightOf, succeeds } from './works.js';

const away = (): JobFailure => new JobFailure(gddJobFaults.weatherUnavailable, 'No weather source answered.');

/** What a fetch says of the job. */
const messageOf = (job: Job): unknown =>
  (fetchedAnswer(job, gddSolution, 0).json as { readonly message: string }).message;

const anInstance = (work: JobWork): JobsInMemory => new JobsInMemory(work);

/** How the job ended, and in which attempt, as the log tells. */
const endOf = (instance: JobsInMemory): object => {
  const { outcome, attempt } = instance.factsOf('Job:Succeeded') ?? instance.factsOf('Job:Failed') ?? {};
  return { outcome, attempt };
};

describe('a job that is created', () => {
  test('waits, on the queue once', async () => {
    const instance = anInstance(succeeds);
    const job = await instance.create();
    expect(job).toMatchObject({ status: 'WAITING', e2eId: 'id-1' });
    expect(instance.kernel.sent).toMatchObject([{ ...workOf(key), dueAt: instance.now() }]);
  });

  test('is accepted although the queue is away, and the sweeper sends its message two minutes later', async () => {
    const instance = anInstance(succeeds);
    const { messages } = instance.kernel;
    const send = messages.send.bind(messages);
    messages.send = () => Promise.reject(new Error('away'));
    await expect(instance.create()).resolves.toMatchObject({ status: 'WAITING' });
    messages.send = send;
    expect(await instance.kernel.sweep()).toMatchObject({ sent: 0 });
    instance.clock.jump(120_000);
    expect(await instance.kernel.sweep()).toMatchObject({ sent: 1 });
    expect(await instance.kernel.sweep()).toMatchObject({ sent: 0 });
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

describe('a job of a tenant that is not served', () => {
  const notServed: JobWork = () => Promise.reject(new TenantNotServed('Your tenant is disabled at this service.'));

  test('waits for it to be served again', async () => {
    let isServed = false;
    const instance = anInstance((...args) => (isServed ? succeeds(...args) : notServed(...args)));
    await instance.create();
    await instance.run();
    expect(await instance.job()).toMatchObject({ status: 'RUNNING' });
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
    instance.publication.publish = async () => {
      statusWhilePublishing = (await instance.job()).status;
      return true;
    };
    await instance.run();
    expect(statusWhilePublishing).toBe('RUNNING');
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 1 });
  });

  test('of a message that comes five times makes one insight', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    for (let delivery = 0; delivery < 5; delivery += 1) await instance.run();
    expect(instance.publication.published).toHaveLength(1);
    expect((await instance.job()).insightId).toBe(instance.publication.published[0]);
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
    expect((await instance.item())!.attempts).toBe(1);
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
    await instance.clock.advance(5 * JOB_LEASE_MS);
    expect(await instance.kernel.sweep()).toMatchObject({ sent: 0, failed: 0 });
    finish();
    await running;
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 1 });
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
    instance.clock.jump(JOB_LEASE_MS + 1);
    const second = instance.run();
    await settle();
    finishers[0]!();
    await zombie;
    expect(instance.publication.published).toHaveLength(0);
    expect(instance.events).toContain('Work:AttemptLost');
    finishers[1]!();
    await second;
    expect(instance.publication.published).toHaveLength(1);
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 2 });
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
    await instance.drain();
    expect(endOf(instance)).toEqual({ outcome: 'FAILED', attempt: 5 });
    expect((await instance.job()).failure).toBe('GDD-05006: Too many gaps.');
  });

  test('that no repetition mends ends the job at once', async () => {
    const failure = new JobFailure(gddJobFaults.fieldNotFound, 'No such field.');
    const instance = anInstance(() => Promise.reject(failure));
    await instance.create();
    await instance.drain();
    expect(endOf(instance)).toEqual({ outcome: 'FAILED', attempt: 1 });
    expect((await instance.job()).failure).toBe('GDD-05001: No such field.');
  });

  test('in the middle of publishing leaves nothing published behind', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publication.publish = (_job, { insightId }) => {
      instance.publication.published.push(insightId);
      return Promise.reject(new DataManagerError('bad_request', 'no'));
    };
    await instance.drain();
    expect(endOf(instance)).toEqual({ outcome: 'FAILED', attempt: 5 });
    expect(instance.publication.withdrawn).toEqual(instance.publication.published.slice(0, 1));
    expect(await instance.item()).toBeUndefined();
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
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 1 });
    expect((await instance.job()).outage).toBeUndefined();
  });

  test('is given up after a day, with the last reason, and never between two tries', async () => {
    const instance = withWeatherAwayFor(48 * HOUR_MS);
    const { createdAt } = await instance.create();
    await instance.drain();
    const { failure, endedAt } = await instance.job();
    expect(endOf(instance)).toEqual({ outcome: 'FAILED', attempt: 1 });
    expect(failure).toBe('GDD-05005: No weather source answered.');
    expect(endedAt! - createdAt).toBe(24 * HOUR_MS);
  });

  test('is asked less and less often: after 15 s at first, every 15 minutes later', async () => {
    const instance = withWeatherAwayFor(23.9 * HOUR_MS);
    await instance.create();
    const pauses: number[] = [];
    for (let item = await instance.item(); item !== undefined; item = await instance.item()) {
      const pauseMs = Math.max(0, item.notBefore - instance.now());
      pauses.push(pauseMs);
      instance.clock.jump(pauseMs);
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
    expect(await instance.job()).toMatchObject({ status: 'RUNNING' });
  });

  test('waits at least as long as the other side asked', async () => {
    const failure = new JobFailure(gddJobFaults.weatherUnavailable, 'Throttled.', { retryAfterSeconds: 40 });
    const instance = anInstance(() => Promise.reject(failure));
    await instance.create();
    await instance.run();
    expect((await instance.item())!.notBefore - instance.now()).toBe(40_000);
  });

  test('believes a Retry-After up to 15 minutes, and the message says what was asked for', async () => {
    const failure = new JobFailure(gddJobFaults.weatherUnavailable, 'Throttled.', { retryAfterSeconds: 900_000 });
    const instance = anInstance(() => Promise.reject(failure));
    await instance.create();
    await instance.run();
    expect((await instance.item())!.notBefore - instance.now()).toBe(15 * 60_000);
    expect(messageOf(await instance.job())).toMatch(
      / the next try is at 2026-06-15T12:15:00\.000Z, .* A pause of 900000 s was asked for; no pause is longer than 15 minutes\.$/,
    );
  });

  test('that meets the publication keeps what is computed: it is not computed again', async () => {
    let computed = 0;
    const instance = anInstance((job, insightId, signal) => {
      computed += 1;
      return succeeds(job, insightId, signal);
    });
    await instance.create();
    const { publish, publishKept } = instance.publication;
    instance.publication.publish = () => Promise.reject(new DataManagerError('unavailable', 'no'));
    instance.publication.publishKept = () => Promise.reject(new DataManagerError('unavailable', 'no'));
    for (let look = 0; look < 20; look += 1) {
      instance.clock.jump(15 * 60_000);
      await instance.run();
    }
    expect(await instance.job()).toMatchObject({ status: 'RUNNING', outage: { code: 'GDD-05004' } });
    Object.assign(instance.publication, { publish, publishKept });
    await instance.drain();
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 1 });
    expect(computed).toBe(1);
    expect(instance.publication.published).toEqual([`kept ${(await instance.job()).insightId!}`]);
  });

  test('after which the kept insight is gone has it computed once more', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    const { publish } = instance.publication;
    instance.publication.publish = () => Promise.reject(new DataManagerError('unavailable', 'no'));
    await instance.run();
    instance.publication.publish = publish;
    instance.publication.publishKept = () => Promise.resolve(false);
    await instance.drain();
    expect(await instance.job()).toMatchObject({ status: 'SUCCEEDED' });
    expect(instance.publication.published).toHaveLength(1);
  });

  test('of a publication that the data manager does not take is none: that is ours, and counts as an attempt', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publication.publish = () => Promise.reject(new DataManagerError('bad_request', 'no'));
    await instance.drain();
    expect(endOf(instance)).toEqual({ outcome: 'FAILED', attempt: 5 });
    expect((await instance.job()).failure).toMatch(/^GDD-05000: /);
  });

  test('does not hide an attempt that kills its process: ten of them end the job', async () => {
    const instance = withWeatherAwayFor(10 * HOUR_MS);
    await instance.create();
    await instance.run();
    for (let death = 0; death < 10; death += 1) {
      const now = instance.now();
      await instance.setItem((item) => claimed(item, { claim: 'dead', leaseEnd: now, now }));
      instance.clock.jump(15 * 60_000);
    }
    await instance.run();
    expect(await instance.job()).toMatchObject({ status: 'FAILED', failure: 'GDD-05005: No weather source answered.' });
  });
});

describe('a cancel', () => {
  test('from WAITING keeps every later message from doing anything', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    await expect(instance.cancel()).resolves.toMatchObject({ status: 'CANCELLED' });
    await instance.drain();
    expect(instance.publication.published).toHaveLength(0);
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
    await instance.clock.advance(JOB_LEASE_MS / 3);
    await running;
    expect(aborted).toBe(true);
    expect((await instance.job()).status).toBe('CANCELLED');
  });

  test('while the insight is being published wins, and within minutes what was published is taken back', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publication.publish = async (_job, { insightId }) => {
      instance.publication.published.push(insightId);
      await instance.cancel();
      return true;
    };
    await instance.run();
    expect(await instance.job()).toMatchObject({ status: 'CANCELLED' });
    await instance.sweepFor(3);
    expect(instance.publication.withdrawn).toEqual(instance.publication.published);
    expect(await instance.item()).toBeUndefined();
  });

  test('that breaks off the publication in its middle has its part taken back too', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publication.publish = (_job, { insightId }, { signal }) => {
      instance.publication.published.push(insightId);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    };
    const running = instance.run();
    await settle();
    await instance.cancel();
    await instance.clock.advance(JOB_LEASE_MS / 3);
    await running;
    expect(instance.events).toContain('Work:AttemptLost');
    await instance.sweepFor(4);
    expect(instance.publication.withdrawn).toEqual(instance.publication.published);
  });

  test('whose withdrawal fails is looked after again, until nothing is left', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publication.publish = async (_job, { insightId }) => {
      instance.publication.published.push(insightId);
      await instance.cancel();
      return true;
    };
    const { withdraw } = instance.publication;
    instance.publication.withdraw = () => Promise.reject(new Error('away'));
    await instance.run();
    await instance.sweepFor(10);
    expect(instance.events.filter((event) => event === 'Work:AttemptFailed').length).toBeGreaterThan(2);
    instance.publication.withdraw = withdraw;
    await instance.sweepFor(10);
    expect(instance.publication.withdrawn).toEqual(instance.publication.published);
    expect(await instance.item()).toBeUndefined();
  });

  test('of an attempt that died while publishing is completed by the sweep, without its message', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    instance.publication.publish = (_job, { insightId }) => {
      instance.publication.published.push(insightId);
      return new Promise(() => undefined);
    };
    void instance.run();
    await settle();
    await instance.cancel();
    instance.kernel.messages.sent.length = 0;
    await instance.sweepFor(3);
    expect(instance.publication.withdrawn).toEqual(instance.publication.published);
  });

  test('is completed once more when a host that stood still tells the data manager after the withdrawal', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    const trace = { key: 'of what was told' };
    const traces: unknown[] = [];
    const { withdraw } = instance.publication;
    instance.publication.withdraw = async (job, insightId, isWanted, told) => {
      traces.push(told);
      await withdraw(job, insightId, isWanted);
    };
    let wake: () => void = () => undefined;
    instance.publication.publish = async (_job, { insightId }, publisher) => {
      publisher.tells?.(trace);
      await new Promise<void>((resolve) => (wake = resolve));
      instance.publication.published.push(insightId);
      return true;
    };
    const zombie = instance.run();
    await settle();
    await instance.cancel();
    await instance.sweepFor(3);
    expect(await instance.item()).toBeUndefined();
    wake();
    await zombie;
    await instance.sweepFor(3);
    expect(instance.publication.withdrawn).toEqual([
      ...instance.publication.published,
      ...instance.publication.published,
    ]);
    expect(traces).toEqual([undefined, trace]);
    expect(await instance.item()).toBeUndefined();
  });

  test('of a running job is followed by one look for what its attempt may have published', async () => {
    const instance = anInstance(() => new Promise(() => undefined));
    await instance.create();
    void instance.run();
    await settle();
    await instance.cancel();
    expect(await instance.item()).toBeDefined();
    await instance.sweepFor(3);
    expect(instance.publication.withdrawn).toHaveLength(1);
    expect(await instance.item()).toBeUndefined();
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
    expect(instance.publication.published).toHaveLength(published);
    await instance.sweepFor(3);
    expect(instance.publication.withdrawn.length).toBeGreaterThanOrEqual(1);
    expect(await instance.job()).toMatchObject({ status: 'CANCELLED' });
  });

  test('before the start leaves nothing to take back', async () => {
    const instance = anInstance(succeeds);
    await instance.create();
    await instance.cancel();
    await instance.run();
    expect(instance.publication.withdrawn).toEqual([]);
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
  let instance: JobsInMemory;
  /** So many claims, each of a process that has died since. */
  const dies = async (times: number): Promise<void> => {
    for (let death = 0; death < times; death += 1) {
      const now = instance.now();
      await instance.setItem((item) => claimed(item, { claim: 'dead', leaseEnd: now + JOB_LEASE_MS, now }));
    }
  };

  beforeEach(async () => {
    instance = anInstance(succeeds);
    await instance.create();
    instance.kernel.messages.sent.length = 0;
  });

  test('goes on within four minutes, by sweeps of one minute', async () => {
    await dies(1);
    await instance.sweepFor(4);
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 2 });
  });

  test('is FAILED when that was its tenth, and what they may have published is taken back', async () => {
    await dies(10);
    await instance.sweepFor(4);
    const job = await instance.job();
    expect(job).toMatchObject({ status: 'FAILED', failure: 'Every attempt was cut short.' });
    expect(instance.publication.withdrawn).toEqual([insightIdOf(job)]);
  });

  test('is sent again by the poison function, and not while an attempt is at it', async () => {
    await dies(1);
    await instance.kernel.resendDeadLetter(workOf(key));
    expect(instance.kernel.sent).toEqual([]);
    instance.clock.jump(JOB_LEASE_MS);
    await instance.kernel.resendDeadLetter(workOf(key));
    expect(instance.kernel.sent).toHaveLength(1);
  });
});

describe('a redrive', () => {
  /** A job that failed in the middle of its publication; it succeeds from then on. */
  async function aFailedJob() {
    const instance = anInstance(succeeds);
    const { publish } = instance.publication;
    instance.publication.publish = () => Promise.reject(new JobFailure(gddJobFaults.fieldNotFound, 'No such field.'));
    await instance.create();
    await instance.run();
    instance.publication.publish = publish;
    return instance;
  }

  test('opens a FAILED job again as it was created: the same id and time, no attempt, no end', async () => {
    const instance = await aFailedJob();
    const { createdAt, e2eId, failure } = await instance.job();
    instance.clock.jump(3_600_000);
    await instance.redrive();
    const job = await instance.job();
    expect(job).toMatchObject({ status: 'WAITING', createdAt, e2eId });
    expect(job).not.toHaveProperty('endedAt');
    expect(job).not.toHaveProperty('failure');
    expect(job.redrives).toEqual([{ at: instance.clock.now().getTime(), by: 'operator', failure }]);
    await instance.drain();
    expect(endOf(instance)).toEqual({ outcome: 'SUCCEEDED', attempt: 1 });
    expect((await instance.job()).insightId).toBe(insightIdOf(job));
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
    expect(await instance.item()).toBeDefined();
    await instance.redrive();
    await instance.drain();
    await instance.sweepFor(5);
    expect(instance.publication.withdrawn).toEqual([]);
    expect(instance.publication.published).toHaveLength(1);
  });

  test('that comes while a withdrawal is at work stops it', async () => {
    const instance = await aFailedJob();
    const { withdraw } = instance.publication;
    instance.publication.withdraw = async (job, insightId, isWanted) => {
      await instance.redrive();
      await withdraw(job, insightId, isWanted);
    };
    await instance.sweepFor(2);
    expect(instance.publication.withdrawn).toEqual([]);
    await instance.drain();
    expect((await instance.job()).status).toBe('SUCCEEDED');
  });

  test('that fails again has everything taken back', async () => {
    const instance = await aFailedJob();
    await instance.redrive();
    instance.publication.publish = () => Promise.reject(new DataManagerError('bad_request', 'no'));
    await instance.drain();
    expect((await instance.job()).status).toBe('FAILED');
    expect(instance.publication.withdrawn).toHaveLength(1);
  });

  test('opens no job that has not FAILED, and none that is not there', async () => {
    const instance = anInstance(succeeds);
    const redrive = () => instance.redrive();
    await expect(redrive()).rejects.toThrow('No job spring-corn');
    await instance.create();
    await expect(redrive()).rejects.toThrow('is WAITING; only a FAILED job');
    await instance.drain();
    await expect(redrive()).rejects.toThrow('is SUCCEEDED; only a FAILED job');
  });
});
