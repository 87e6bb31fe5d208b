import { describe, expect, test } from '@jest/globals';
import {
  bothAsks,
  laneOf,
  orderOf,
  unitOf,
  type Lane,
  type Unit,
  type UnitAsk,
} from '../../../shared/imagery/units/unit.js';
import { workQueues } from '../../../shared/wiring/areas/workServices.js';
import { enqueuer } from '../../../shared/work/enqueue.js';
import { sweepWork } from '../../../shared/work/upkeep/sweepWork.js';
import { WorkStore } from '../../../shared/work/item/workStore.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryMessages } from '../../support/memoryMessages.js';
import { MemoryRows } from '../../support/memoryRows.js';

const HOUR = 3_600_000;
const asked: UnitAsk = { from: '07|b', to: '07|d', lane: 'live', publishedAt: 100 };
const theUnit: Unit = { tile: '33UUP', date: '2026-06-17', cell: 7, part: '0', ...asked };

describe('a unit as work', () => {
  test('is nobody’s, and what was asked of it is no part of its name', () => {
    expect(orderOf(theUnit)).toEqual({ kind: 'unit', id: '|33UUP|2026-06-17|07|0', facts: asked });
  });

  test.each<Partial<Unit>>([{}, { cell: 0 }, { cell: 35, part: '12' }, { tile: '01CCV' }, { lane: 'late' }])(
    'is the same unit again: %j',
    (more) => {
      const unit = { ...theUnit, ...more };
      expect(unitOf(orderOf(unit))).toEqual(unit);
    },
  );

  test('keeps the traces of what asked for it, each once and ten at most', () => {
    const origins = Array.from({ length: 12 }, (_, index) => `trace-${index}`);
    const askedBy = (...names: string[]): UnitAsk => ({ ...asked, origins: names });
    const facts = orderOf({ ...theUnit, origins: ['trace-0'] }).facts!;
    expect(facts).toEqual({ ...asked, origins: ['trace-0'] });
    expect(bothAsks(askedBy('trace-1'), facts)).toEqual(askedBy('trace-0', 'trace-1'));
    expect(bothAsks(askedBy('trace-0'), facts)).toEqual(askedBy('trace-0'));
    expect(bothAsks(askedBy(...origins), facts)).toEqual(askedBy(...origins.slice(0, 10)));
  });

  test.each<[ageMs: number, lane: Lane]>([
    [0, 'live'],
    [HOUR, 'live'],
    [HOUR + 1, 'late'],
  ])('of a scene that was published %i ms ago is %s', (ageMs, lane) => {
    expect(laneOf(0, ageMs)).toBe(lane);
  });
});

describe('a unit that is asked for once more', () => {
  test.each<{ why: string; more: Partial<UnitAsk>; both: Partial<UnitAsk> }>([
    { why: 'the same changes nothing', more: {}, both: {} },
    { why: 'fewer fields: those of before stay', more: { from: '07|c', to: '07|c' }, both: {} },
    { why: 'fields before and behind', more: { from: '07|a', to: '07|e' }, both: { from: '07|a', to: '07|e' } },
    { why: 'fields before', more: { from: '07|a', to: '07|a' }, both: { from: '07|a' } },
    { why: 'a late scene keeps no live one waiting', more: { lane: 'late' }, both: {} },
    { why: 'a newer scene', more: { publishedAt: 200 }, both: { publishedAt: 200 } },
    { why: 'an older scene', more: { publishedAt: 50 }, both: {} },
  ])('$why', ({ more, both }) => {
    const again: UnitAsk = { ...asked, ...more };
    expect(bothAsks(again, { ...asked })).toEqual({ ...asked, ...both });
    // Whoever comes first: the same is asked in the end.
    expect(bothAsks(asked, { ...again })).toEqual({ ...asked, ...both });
  });

  test('and was late both times is late', () => {
    const late: UnitAsk = { ...asked, lane: 'late' };
    expect(bothAsks(late, { ...late })).toEqual(late);
  });
});

/** Work as it is stored and sent, each queue by its name. */
function theKernel() {
  const clock = new ManualClock();
  const queued = new Map<string, MemoryMessages>();
  const messages = (name: string): MemoryMessages => {
    const queue = queued.get(name) ?? new MemoryMessages(() => clock.now().getTime());
    queued.set(name, queue);
    return queue;
  };
  const queues = workQueues({ messages }, clock, () => undefined);
  const lanes = { wait: () => Promise.reject(new Error('A unit needs no slot.')) };
  const ports = { store: new WorkStore(new MemoryRows()), queues, clock, lanes };
  return {
    clock,
    ask: (unit: Unit) => enqueuer(ports).ask(orderOf(unit), { both: (before) => bothAsks(unit, before) }),
    sweep: sweepWork({ ...ports, log: () => undefined }),
    /** How many messages lie in each queue that has any, all of them taken. */
    take: () =>
      Object.fromEntries(
        [...queued].flatMap(([name, { sent }]) => {
          const { length } = sent.splice(0);
          return length === 0 ? [] : [[name, length]];
        }),
      ),
  };
}

describe('the message of a unit', () => {
  const late: Unit = { ...theUnit, lane: 'late' };

  test.each<[Lane, string]>([
    ['live', 'imagery-live'],
    ['late', 'imagery-late'],
  ])('of the lane %s goes to %s, and so does the one that the sweep sends again', async (lane, queue) => {
    const kernel = theKernel();
    await kernel.ask({ ...theUnit, lane });
    expect(kernel.take()).toEqual({ [queue]: 1 });
    kernel.clock.jump(HOUR);
    expect(await kernel.sweep()).toMatchObject({ sent: 1 });
    expect(kernel.take()).toEqual({ [queue]: 1 });
  });

  test('goes the live way once a new scene asks for a late unit', async () => {
    const kernel = theKernel();
    await kernel.ask(late);
    await kernel.ask(theUnit);
    expect(kernel.take()).toEqual({ 'imagery-late': 1, 'imagery-live': 1 });
  });
});
