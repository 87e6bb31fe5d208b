import { describe, expect, test } from '@jest/globals';
import {
  asked,
  claimed,
  failed,
  inLane,
  isClaimable,
  merged,
  messageDueAt,
  namesOf,
  newItem,
  nextEpoch,
  ownerOf,
  progressed,
  renewed,
  resent,
  takenOver,
  ticketed,
  waiting,
  wantsSlot,
  type WorkItem,
} from '../../../shared/work/item/workItem.js';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const MINUTE_MS = 60_000;
const LEASE_MS = MINUTE_MS;
const lane = 'jobs|gdd|tenant-a';
const other = 'ingests|https:contoso.example';
const key = { kind: 'gdd', id: 'tenant-a|spring-corn' };
const place = { step: 'second', state: { page: 3 } };

const fresh = newItem(key, NOW);
const claimedAt = (item: WorkItem, now: number): WorkItem =>
  claimed(item, { claim: 'attempt', leaseEnd: now + LEASE_MS, now });
const held: WorkItem = { ...claimedAt(fresh, NOW), place, lanes: [lane] };
const outage = { failures: {}, failure: 'away', failureClass: 'outage' } as const;

describe('the fencing token of a claim', () => {
  test.each([
    { why: 'the instant of the claim', epoch: 0, now: NOW, next: NOW },
    { why: 'the instant, whatever a restore has brought back', epoch: NOW - 86_400_000, now: NOW, next: NOW },
    { why: 'one more within the same millisecond', epoch: NOW, now: NOW, next: NOW + 1 },
    { why: 'one more where the clock runs backwards', epoch: NOW + 5_000, now: NOW, next: NOW + 5_001 },
  ])('is $why', ({ epoch, now, next }) => {
    expect(nextEpoch({ epoch }, now)).toBe(next);
    expect(claimedAt({ ...fresh, epoch }, now).epoch).toBe(next);
  });

  test('goes on from earlier work on the same', () => {
    expect(claimedAt(newItem(key, NOW, NOW + 10), NOW).epoch).toBe(NOW + 11);
  });
});

describe('the place of an item', () => {
  test('is where it was given back to go on, whether it waits or has failed', () => {
    const next = { step: 'third' };
    expect(waiting(held, { until: NOW, place: next }, NOW).place).toEqual(next);
    expect(failed(held, { ...outage, until: NOW, place: next }, NOW).place).toEqual(next);
  });

  test('is the beginning when none is named', () => {
    expect(waiting(held, { until: NOW }, NOW)).not.toHaveProperty('place');
    expect(failed(held, { ...outage, until: NOW }, NOW)).not.toHaveProperty('place');
  });

  test('is kept by a claim and by an ask', () => {
    expect(claimedAt(waiting(held, { until: NOW, place }, NOW), NOW).place).toEqual(place);
    expect(asked(held, NOW).place).toEqual(place);
  });
});

describe('an item that is asked for anew', () => {
  const tried: WorkItem = {
    ...fresh,
    attempts: 4,
    failures: { refusal: { count: 29, since: NOW } },
    notBefore: NOW + 1,
  };

  test('and that nobody holds is due at once, and tried as if it were new', () => {
    expect(asked(tried, NOW)).toMatchObject({ asks: 2, attempts: 0, failures: {}, notBefore: 0 });
  });

  test('and that an attempt holds stays as it is but for the count of asks', () => {
    const holding = { ...tried, claim: 'x' };
    expect(asked(holding, NOW)).toEqual({ ...holding, asks: 2 });
  });
});

describe('what was asked of an item', () => {
  const facts = { from: 'a', to: 'c' };
  const item = { ...held, ...newItem({ ...key, facts }, NOW) };

  test('is in the new item, and stays whatever becomes of it', () => {
    expect(newItem({ ...key, facts }, NOW).facts).toEqual(facts);
    expect(newItem(key, NOW)).not.toHaveProperty('facts');
    const moves: readonly WorkItem[] = [
      claimedAt(item, NOW),
      renewed(item, NOW),
      progressed(item, NOW),
      waiting(item, { until: NOW }, NOW),
      failed(item, { ...outage, until: NOW }, NOW),
      inLane(item, { lane, askedAt: NOW }),
      resent(item, NOW),
      ticketed(item, NOW),
      asked(item, NOW),
      takenOver(item, { epoch: NOW + 1 }, NOW),
    ];
    expect(moves.map((next) => next.facts)).toEqual(moves.map(() => facts));
  });

  test('is changed by an ask, and an attempt that writes again takes it over', () => {
    const more = asked(item, NOW, { from: 'a', to: 'z' });
    expect(more).toMatchObject({ asks: 2, facts: { from: 'a', to: 'z' } });
    const own = { ...item, attempts: 7, place };
    expect(merged(own, more)).toEqual({ ...own, asks: 2, facts: { from: 'a', to: 'z' } });
  });
});

describe('an item that nobody owns', () => {
  test('is named in a log without an owner', () => {
    const unit = { kind: 'unit', id: '|33UUP|2026-06-17|07|0' };
    expect(ownerOf(unit)).toBe('');
    expect(namesOf(unit)).toEqual({ kind: 'unit', id: '33UUP|2026-06-17|07|0' });
    expect(namesOf(key)).toEqual({ kind: 'gdd', owner: 'tenant-a', id: 'spring-corn' });
  });
});

describe('the attempts of an item', () => {
  test.each([
    { why: 'a wait is none', next: waiting(held, { until: NOW }, NOW), attempts: 0 },
    { why: 'a refusal is none', next: failed(held, { ...outage, until: NOW }, NOW), attempts: 0 },
    { why: 'a fault is one', next: failed(held, { ...outage, failureClass: 'fault', until: NOW }, NOW), attempts: 1 },
  ])('$why', ({ next, attempts }) => {
    expect(next.attempts).toBe(attempts);
  });

  test('are counted anew once something was achieved', () => {
    const third = { ...held, attempts: 3 };
    expect(waiting(third, { until: NOW }, NOW).attempts).toBe(2);
    expect(waiting(third, { until: NOW, hasProgress: true }, NOW).attempts).toBe(0);
    const failures = { fault: { count: 2, since: NOW } };
    const leaseEnd = NOW + LEASE_MS;
    const again = { attempts: 1, failures: {}, claim: 'attempt', notBefore: leaseEnd, checkAt: leaseEnd };
    expect(progressed({ ...third, failures }, leaseEnd)).toEqual({ ...third, ...again });
  });
});

describe('the lanes of an item', () => {
  test('are kept while it waits', () => {
    expect(waiting(held, { until: NOW }, NOW).lanes).toEqual([lane]);
  });

  test('are left by who leaves them, and the one that is named is asked for when the item is due', () => {
    const both = { ...held, lanes: [lane, other] };
    expect(waiting(both, { until: NOW, leaving: {} }, NOW)).not.toHaveProperty('lanes');
    const until = NOW + MINUTE_MS;
    const later = waiting(both, { until, leaving: { askAgainIn: lane } }, NOW);
    expect(later).toMatchObject({ lanes: [lane], parked: { lane, askedAt: until }, notBefore: until, checkAt: until });
    expect(messageDueAt(later)).toBeUndefined();
  });

  test('hold a new item without a message until it has its slot', () => {
    const inside = inLane(fresh, { lane, askedAt: NOW });
    expect(inside).toMatchObject({ lanes: [lane], parked: { lane, askedAt: NOW } });
    expect(messageDueAt(inside)).toBeUndefined();
    expect(claimedAt(inside, NOW)).not.toHaveProperty('parked');
    expect(claimedAt(inside, NOW).lanes).toEqual([lane]);
  });

  test.each([
    { why: 'one at work has a use for its slot, whatever it has said so far', changes: { claim: 'x' }, wants: true },
    { why: 'one that waits in the lane has', changes: { lanes: [lane] }, wants: true },
    {
      why: 'one that asks for it now has',
      changes: { lanes: [lane], parked: { lane, askedAt: NOW } },
      wants: true,
    },
    {
      why: 'one that asks for it later only has none',
      changes: { lanes: [lane], parked: { lane, askedAt: NOW + 1 } },
      wants: false,
    },
    {
      why: 'one at work that will ask later has, until it is given back',
      changes: { claim: 'x', lanes: [lane], parked: { lane, askedAt: NOW + 1 } },
      wants: true,
    },
    { why: 'one in another lane has none', changes: { lanes: [other] }, wants: false },
    { why: 'one that has left every lane has none', changes: {}, wants: false },
  ])('$why', ({ changes, wants }) => {
    expect(wantsSlot({ ...fresh, ...changes }, lane, NOW)).toBe(wants);
  });
});

describe('an item that is taken over for another step', () => {
  const withdraw = { place: { step: 'withdraw' }, epoch: NOW + 1 };

  test('begins when the lease of the attempt is over that held it, however long that stands still', () => {
    const next = takenOver(held, withdraw, NOW + 10_000);
    expect(next).not.toHaveProperty('claim');
    expect(isClaimable(next, held.notBefore - 1)).toBe(false);
    expect(isClaimable(next, held.notBefore)).toBe(true);
  });

  test('begins at once when nobody holds it or the lease is over, whatever it has waited for', () => {
    const waits = waiting(held, { until: NOW + 86_400_000 }, NOW);
    expect(takenOver(waits, withdraw, NOW)).toMatchObject({ notBefore: 0 });
    const late = held.notBefore + 1;
    expect(takenOver(held, withdraw, late)).toMatchObject({ notBefore: 0 });
  });

  test('forgets lanes, failures and attempts of the step before, and has the epoch of the job', () => {
    const parked = { ...held, ...inLane(held, { lane, askedAt: NOW }), failure: 'away', attempts: 4 };
    const next = takenOver({ ...parked, failures: { outage: { count: 3, since: NOW } } }, withdraw, NOW);
    expect(next).toMatchObject({ place: withdraw.place, epoch: NOW + 1, attempts: 0, failures: {}, asks: 1 });
    for (const left of ['lanes', 'parked', 'failure']) expect(next).not.toHaveProperty(left);
    expect(takenOver(parked, { epoch: 1 }, NOW)).not.toHaveProperty('place');
  });
});

test('an item that is due at once is claimable by a clock that is behind the one of its maker', () => {
  const item = newItem({ kind: 'gdd', id: 'tenant-a|job' }, NOW);
  expect(isClaimable(item, NOW - 5 * 60_000)).toBe(true);
  expect(messageDueAt(item)).toBe(NOW);
});
