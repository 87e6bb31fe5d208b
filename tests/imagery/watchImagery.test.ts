import { beforeEach, describe, expect, test } from '@jest/globals';
import { askBackfill, askRetry, BACKFILL } from '../../shared/imagery/discovery/backfill.js';
import { PRODUCT } from '../../shared/imagery/products/product.js';
import { bothAsks, orderOf, UNIT, type Lane, type Unit } from '../../shared/imagery/units/unit.js';
import { waitingWork, watchImagery, type WaitingWork } from '../../shared/imagery/watchImagery.js';
import { claimed, type FailureCounts, type WorkItem } from '../../shared/work/item/workItem.js';
import { ManualClock } from '../support/manualClock.js';
import { WorkInMemory } from '../support/workInMemory.js';

const HOUR_MS = 3_600_000;

test('imagery that customers wait for is counted: late on the latest days, and waiting whatever the day', async () => {
  const clock = new ManualClock('2026-06-15T12:00:00Z');
  const hoursAgo = (hours: number): number => clock.now().getTime() - hours * HOUR_MS;
  const works: readonly WaitingWork[] = [
    { customer: 'fresh', date: '2026-06-14', since: hoursAgo(1) },
    { customer: 'late', date: '2026-06-14', since: hoursAgo(7) },
    { customer: 'late', date: '2026-06-05', since: hoursAgo(30) },
    // A backfill may take its time, but not for ever.
    { customer: 'patient', date: '2025-06-14', since: hoursAgo(7) },
    { customer: 'late', date: '2025-06-13', since: hoursAgo(25) },
    // Units are of several customers.
    { date: '2026-06-14', since: hoursAgo(7) },
    { date: '2026-06-14', since: hoursAgo(1) },
    // A flood of old scenes may take its time as well.
    { date: '2025-06-13', since: hoursAgo(7) },
    { date: '2025-06-12', since: hoursAgo(25) },
  ];
  const asked: number[] = [];
  const watch = watchImagery({
    listWaiting: (before) => {
      asked.push(before);
      return Promise.resolve(works.filter(({ since }) => since <= before));
    },
    clock,
  });
  expect(await watch()).toEqual({ late: 3, waiting: 3, waitingUnits: 2, waitingCustomers: 1 });
  expect(asked).toEqual([hoursAgo(6)]);
});

const NOW = Date.parse('2026-06-17T18:00:00Z');
/** What is open since then or before has waited for long. */
const BEFORE = NOW - 6 * HOUR_MS;

let kernel: WorkInMemory;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock(new Date(NOW - 48 * HOUR_MS).toISOString());
  kernel = new WorkInMemory(() => clock);
});

const waiting = () => waitingWork(kernel.store)(BEFORE);
const passTo = (instant: number): void => {
  clock.jump(instant - clock.now().getTime());
};

const aUnit = (more: Partial<Unit> = {}): Unit => ({
  ...{ tile: '33UUP', date: '2026-06-16', cell: 7, part: '0', from: '07|b', to: '07|d' },
  ...{ lane: 'live', publishedAt: NOW - HOUR_MS },
  ...more,
});

/** Time passes until an instant, when the unit is asked for. */
async function unitAskedAt(instant: number, unit: Unit): Promise<void> {
  passTo(instant);
  await kernel.enqueuer.ask(orderOf(unit), { both: (before) => bothAsks(unit, before) });
}

/** The same for the days of a month that ends on the 16th. */
async function backfillAskedAt(instant: number): Promise<void> {
  passTo(instant);
  const days = { from: '2026-05-17', to: '2026-06-16' };
  await askBackfill(kernel.enqueuer, { customer: 'contoso', enrollmentId: 'e1', ...days, why: 'new' });
}

/** Writes what an attempt has made of the only work of a kind. */
async function becomes(kind: string, next: (item: WorkItem) => WorkItem): Promise<void> {
  const [item] = await kernel.store.list(kind);
  const stored = (await kernel.store.find(item!))!;
  await kernel.store.update(stored, next(stored.item));
}

const manyFailures: readonly { readonly why: string; readonly failures: FailureCounts; readonly isTold: boolean }[] = [
  { why: 'ten outages in a row', failures: { outage: { count: 10, since: NOW } }, isTold: true },
  { why: 'ten refusals in a row', failures: { refusal: { count: 10, since: NOW } }, isTold: true },
  { why: 'nine of them', failures: { refusal: { count: 9, since: NOW } }, isTold: false },
];

describe('units that wait for long', () => {
  test.each<{ why: string; lane: Lane; publishedAt: number; at: number; since?: number }>([
    { why: 'live, published long ago', lane: 'live', publishedAt: BEFORE, at: NOW - HOUR_MS, since: BEFORE },
    { why: 'live, published a little later', lane: 'live', publishedAt: BEFORE + 1, at: BEFORE + 2 },
    { why: 'late, asked for long ago', lane: 'late', publishedAt: 0, at: BEFORE, since: BEFORE },
    // However long ago its scene was published: an archive may be processed anew.
    { why: 'late, asked for a little later', lane: 'late', publishedAt: 0, at: BEFORE + 1 },
  ])('$why', async ({ lane, publishedAt, at, since }) => {
    await unitAskedAt(at, aUnit({ lane, publishedAt }));
    expect(await waiting()).toEqual(since === undefined ? [] : [{ date: '2026-06-16', since }]);
  });

  test.each([
    { why: 'late ones', first: aUnit({ lane: 'late', publishedAt: 0 }), again: { from: '07|a' } },
    { why: 'live ones of a scene that comes anew', first: aUnit({ publishedAt: BEFORE }), again: { publishedAt: NOW } },
  ])('count on from the first ask when they are asked for again: $why', async ({ first, again }) => {
    await unitAskedAt(BEFORE, first);
    await unitAskedAt(NOW, { ...first, ...again });
    expect(await waiting()).toEqual([{ date: '2026-06-16', since: BEFORE }]);
  });

  test.each(manyFailures)('are told of with $why, however new they are', async ({ failures, isTold }) => {
    const unit = aUnit();
    await unitAskedAt(NOW - HOUR_MS, unit);
    await becomes(UNIT, (item) => ({ ...item, failures, notBefore: NOW + HOUR_MS, checkAt: NOW + HOUR_MS }));
    expect(await waiting()).toEqual(isTold ? [{ date: '2026-06-16', since: unit.publishedAt }] : []);
  });

  test('are none that are done, and no other work', async () => {
    const unit = aUnit({ publishedAt: BEFORE });
    await unitAskedAt(BEFORE, unit);
    await kernel.enqueuer.ask({ kind: PRODUCT, id: '|33UUP|79739382|a|b' });
    await kernel.store.delete((await kernel.store.find(orderOf(unit)))!);
    expect(await waiting()).toEqual([]);
  });

  test('are found in whichever partition they lie', async () => {
    const cells = Array.from({ length: 36 }, (_, cell) => cell);
    for (const cell of cells) await unitAskedAt(BEFORE, aUnit({ cell, publishedAt: BEFORE }));
    expect(await waiting()).toHaveLength(cells.length);
  });
});

describe('backfills that wait for long', () => {
  const told = { customer: 'contoso', date: '2026-06-16', since: BEFORE };

  test('are those that were asked for long ago, whose customer is told', async () => {
    await backfillAskedAt(BEFORE);
    expect(await waiting()).toEqual([told]);
  });

  test('are none that were asked for a little later', async () => {
    await backfillAskedAt(BEFORE + 1);
    expect(await waiting()).toEqual([]);
  });

  test('are such while an attempt is at them, too', async () => {
    await backfillAskedAt(BEFORE);
    await becomes(BACKFILL, (item) => claimed(item, { claim: 'a', leaseEnd: NOW, now: NOW }));
    expect(await waiting()).toEqual([told]);
  });

  test.each(manyFailures)('are told of with $why, however new they are', async ({ failures, isTold }) => {
    await backfillAskedAt(NOW - HOUR_MS);
    await becomes(BACKFILL, (item) => ({ ...item, failures }));
    expect(await waiting()).toEqual(isTold ? [{ ...told, since: NOW - HOUR_MS }] : []);
  });

  describe('of a failure that is tried again on a later day', () => {
    const DUE = Date.parse('2026-06-17T05:30:00Z');
    const dueOn = (dueDate: string): Promise<void> =>
      askRetry(kernel.enqueuer)({ customer: 'contoso', enrollmentId: 'e1', date: '2026-06-16', dueDate });

    test('wait from that day on', async () => {
      await dueOn('2026-06-17');
      expect(await waitingWork(kernel.store)(DUE - 1)).toEqual([]);
      expect(await waiting()).toEqual([{ ...told, since: DUE }]);
    });

    test('don’t wait since they failed while an attempt is at them', async () => {
      await dueOn('2026-06-17');
      await becomes(BACKFILL, (item) => claimed(item, { claim: 'a', leaseEnd: NOW, now: DUE }));
      expect(await waitingWork(kernel.store)(DUE - 1)).toEqual([]);
    });

    test('don’t wait before, however long ago it failed', async () => {
      await dueOn('2026-06-18');
      expect(await waiting()).toEqual([]);
    });
  });
});
