/** Work of a tenant that operators hold: it waits, and nothing that it waits for is counted against it. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { heldLaneOf, jobsLaneOf, SLOW_LANE } from '../../shared/work/lanes/lane.js';
import { isDead, shownWork } from '../../shared/work/upkeep/deadWork.js';
import type { Failure } from '../../shared/work/item/retry.js';
import { newItem, type WorkKey } from '../../shared/work/item/workItem.js';
import { done, type Outcome, type WorkKind } from '../../shared/work/item/workKind.js';
import { usualPace } from '../../shared/kit/retryDelay.js';
import { ManualClock } from '../support/manualClock.js';
import { WorkInMemory } from '../support/workInMemory.js';

const DAY_MS = 24 * 3_600_000;
const key: WorkKey = { kind: 'gdd', id: 'tenant-a|corn' };
const outage = { ...usualPace, maximumElapsedMs: DAY_MS };
const retry = { fault: { ...usualPace, maximumAttempts: 5 }, outage, refusal: outage };

let clock: ManualClock;
let kernel: WorkInMemory;
let isHeld: boolean;
let runs: number;
let attempt: () => Outcome;
let away: Failure;
beforeEach(() => {
  clock = new ManualClock();
  kernel = new WorkInMemory(() => clock);
  [isHeld, runs, attempt] = [true, 0, () => done];
  away = { failureClass: 'outage', reason: 'Somebody is away.' };
  kernel.isHeld = (tenant) => Promise.resolve(isHeld && tenant === 'tenant-a');
  kernel.slotsOf = (lane) => (lane === heldLaneOf('tenant-a') && isHeld ? 0 : 8);
});

const kindOf = (waitsWhileHeld: boolean): WorkKind => ({
  kind: 'gdd',
  leaseMs: 60_000,
  begin: () =>
    Promise.resolve({
      ...{ retry, failureOf: () => away, giveUp: () => Promise.resolve(done) },
      ...(waitsWhileHeld ? { waitsWhileHeld: true } : {}),
      run: () => {
        runs += 1;
        return Promise.resolve(attempt());
      },
    }),
});

/** Whatever has a message is done, for so many minutes with their sweeps. */
async function pass(minutes: number, kind = kindOf(true)): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let next = kernel.takeNext(); next !== undefined; next = kernel.takeNext()) await kernel.handle(next, kind);
    await clock.advance(60_000);
    await kernel.sweep();
  }
  for (let next = kernel.takeNext(); next !== undefined; next = kernel.takeNext()) await kernel.handle(next, kind);
}

/** What a release does. */
async function release(): Promise<void> {
  isHeld = false;
  await kernel.lanes.fill(heldLaneOf('tenant-a'));
}

describe('work of a tenant that is held', () => {
  test('waits however long it takes, with no attempt, and is sent by the release', async () => {
    await kernel.enqueuer.ask(key);
    await pass(3 * 24 * 60);
    expect([runs, (await kernel.find(key))?.attempts]).toEqual([0, 0]);
    await release();
    expect(kernel.sent).toHaveLength(1);
    await pass(0);
    expect([runs, await kernel.find(key)]).toEqual([1, undefined]);
    await pass(1);
    expect(await kernel.waitingTickets()).toBe(0);
  });

  test('that is held again is sent by the next release too', async () => {
    let isDue = false;
    attempt = () => (isDue ? done : { kind: 'wait', until: clock.now().getTime() + 30_000, place: { step: 'again' } });
    await kernel.enqueuer.ask(key);
    await pass(1);
    await release();
    await pass(1);
    isHeld = true;
    await pass(3);
    isDue = true;
    await release();
    expect(kernel.sent).toHaveLength(1);
    await pass(0);
    expect(await kernel.find(key)).toBeUndefined();
  });

  test('has the whole day behind the release for what was away before the hold', async () => {
    isHeld = false;
    attempt = () => {
      throw new Error('Away.');
    };
    await kernel.enqueuer.ask(key);
    await pass(23 * 60);
    isHeld = true;
    await pass(48 * 60);
    const before = runs;
    await release();
    await pass(23 * 60);
    expect(runs).toBeGreaterThan(before + 10);
    expect(await kernel.find(key)).toBeDefined();
  });

  test('has it too where it stood behind others and nobody looked at it', async () => {
    isHeld = false;
    attempt = () => {
      throw new Error('Away.');
    };
    const last = clock.now().getTime() + 2 * DAY_MS;
    away = { failureClass: 'outage', reason: 'Somebody is away.', until: last };
    await kernel.enqueuer.ask(key);
    await pass(60);
    clock.jump(3 * DAY_MS);
    const releasedAt = clock.now().getTime();
    kernel.releasedAt = () => Promise.resolve(releasedAt);
    await pass(23 * 60);
    expect(await kernel.find(key)).toBeDefined();
    await pass(2 * 60);
    expect(await kernel.find(key)).toBeUndefined();
  });

  test('is shown as held', async () => {
    await kernel.enqueuer.ask(key);
    await pass(1);
    const item = (await kernel.find(key))!;
    expect([isDead(item, clock.now().getTime()), shownWork(item)]).toMatchObject([true, { id: key.id, isHeld: true }]);
  });

  test('keeps its slot among its own, and leaves one that other tenants wait for', async () => {
    const [own, ofAll] = [jobsLaneOf(key), SLOW_LANE];
    await kernel.store.insert({ ...newItem(key, clock.now().getTime()), lanes: [own, ofAll] });
    for (const lane of [own, ofAll]) await kernel.takeSlot(lane, { ...key, askedAt: clock.now().getTime() });
    await kernel.handle(key, kindOf(true));
    const holdersOf = async (lane: string) => (await kernel.laneStore.read(lane, 9)).state.holders.length;
    expect([await holdersOf(own), await holdersOf(ofAll)]).toEqual([1, 0]);
  });

  test('goes on where it ends or takes back something', async () => {
    await kernel.enqueuer.ask(key);
    await pass(1, kindOf(false));
    expect([runs, await kernel.find(key)]).toEqual([1, undefined]);
  });
});
