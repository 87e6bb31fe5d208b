import { beforeEach, describe, expect, test } from '@jest/globals';
import { PRODUCT } from '../../../shared/imagery/discovery/product.js';
import { bothAsks, orderOf, type Lane, type Unit } from '../../../shared/imagery/units/unit.js';
import { waitingUnitsReader } from '../../../shared/imagery/work/tableWaitingWorkReader.js';
import type { FailureCounts } from '../../../shared/work/workItem.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-06-17T18:00:00Z');
/** What is open since then or before has waited for long. */
const BEFORE = NOW - 6 * HOUR_MS;

let kernel: WorkInMemory;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock(new Date(NOW - 48 * HOUR_MS).toISOString());
  kernel = new WorkInMemory(() => clock);
});

const aUnit = (more: Partial<Unit> = {}): Unit => ({
  ...{ tile: '33UUP', date: '2026-06-16', cell: 7, part: '0', from: '07|b', to: '07|d' },
  ...{ lane: 'live', publishedAt: NOW - HOUR_MS },
  ...more,
});

/** Time passes until an instant, when the unit is asked for. */
async function askedAt(instant: number, unit: Unit): Promise<void> {
  clock.jump(instant - clock.now().getTime());
  await kernel.enqueuer.ask(orderOf(unit), (before) => bothAsks(unit, before));
}

/** An attempt has written what it could not do. */
async function failed(unit: Unit, failures: FailureCounts): Promise<void> {
  const stored = (await kernel.store.find(orderOf(unit)))!;
  await kernel.store.update(stored, { ...stored.item, failures, notBefore: NOW + HOUR_MS, checkAt: NOW + HOUR_MS });
}

const waiting = () => waitingUnitsReader(kernel.store)(BEFORE);

describe('units that wait for long', () => {
  test.each<{ why: string; lane: Lane; publishedAt: number; at: number; since?: number }>([
    { why: 'live, published long ago', lane: 'live', publishedAt: BEFORE, at: NOW - HOUR_MS, since: BEFORE },
    { why: 'live, published a little later', lane: 'live', publishedAt: BEFORE + 1, at: BEFORE + 2 },
    { why: 'late, asked for long ago', lane: 'late', publishedAt: 0, at: BEFORE, since: BEFORE },
    // However long ago its scene was published: an archive may be processed anew.
    { why: 'late, asked for a little later', lane: 'late', publishedAt: 0, at: BEFORE + 1 },
  ])('$why', async ({ lane, publishedAt, at, since }) => {
    await askedAt(at, aUnit({ lane, publishedAt }));
    expect(await waiting()).toEqual(since === undefined ? [] : [{ date: '2026-06-16', since }]);
  });

  test('count on from the first ask when they are asked for again', async () => {
    const late = aUnit({ lane: 'late', publishedAt: 0 });
    await askedAt(BEFORE, late);
    await askedAt(NOW, { ...late, from: '07|a' });
    expect(await waiting()).toEqual([{ date: '2026-06-16', since: BEFORE }]);
  });

  test.each<{ why: string; failures: FailureCounts; isTold: boolean }>([
    { why: 'ten outages in a row', failures: { outage: { count: 10, since: NOW } }, isTold: true },
    { why: 'ten refusals in a row', failures: { refusal: { count: 10, since: NOW } }, isTold: true },
    { why: 'nine of them', failures: { refusal: { count: 9, since: NOW } }, isTold: false },
  ])('are told of with $why, however new they are', async ({ failures, isTold }) => {
    const unit = aUnit();
    await askedAt(NOW - HOUR_MS, unit);
    await failed(unit, failures);
    expect(await waiting()).toEqual(isTold ? [{ date: '2026-06-16', since: unit.publishedAt }] : []);
  });

  test('are none that are done, and no other work', async () => {
    const unit = aUnit({ publishedAt: BEFORE });
    await askedAt(BEFORE, unit);
    await kernel.enqueuer.ask({ kind: PRODUCT, id: '|33UUP|79739382|a|b' });
    await kernel.store.delete((await kernel.store.find(orderOf(unit)))!);
    expect(await waiting()).toEqual([]);
  });

  test('are found in whichever partition they lie', async () => {
    const cells = Array.from({ length: 36 }, (_, cell) => cell);
    for (const cell of cells) await askedAt(BEFORE, aUnit({ cell, publishedAt: BEFORE }));
    expect(await waiting()).toHaveLength(cells.length);
  });
});
