/** Jobs that SUCCEEDED with less than there should be, and run again. */
import { describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../shared/jobs/dataManager/dataManager.js';
import { gddFaults, gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../shared/kit/errors/serviceError.js';
import { gddSolution } from '../../shared/gdd/form/gddSolution.js';
import type { Insight } from '../../shared/jobs/insight/jobInsight.js';
import type { PublishInsight } from '../../shared/jobs/steps/publishPort.js';
import { workOf, type Job } from '../../shared/jobs/job.js';
import { fetchedAnswer } from '../../shared/jobs/operations/jobView.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { purgeJobs } from '../../shared/jobs/operations/purgeJobs.js';
import { MOST_RERUNS, RERUN_MS } from '../../shared/jobs/rerun.js';
import type { JsonObject } from '../../shared/kit/json/json.js';
import { jobsLaneOf } from '../../shared/work/lanes/lane.js';
import { inLane, newItem } from '../../shared/work/item/workItem.js';
import { JOB_LEASE_MS, jobKeyUnderTest as key, JobsInMemory } from '../support/jobsInMemory.js';
import { settle } from '../support/manualClock.js';
import { insightOf } from './works.js';

const lane = jobsLaneOf(workOf(key));
const lacks = 'the newest forecast';

/** Work whose first insight is poor; the runs after it make what `next` says. */
const poorAtFirst =
  (next: JobWork): JobWork =>
  (job, insightId, signal, earlier) =>
    earlier === undefined
      ? Promise.resolve({ kind: 'done', insight: made(insightId, 'poor'), lacks })
      : next(job, insightId, signal, earlier);

const made = (insightId: string, quality: string): Insight => ({
  ...insightOf(insightId),
  record: { insightId, quality },
});

/** The weather is back: the insight gets better once. */
const better: JobWork = (_job, insightId, _signal, earlier) =>
  Promise.resolve(
    earlier?.['quality'] === 'better' ? { kind: 'unchanged' } : { kind: 'done', insight: made(insightId, 'better') },
  );
const noBetter: JobWork = () => Promise.resolve({ kind: 'unchanged', lacks });

/** What stops a process between two of its steps, for good. */
class Died extends Error {}

/** Calls that a process makes; it dies at one of them, before it takes effect or after. */
function mortal<Ports extends object>(ports: Ports, life: { steps: number; diesAfter?: boolean }): Ports {
  return new Proxy(ports, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        if (life.steps <= 0) throw new Died();
        life.steps -= 1;
        if (life.steps === 0 && life.diesAfter !== true) throw new Died();
        const answer: unknown = await (member as (...all: unknown[]) => unknown).apply(target, args);
        if (life.steps === 0) throw new Died();
        return answer;
      };
    },
  });
}

/** One service: its storage, a data manager, and processes that come and go. */
class ServiceUnderTest extends JobsInMemory {
  readonly kept = new Map<string, JsonObject>();
  readonly dataManager = new Map<string, JsonObject>();
  /** Whether the data manager can be told anything. */
  isTold = true;
  readonly steps = {
    put: (id: string, record: JsonObject) => Promise.resolve(void this.kept.set(id, record)),
    tell: (id: string, record: JsonObject) =>
      this.isTold
        ? Promise.resolve(void this.dataManager.set(id, record))
        : Promise.reject(new DataManagerError('unavailable', 'no')),
  };
  override publishInsight = this.publishing(this.steps);

  publishing({ put, tell }: ServiceUnderTest['steps']): PublishInsight {
    return {
      findKept: (_job, id) => Promise.resolve(this.kept.get(id)),
      publish: async (_job, { insightId, record }: Insight) => {
        await put(insightId, record);
        await tell(insightId, record);
        return true;
      },
      publishKept: async (_job, id) => {
        const record = this.kept.get(id);
        if (record !== undefined) await tell(id, record);
        return record !== undefined;
      },
      abandon: () => Promise.resolve(),
      withdraw: (_job, id) => Promise.resolve(void this.kept.delete(id)),
    };
  }

  /** A minute: the sweeps, then every message that is due. */
  async minute(): Promise<void> {
    await this.clock.advance(59_000);
    await this.kernel.sweep();
    await settle();
    await this.clock.advance(1_000);
    for (let text = this.kernel.messages.take(); text !== undefined; text = this.kernel.messages.take())
      await this.run();
    await settle();
  }

  async minutes(count: number): Promise<void> {
    for (let passed = 0; passed < count; passed += 1) await this.minute();
  }

  async view(): Promise<Record<string, unknown>> {
    return fetchedAnswer(await this.job(), gddSolution, this.now()).json as Record<string, unknown>;
  }

  /** The job as it is after its first run. */
  async begin(): Promise<Job> {
    await this.create();
    await this.run();
    this.kernel.messages.sent.length = 0;
    return this.job();
  }
}

const aService = (work: JobWork): Service => new ServiceUnderTest(work);

type Service = ServiceUnderTest;

const qualityOf = (records: ReadonlyMap<string, JsonObject>): unknown[] =>
  [...records.values()].map(({ quality }) => quality);

/** What never changes by a rerun, whatever happens. */
const lasting = ({ status, insightId, createdAt, startedAt, endedAt, lastActionAt }: Job) => ({
  status,
  insightId,
  createdAt,
  startedAt,
  endedAt,
  lastActionAt,
});

const isAtRest = async (service: Service): Promise<void> => {
  expect((await service.job()).rerun).toBeUndefined();
  expect(await service.item()).toBeUndefined();
  await service.clock.advance(1_000);
  expect((await service.kernel.laneStore.read(lane, 10)).state.holders).toEqual([]);
};

describe('a job that SUCCEEDED without the newest forecast', () => {
  test('says so and when it runs again, in its message alone', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    const view = await service.view();
    expect(view['message']).toBe(
      'GDD-02001: The GDD job has completed; read its insight by insightId. It was made without the newest forecast; ' +
        'it is calculated again at 2026-06-15T18:00:00.000Z, and a better insight takes its place.',
    );
    const plain = aService(() => Promise.resolve({ kind: 'done', insight: made(view['insightId'] as string, 'x') }));
    await plain.begin();
    expect(Object.keys(view)).toEqual(Object.keys(await plain.view()));
  });

  test('has its next run as work for the time it is due, and leaves its slot in the lane', async () => {
    const service = aService(poorAtFirst(better));
    const job = await service.begin();
    const dueAt = job.lastActionAt + RERUN_MS;
    expect(await service.item()).toMatchObject({ checkAt: dueAt, notBefore: dueAt, parked: { lane, askedAt: dueAt } });
    await service.run(); // a message that comes twice
    expect(qualityOf(service.kept)).toEqual(['poor']);
    expect(await service.job()).toEqual(job);
  });

  test('runs again after six hours: a better insight takes the place of the poor one, all else stays', async () => {
    const service = aService(poorAtFirst(better));
    const before = lasting(await service.begin());
    await service.minutes(359);
    expect(qualityOf(service.kept)).toEqual(['poor']);
    await service.minutes(2);
    expect([qualityOf(service.kept), qualityOf(service.dataManager)]).toEqual([['better'], ['better']]);
    expect(lasting(await service.job())).toEqual(before);
    expect((await service.view())['message']).toBe(gddSolution.messages.SUCCEEDED);
    await isAtRest(service);
  });

  test('whose message gets lost on the way is found by the sweep', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    await service.clock.advance(RERUN_MS);
    await service.kernel.sweep();
    await settle();
    expect(service.kernel.messages.sent.splice(0)).toHaveLength(1);
    await service.minutes(4);
    expect(qualityOf(service.kept)).toEqual(['better']);
    await isAtRest(service);
  });

  test('stands in the lane of its tenant: its runs take no turn from others', async () => {
    const service = aService(poorAtFirst(better));
    const other = { kind: 'gdd', id: 'tenant-a|at-work' };
    await service.begin();
    service.kernel.slotsOf = () => 1;
    await service.kernel.store.insert(inLane(newItem(other, service.now()), { lane, askedAt: 0 }));
    expect(await service.kernel.takeSlot(lane, { ...other, askedAt: 0 })).toBe(true);
    service.clock.jump(RERUN_MS);
    await service.kernel.sweep();
    await settle();
    const told = () => service.kernel.sent.filter(({ id }) => id === workOf(key).id);
    expect([told(), await service.kernel.waitingTickets()]).toEqual([[], 1]);
    await service.kernel.lanes.leave(lane, other);
    expect(told()).toHaveLength(1);
  });

  test('shows its insight while it runs, and says that it does', async () => {
    const service = aService(poorAtFirst(() => new Promise(() => undefined)));
    await service.begin();
    service.clock.jump(RERUN_MS);
    void service.run();
    await settle();
    const view = await service.view();
    expect(view).toMatchObject({ status: 'SUCCEEDED', insightId: (await service.job()).insightId });
    expect(view['message']).toMatch(/it is being calculated again now/);
  });

  test.each([
    { why: 'nothing better can be had', next: noBetter },
    {
      why: 'the weather is away',
      next: () => Promise.reject(new JobFailure(gddJobFaults.weatherUnavailable, 'Away.')),
    },
    { why: 'the field is gone', next: () => Promise.reject(new JobFailure(gddJobFaults.fieldNotFound, 'Gone.')) },
    { why: 'our own fault is in the way', next: () => Promise.reject(new Error('a bug')) },
  ])('runs three times at most when $why, and keeps what it has', async ({ next }) => {
    let runs = 0;
    const counting: JobWork = (...all) => {
      runs += 1;
      return next(...all);
    };
    const service = aService(poorAtFirst(counting));
    const before = lasting(await service.begin());
    for (let hours = 0; hours < 60; hours += 1) {
      service.clock.jump(59 * 60_000);
      await service.minute();
    }
    expect(runs).toBe(MOST_RERUNS);
    expect(qualityOf(service.kept)).toEqual(['poor']);
    expect(lasting(await service.job())).toEqual(before);
    await isAtRest(service);
  });

  test('is no more to be cancelled or opened again than any that SUCCEEDED', async () => {
    const service = aService(poorAtFirst(better));
    const job = await service.begin();
    await expect(service.cancel()).rejects.toMatchObject({ fault: gddFaults.notCancellable });
    await expect(service.redrive()).rejects.toThrow('only a FAILED job');
    expect(await service.job()).toEqual(job);
  });
});

describe('a data manager that is away', () => {
  test('at the first publication: the job still runs again once it has SUCCEEDED', async () => {
    const service = aService(poorAtFirst(better));
    service.isTold = false;
    await service.begin();
    expect(await service.job()).toMatchObject({ status: 'RUNNING' });
    service.isTold = true;
    await service.minutes(3);
    expect(await service.job()).toMatchObject({ status: 'SUCCEEDED', rerun: { runs: 0, lacks } });
  });

  test('at the better one: it is told later, and that is no run', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    service.isTold = false;
    await service.minutes(420);
    expect([qualityOf(service.kept), qualityOf(service.dataManager)]).toEqual([['better'], ['poor']]);
    expect((await service.job()).rerun?.runs).toBe(1);
    service.isTold = true;
    await service.minutes(20);
    expect(qualityOf(service.dataManager)).toEqual(['better']);
    await service.minutes(RERUN_MS / 60_000);
    await isAtRest(service);
  });

  test('at the better one, and then storage when that is to be written: it is told all the same', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    service.isTold = false;
    service.clock.jump(RERUN_MS);
    const update = service.kernel.store.update.bind(service.kernel.store);
    let updates = 0;
    service.kernel.store.update = (...all) => {
      updates += 1;
      // The claim is written; what the run comes to is refused once.
      if (updates === 2) return Promise.reject(new Error('storage is away'));
      return update(...all);
    };
    await service.run();
    expect([qualityOf(service.kept), qualityOf(service.dataManager)]).toEqual([['better'], ['poor']]);
    service.isTold = true;
    await service.minutes(30);
    expect(qualityOf(service.dataManager)).toEqual(['better']);
    expect((await service.job()).rerun?.runs ?? 1).toBe(1);
  });

  test('for days: it is waited for as long as a job waits for it', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    service.isTold = false;
    for (let hours = 0; hours < 80; hours += 1) {
      service.clock.jump(59 * 60_000);
      await service.minute();
    }
    expect(qualityOf(service.kept)).toEqual(['better']);
    await isAtRest(service);
  });
});

describe('a process that dies at any step of a rerun', () => {
  /** Runs until it dies at the step; false when it came to its end before. */
  async function dies(service: Service, steps: number, diesAfter: boolean): Promise<boolean> {
    const life = { steps, diesAfter };
    const { put, tell } = mortal(service.steps, life);
    const publishInsight = service.publishing({ put, tell });
    const [jobs, store] = [mortal(service.jobs, life), mortal(service.kernel.store, life)];
    await service.run(key, { jobs, store, publishInsight }).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
    return life.steps <= 0;
  }

  test.each([{ diesAfter: false }, { diesAfter: true }])(
    'leaves the earlier insight whole or the better one, and the next makes good (after the effect: $diesAfter)',
    async ({ diesAfter }) => {
      let points = 0;
      for (let step = 1; ; step += 1) {
        const service = aService(poorAtFirst(better));
        const before = lasting(await service.begin());
        service.clock.jump(RERUN_MS);
        if (!(await dies(service, step, diesAfter))) break;
        points += 1;
        expect(['poor', 'better']).toContain(qualityOf(service.kept)[0]);
        expect(service.kept.size).toBe(1);
        expect(lasting(await service.job())).toEqual(before);
        for (let minutes = 0; minutes < 10; minutes += 1) await service.minute();
        for (let hours = 0; hours < 24; hours += 1) {
          service.clock.jump(59 * 60_000);
          await service.minute();
        }
        expect([step, qualityOf(service.kept), qualityOf(service.dataManager)]).toEqual([step, ['better'], ['better']]);
        expect(lasting(await service.job())).toEqual(before);
        await isAtRest(service);
      }
      // find the item, find the job, claim, put, tell, end
      expect(points).toBeGreaterThanOrEqual(6);
    },
  );

  test('again and again: three runs, and no more', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    const life = { steps: 0 };
    for (let hours = 0; hours < 100; hours += 1) {
      service.clock.jump(3_600_000);
      await service.kernel.sweep();
      life.steps = 4;
      const { put, tell } = mortal(service.steps, life);
      const [jobs, store] = [mortal(service.jobs, life), mortal(service.kernel.store, life)];
      await service.run(key, { jobs, store, publishInsight: service.publishing({ put, tell }) }).catch(() => undefined);
      service.kernel.messages.sent.length = 0;
    }
    expect((await service.job()).rerun?.runs ?? 0).toBeLessThanOrEqual(MOST_RERUNS);
    expect(service.kept.size).toBe(1);
  });

  test('a run that lost its job publishes nothing', async () => {
    const finishers: (() => void)[] = [];
    const service = aService(
      poorAtFirst(async (...all) => {
        await new Promise<void>((resolve) => finishers.push(resolve));
        return better(...all);
      }),
    );
    await service.begin();
    service.clock.jump(RERUN_MS);
    const zombie = service.run();
    await settle();
    service.clock.jump(JOB_LEASE_MS + 1);
    const second = service.run(); // tells the data manager what is there
    await second;
    finishers[0]!();
    await zombie;
    expect(qualityOf(service.kept)).toEqual(['poor']);
    expect(service.events).toContain('Work:AttemptLost');
  });
});

describe('the nightly deletion', () => {
  const DAY_MS = 86_400_000;
  const purge = (service: Service) =>
    purgeJobs(
      {
        jobs: service.jobs,
        clock: service.clock,
        insights: { remove: (_tenant: string, id: string) => Promise.resolve(void service.kept.delete(id)) },
        removeLeftovers: () => Promise.resolve(),
      },
      90,
    )();

  test('takes a job that was to run again with its work and its insight', async () => {
    const service = aService(poorAtFirst(better));
    await service.begin();
    service.clock.jump(92 * DAY_MS);
    expect(await purge(service)).toBe(1);
    expect(await service.jobs.find(key)).toBeUndefined();
    expect(await service.item()).toBeUndefined();
    expect(service.kept.size).toBe(0);
  });

  test('leaves one that is running again for another night', async () => {
    let finish: () => void = () => undefined;
    const service = aService(
      poorAtFirst(async (...all) => {
        await new Promise<void>((resolve) => (finish = resolve));
        return better(...all);
      }),
    );
    await service.begin();
    service.clock.jump(92 * DAY_MS);
    const running = service.run();
    await settle();
    expect(await purge(service)).toBe(0);
    finish();
    await running;
    expect(qualityOf(service.kept)).toEqual(['better']);
    expect(await purge(service)).toBe(1);
    expect(service.kept.size).toBe(0);
  });
});
