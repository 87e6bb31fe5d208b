import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  advanced,
  backfillsLaneOf,
  emptyLane,
  importsLaneOf,
  jobsLaneOf,
  laneKindOf,
  nameOf,
  ownerOfLane,
  SLOW_LANE,
  type LaneState,
  type Ticket,
} from '../../../shared/work/lanes/lane.js';
import { ownerOf, type WorkKey } from '../../../shared/work/item/workItem.js';
import { tries } from '../../support/fullRun.js';

const ticket = (tenant: string, job: string, askedAt: number): Ticket => ({
  kind: 'smartBoundary',
  id: `${tenant}|${job}`,
  askedAt,
});
/** What the tickets are of, without their tenants. */
const jobsOf = (keys: readonly WorkKey[]): readonly string[] => keys.map(({ id }) => id.slice(id.indexOf('|') + 1));
const nobody = new Set<string>();
const five = { slots: 5, checkAt: 1, gone: nobody };

/** Lets one holder after the other leave until nobody waits. @returns who got a slot, in this order */
function served(tickets: readonly Ticket[], slots: number): readonly string[] {
  const order: string[] = [];
  let waiting = [...tickets];
  let state: LaneState = emptyLane;
  let gone = nobody;
  do {
    const next = advanced(state, waiting, { slots, checkAt: 1, gone });
    order.push(...jobsOf(next.promoted));
    waiting = waiting.filter((one) => !next.spent.includes(one));
    ({ state } = next);
    const [first] = state.holders;
    gone = first === undefined ? nobody : new Set([nameOf(first)]);
  } while (waiting.length > 0);
  return order;
}

describe('a lane with five slots', () => {
  test('gives them to the first five who asked, whatever the order in which the tickets are read', () => {
    const tickets = [7, 3, 5, 1, 2, 6, 4].map((n) => ticket('a', `job-${n}`, n));
    const { promoted, state, spent } = advanced(emptyLane, tickets, five);
    expect(jobsOf(promoted)).toEqual(['job-1', 'job-2', 'job-3', 'job-4', 'job-5']);
    expect(state.holders.every(({ checkAt }) => checkAt === 1)).toBe(true);
    expect(spent).toEqual(promoted);
  });

  test('gives none while all are taken, and one for each who has gone', () => {
    const full = advanced(
      emptyLane,
      [1, 2, 3, 4, 5].map((n) => ticket('a', `job-${n}`, n)),
      five,
    ).state;
    const waiting = [ticket('a', 'next', 6), ticket('a', 'last', 7)];
    expect(advanced(full, waiting, five).promoted).toEqual([]);
    const gone = new Set([nameOf(ticket('a', 'job-2', 0))]);
    const next = advanced(full, waiting, { ...five, gone });
    expect(jobsOf(next.promoted)).toEqual(['next']);
    expect(jobsOf(next.state.holders)).toEqual(['job-1', 'job-3', 'job-4', 'job-5', 'next']);
  });

  test('gives a job one slot, however many tickets it has, and none to one that has gone', () => {
    const tickets = [ticket('a', 'twice', 1), ticket('a', 'twice', 2), ticket('a', 'gone', 3), ticket('a', 'other', 4)];
    const gone = new Set([nameOf(ticket('a', 'gone', 0))]);
    const { promoted, spent } = advanced(emptyLane, tickets, { ...five, gone });
    expect(jobsOf(promoted)).toEqual(['twice', 'other']);
    expect(spent).toHaveLength(4);
    const again = advanced(advanced(emptyLane, tickets, five).state, [ticket('a', 'twice', 9)], five);
    expect(again).toMatchObject({ promoted: [], spent: [ticket('a', 'twice', 9)] });
  });

  test('gives every free slot, however few tickets those have who are first', () => {
    const tickets = [ticket('few', 'f0', 1), ...[2, 3, 4].map((n) => ticket('many', `m${n}`, n))];
    expect(jobsOf(advanced(emptyLane, tickets, five).promoted)).toEqual(['f0', 'm2', 'm3', 'm4']);
  });

  test('moves the instant at which a holder is looked at', () => {
    const { state } = advanced(emptyLane, [ticket('a', 'x', 1)], five);
    const checks = new Map([[nameOf(ticket('a', 'x', 1)), 99]]);
    expect(advanced(state, [], { ...five, checks }).state.holders).toMatchObject([{ id: 'a|x', checkAt: 99 }]);
  });
});

describe('tenants who share a lane', () => {
  test('take turns: the only job of one comes before the second of the other', () => {
    const many = Array.from({ length: 6 }, (_, n) => ticket('many', `m${n}`, n));
    expect(served([...many, ticket('few', 'f0', 100)], 1)).toEqual(['m0', 'f0', 'm1', 'm2', 'm3', 'm4', 'm5']);
  });

  test('a newcomer comes after those who have waited for their turn since before', () => {
    const first = advanced(emptyLane, [ticket('a', 'a0', 1), ticket('a', 'a1', 2), ticket('b', 'b0', 3)], {
      ...five,
      slots: 1,
    });
    const waiting = [ticket('a', 'a1', 2), ticket('b', 'b0', 3), ticket('c', 'c0', 4)];
    const leave = (state: LaneState) => new Set(state.holders.map(nameOf));
    const second = advanced(first.state, waiting, { ...five, slots: 1, gone: leave(first.state) });
    expect(jobsOf(second.promoted)).toEqual(['b0']);
    const third = advanced(second.state, [ticket('a', 'a1', 2), ticket('c', 'c0', 4)], {
      ...five,
      slots: 1,
      gone: leave(second.state),
    });
    expect(jobsOf(third.promoted)).toEqual(['a1']);
  });

  test('whose turn came at the same time: the one with fewer slots is first, then the one that asked first', () => {
    const holding = [ticket('a', 'a0', 1), ticket('a', 'a1', 2), ticket('b', 'b0', 3)];
    const { state } = advanced(emptyLane, holding, { ...five, slots: 3 });
    const newcomers = [ticket('a', 'a2', 10), ticket('b', 'b1', 11), ticket('c', 'c0', 13), ticket('d', 'd0', 12)];
    const { promoted } = advanced(state, newcomers, { ...five, slots: 7 });
    expect(promoted.map(ownerOf)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('are remembered by their turn while they wait, and no longer', () => {
    const tickets = [ticket('a', 'a0', 1), ticket('b', 'b0', 2), ticket('b', 'b1', 3)];
    const { state } = advanced(emptyLane, tickets, { ...five, slots: 2 });
    expect(state).toMatchObject({ turn: 2, turns: { b: 2 } });
    expect(Object.keys(state.turns)).toEqual(['b']);
  });

  test('each in the order of asking, and between two turns of one every other waiting tenant has one', () => {
    const law = fc.property(
      fc.array(fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'd'), at: fc.nat(50) }), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.integer({ min: 1, max: 7 }),
      (asked, slots) => {
        const tickets = asked.map(({ tenant, at }, n) => ticket(tenant, `${tenant}-${n}`, at));
        const order = served(tickets, slots);
        expect([...order].sort()).toEqual([...jobsOf(tickets)].sort());
        const tenantOf = (job: string): string => job.slice(0, 1);
        for (const tenant of 'abcd') {
          const own = tickets.filter((one) => ownerOf(one) === tenant);
          const inOrder = jobsOf([...own].sort((a, b) => a.askedAt - b.askedAt));
          expect(order.filter((job) => tenantOf(job) === tenant)).toEqual(inOrder);
          const turns = order.flatMap((job, at) => (tenantOf(job) === tenant ? [at] : []));
          for (const [n, at] of turns.slice(1).entries()) {
            const between = new Set(order.slice(turns[n]! + 1, at).map(tenantOf));
            const waiting = new Set(order.slice(at).map(tenantOf));
            waiting.delete(tenant);
            expect([...waiting].filter((other) => !between.has(other))).toEqual([]);
          }
        }
      },
    );
    fc.assert(law, { numRuns: tries(500) });
  });
});

describe('the name of a lane', () => {
  test.each([
    { lane: jobsLaneOf({ kind: 'gdd', id: 'tid|spring-corn' }), kind: 'jobs', owner: 'tid' },
    { lane: backfillsLaneOf('contoso'), kind: 'backfills', owner: 'contoso' },
    { lane: importsLaneOf('tid'), kind: 'farm', owner: 'tid' },
    { lane: SLOW_LANE, kind: 'slow', owner: undefined },
  ])('tells what stands in it, and whose: $lane', ({ lane, kind, owner }) => {
    expect(laneKindOf(lane)).toBe(kind);
    expect(ownerOfLane(lane)).toBe(owner);
  });

  test('of backfills is one a customer, apart from the lanes of jobs', () => {
    expect(backfillsLaneOf('contoso')).toBe('backfills|contoso');
    expect(backfillsLaneOf('contoso')).not.toBe(backfillsLaneOf('fabrikam'));
    expect(backfillsLaneOf('tid')).not.toBe(jobsLaneOf({ kind: 'backfill', id: 'tid|one' }));
  });
});
