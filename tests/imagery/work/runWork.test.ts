import { beforeEach, describe, expect, test } from '@jest/globals';
import { CatalogueError } from '../../../shared/imagery/catalogue/catalogueError.js';
import { activated, claimDecision, newestFirst, type WorkKey } from '../../../shared/imagery/work/imageryWork.js';
import type { WorkHold } from '../../../shared/imagery/work/attempt.js';
import { runWork, type RunWorkPorts, type WorkHandler } from '../../../shared/imagery/work/runWork.js';
import { revivePoisoned } from '../../../shared/imagery/work/sweepImagery.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { MemoryImageryQueue, MemoryImageryWorkStore } from '../../support/memoryImageryStores.js';

const MINUTE = 60_000;
const key: WorkKey = { customer: 'contoso', kind: 'render', id: '1_a' };

let clock: ManualClock;
let work: MemoryImageryWorkStore;
let queue: MemoryImageryQueue;
let ports: RunWorkPorts;

beforeEach(async () => {
  clock = new ManualClock();
  const now = (): number => clock.now().getTime();
  work = new MemoryImageryWorkStore(now);
  queue = new MemoryImageryQueue(now);
  ports = {
    work,
    queue,
    clock,
    random: () => 1,
    log: () => undefined,
    leaseMs: MINUTE,
    activeLimits: { search: 1, render: 1 },
  };
  await work.add(key.customer, 'render', [
    { id: '1_a', document: { about: 'first' } },
    { id: '2_b', document: { about: 'second' } },
  ]);
  await work.promote(key.customer, 'render', 1);
});

/** A handler that does as told; what it was asked for. */
function handlerOf(run: (attempt: number, hold: WorkHold) => Promise<void>) {
  const done = { runs: 0, givenUp: [] as string[] };
  const handler: WorkHandler = {
    run: (_customer, _document, hold) => {
      done.runs += 1;
      return run(done.runs, hold);
    },
    giveUp: (_customer, _document, { reason }) => {
      done.givenUp.push(reason);
      return Promise.resolve();
    },
  };
  return { done, run: runWork(ports, handler) };
}

const fail = (): Promise<void> => Promise.reject(new Error('a bug'));
const succeed = (): Promise<void> => Promise.resolve();
const active = () => work.find(key);

describe('work that succeeds', () => {
  test('is taken away, and the next gets its message', async () => {
    await handlerOf(succeed).run(key);
    expect(await active()).toBeUndefined();
    expect(queue.messages.map(({ key: { id } }) => id)).toEqual(['2_b']);
  });

  test('is done once, however often its message comes', async () => {
    const { done, run } = handlerOf(succeed);
    await run(key);
    await run(key);
    expect(done.runs).toBe(1);
  });
});

describe('work that is being done', () => {
  test('is not begun by a second message', async () => {
    let finish = (): void => undefined;
    const first = handlerOf(() => new Promise((resolve) => (finish = resolve)));
    const running = first.run(key);
    await settle();
    const second = handlerOf(succeed);
    await second.run(key);
    expect(second.done.runs).toBe(0);
    finish();
    await running;
    expect(await active()).toBeUndefined();
  });

  test('stays held by its attempt as long as that lives', async () => {
    let finish = (): void => undefined;
    const running = handlerOf(() => new Promise((resolve) => (finish = resolve))).run(key);
    await settle();
    await clock.advance(5 * MINUTE);
    const second = handlerOf(succeed);
    await second.run(key);
    expect(second.done.runs).toBe(0);
    finish();
    await running;
  });

  test('is begun anew a minute after its attempt has died', async () => {
    const { work: claimedWork } = (await active())!;
    await work.replace(
      { ...claimedWork, attempts: 1, notBefore: clock.now().getTime() + MINUTE },
      (await active())!.etag,
    );
    const second = handlerOf(succeed);
    await second.run(key);
    expect(second.done.runs).toBe(0);
    clock.jump(MINUTE);
    await second.run(key);
    expect(second.done.runs).toBe(1);
  });

  test('that somebody else took away aborts its attempt', async () => {
    let signal: AbortSignal | undefined;
    let finish = (): void => undefined;
    const running = handlerOf((_, hold) => {
      signal = hold.signal;
      return new Promise((resolve) => (finish = resolve));
    }).run(key);
    await settle();
    const stored = (await active())!;
    await work.remove(key, stored.etag);
    await clock.advance(MINUTE / 3);
    expect(signal?.aborted).toBe(true);
    finish();
    await running;
  });
});

describe('work that fails by itself', () => {
  test('is tried five times with growing pauses, then given up with the last reason', async () => {
    const { done, run } = handlerOf(fail);
    for (const pause of [15, 60, 240, 900, 900]) {
      await run(key);
      const { work: waiting } = (await active())!;
      expect((waiting.notBefore - clock.now().getTime()) / 1000).toBe(pause);
      clock.jump(pause * 1000);
    }
    await run(key);
    expect(done).toEqual({ runs: 5, givenUp: ['an error of the service'] });
    expect(await active()).toBeUndefined();
  });

  test('counts its attempts anew when it has brought something about', async () => {
    const { done, run } = handlerOf(async (_, hold) => {
      await hold.progressed();
      throw new Error('a bug');
    });
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await run(key);
      clock.jump(15 * MINUTE);
    }
    expect(done).toEqual({ runs: 20, givenUp: [] });
  });
});

describe('work that waits for another system', () => {
  const away = (): Promise<void> => Promise.reject(new CatalogueError('unavailable', 'away'));

  test('waits a day and longer without using up an attempt', async () => {
    const { done, run } = handlerOf(away);
    for (let quarters = 0; quarters < 100; quarters += 1) {
      await run(key);
      clock.jump(15 * MINUTE);
    }
    expect(done.runs).toBe(100);
    expect((await active())?.work).toMatchObject({ attempts: 0, waits: 100 });
  });

  test.each([
    { why: 'waits as long as it is told to', retryAfterSeconds: 600, minutes: 10 },
    { why: 'believes that up to 15 minutes', retryAfterSeconds: 900_000, minutes: 15 },
  ])('$why', async ({ retryAfterSeconds, minutes }) => {
    const { run } = handlerOf(() => Promise.reject(new CatalogueError('unavailable', 'away', { retryAfterSeconds })));
    await run(key);
    expect((await active())!.work.notBefore).toBe(clock.now().getTime() + minutes * MINUTE);
  });

  test('is given up after some days', async () => {
    const { done, run } = handlerOf(away);
    for (let quarters = 0; quarters < 251; quarters += 1) {
      await run(key);
      clock.jump(15 * MINUTE);
    }
    expect(done.givenUp).toEqual(['away']);
  });
});

describe('a message in the poison queue', () => {
  test('is sent again when its work is still to be done, at the instant it is due', async () => {
    await handlerOf(fail).run(key);
    queue.messages.length = 0;
    await revivePoisoned(ports)(key);
    expect(queue.messages).toEqual([{ key, visibleAt: clock.now().getTime() + 15_000 }]);
  });

  test('of work that is done is dropped', async () => {
    await handlerOf(succeed).run(key);
    queue.messages.length = 0;
    await revivePoisoned(ports)(key);
    expect(queue.messages).toEqual([]);
  });

  test('never throws', async () => {
    work.find = () => Promise.reject(new Error('away'));
    await expect(revivePoisoned(ports)(key)).resolves.toBeUndefined();
  });
});

describe('the rules of claiming', () => {
  const fresh = activated(key, 0);
  test.each([
    { why: 'fresh work may begin', changes: {}, expected: 'claim' },
    { why: 'work not yet due waits', changes: { notBefore: 1_001 }, expected: 'wait' },
    {
      why: 'work held by another waits, whatever its attempts',
      changes: { notBefore: 1_001, attempts: 9 },
      expected: 'wait',
    },
    { why: 'four attempts leave one', changes: { attempts: 4 }, expected: 'claim' },
    { why: 'five are all', changes: { attempts: 5 }, expected: 'exhausted' },
    { why: 'so are 250 waits', changes: { waits: 250 }, expected: 'exhausted' },
  ])('$why', ({ changes, expected }) => {
    expect(claimDecision({ ...fresh, ...changes }, 1_000)).toBe(expected);
  });

  test('days sort newest first as text', () => {
    const days = ['2026-06-17', '2025-12-31', '2026-01-01', '2026-06-12'];
    expect(days.toSorted((a, b) => (newestFirst(a) < newestFirst(b) ? -1 : 1))).toEqual([
      '2026-06-17',
      '2026-06-12',
      '2026-01-01',
      '2025-12-31',
    ]);
  });
});
