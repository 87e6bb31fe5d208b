/** What an attempt writes while it goes on, and what stays of the item beside that. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { AttemptLost, type Attempt } from '../../../shared/work/item/attempt.js';
import { failureOf, type RetryPolicies } from '../../../shared/work/item/retry.js';
import type { WorkItem } from '../../../shared/work/item/workItem.js';
import { done, type Outcome, type WorkKind } from '../../../shared/work/item/workKind.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const MINUTE_MS = 60_000;
const LEASE_MS = MINUTE_MS;
const key = { kind: 'test', id: '|one' };
const facts = { from: 3, to: 5 };
const place = { step: 'slices', state: { at: 'second' } };
const pace = { initialMs: 15_000, coefficient: 4, maximumMs: 15 * MINUTE_MS };
const retry: RetryPolicies = { fault: pace, outage: pace, refusal: pace };

let clock: ManualClock;
let work: WorkInMemory;
let begun: WorkItem[];
let writes: number;
let run: (attempt: Attempt) => Promise<Outcome>;
beforeEach(async () => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
  [begun, writes] = [[], 0];
  await work.enqueuer.ask({ ...key, facts });
  const update = work.rows.update.bind(work.rows);
  work.rows.update = (...write) => {
    writes += 1;
    return update(...write);
  };
});

const kind: WorkKind = {
  ...{ kind: key.kind, leaseMs: LEASE_MS },
  begin: (item) => {
    begun.push(item);
    const giveUp = () => Promise.resolve(done);
    return Promise.resolve({ retry, failureOf, giveUp, run: (attempt) => run(attempt) });
  },
};
const handle = () => work.handle(key, kind);
const now = () => clock.now().getTime();
const item = () => work.find(key);
const hangs = () => new Promise<never>(() => undefined);
const wait = (): Outcome => ({ kind: 'wait', until: now() });
const widen = () => work.enqueuer.ask({ ...key, facts: { from: 1, to: 9 } }, { both: () => ({ from: 1, to: 9 }) });

/** An attempt of a process that dies once it has done this; its lease is over then. */
async function die(before: (attempt: Attempt) => Promise<void>): Promise<void> {
  run = async (attempt) => {
    await before(attempt);
    return hangs();
  };
  void handle();
  await settle();
  // The dead process renews nothing; its clock is not ours.
  clock = new ManualClock(new Date(now() + LEASE_MS).toISOString());
}

describe('a place that an attempt stores', () => {
  test('is where the next one begins when that one has died, and renews the lease', async () => {
    await die(async (attempt) => {
      clock.jump(LEASE_MS / 2);
      await attempt.save(place);
      expect(await item()).toMatchObject({ place, claim: 'claim-1', attempts: 1, notBefore: now() + LEASE_MS });
    });
    run = () => Promise.resolve(done);
    await handle();
    expect(begun.map((seen) => [seen.place, seen.claim])).toEqual([
      [undefined, undefined],
      [place, 'claim-1'],
    ]);
  });

  test('is replaced by the one that it stores later, and by the one with which it gives the item back', async () => {
    run = async (attempt) => {
      await attempt.save(place);
      await attempt.save({ step: 'later' });
      expect((await item())?.place).toEqual({ step: 'later' });
      return wait();
    };
    await handle();
    expect(work.events).toEqual([]);
    expect(await item()).not.toHaveProperty('place');
  });

  test('does not hide an ask that came meanwhile: the work is done again before it ends', async () => {
    const seen: unknown[] = [];
    run = async (attempt) => {
      seen.push(attempt.item.facts);
      if (seen.length > 1) return done;
      await widen();
      await attempt.save(place);
      expect(await item()).toMatchObject({ asks: 2, facts: { from: 1, to: 9 }, place });
      return done;
    };
    await handle();
    expect(seen).toEqual([facts, { from: 1, to: 9 }]);
    expect(await item()).toBeUndefined();
  });

  test.each<{ readonly what: string; readonly write: (attempt: Attempt) => Promise<void> }>([
    { what: 'a place', write: (attempt) => attempt.save(place) },
    { what: 'a progress', write: (attempt) => attempt.progressed() },
  ])('or $what is refused to who has lost the item, and nothing is written', async ({ write }) => {
    // Its second attempt, for the first has no progress to write.
    await die(() => Promise.resolve());
    let saved: Promise<void> | undefined;
    let after: WorkItem | undefined;
    run = async (attempt) => {
      clock.jump(LEASE_MS);
      run = () => Promise.resolve({ kind: 'wait', until: now() + 10 * MINUTE_MS });
      await handle();
      after = await item();
      saved = write(attempt);
      await saved;
      return done;
    };
    await handle();
    await expect(saved).rejects.toThrow(AttemptLost);
    expect(work.events).toEqual(['Work:AttemptLost']);
    expect(await item()).toEqual(after);
  });
});

describe('an attempt that has given its item back', () => {
  test.each<{ readonly what: string; readonly write: (attempt: Attempt) => Promise<void> }>([
    { what: 'place', write: (attempt) => attempt.save(place) },
    { what: 'progress', write: (attempt) => attempt.progressed() },
  ])('stores no $what any more, whatever branch of its work still goes on', async ({ write }) => {
    // Its third attempt: the wait that ends it is none, and leaves two to be counted anew.
    for (const _death of [1, 2]) await die(() => Promise.resolve());
    let branch: Promise<void> = Promise.resolve();
    run = (attempt) => {
      branch = clock.sleep(5_000).then(() => write(attempt));
      return Promise.resolve(wait());
    };
    await handle();
    const given = await item();
    const refused = expect(branch).rejects.toThrow(AttemptLost);
    await clock.advance(5_000);
    await refused;
    expect(await item()).toEqual(given);
  });
});

describe('an attempt that has achieved something', () => {
  test('counts attempts anew, whether those before it died or failed', async () => {
    await die(() => Promise.resolve());
    run = () => Promise.reject(new Error('broken'));
    await handle();
    expect(await item()).toMatchObject({ attempts: 2, failures: { fault: { count: 1 } } });
    clock.jump(MINUTE_MS);
    await die(async (attempt) => {
      expect(attempt.item.attempts).toBe(3);
      await attempt.progressed();
    });
    expect(await item()).toMatchObject({ attempts: 1, failures: {}, claim: 'claim-3' });
  });

  test('writes nothing when there is nothing to count anew', async () => {
    run = async (attempt) => {
      const before = writes;
      await attempt.progressed();
      expect(writes).toBe(before);
      return done;
    };
    await handle();
    expect(work.events).toEqual([]);
  });

  test('writes it once', async () => {
    await die(() => Promise.resolve());
    run = async (attempt) => {
      const before = writes;
      await attempt.progressed();
      await attempt.progressed();
      expect(writes).toBe(before + 1);
      return done;
    };
    await handle();
    expect(work.events).toEqual([]);
  });

  test('keeps the place that it has stored', async () => {
    await die(() => Promise.resolve());
    await die(async (attempt) => {
      await attempt.save(place);
      await attempt.progressed();
    });
    expect(await item()).toMatchObject({ attempts: 1, place });
  });
});

describe('what was asked', () => {
  const away = () => Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.'));

  test.each<{ readonly why: string; readonly attempt: (attempt: Attempt) => Promise<Outcome> }>([
    { why: 'a wait', attempt: () => Promise.resolve(wait()) },
    { why: 'a wait with a place', attempt: () => Promise.resolve({ ...wait(), place }) },
    { why: 'a fault', attempt: () => Promise.reject(new Error('broken')) },
    { why: 'an outage', attempt: away },
  ])('is what the next attempt finds after $why', async ({ attempt }) => {
    run = attempt;
    await handle();
    expect((await item())?.facts).toEqual(facts);
    clock.jump(MINUTE_MS);
    run = ({ item: held }) => {
      expect(held.facts).toEqual(facts);
      return Promise.resolve(done);
    };
    await handle();
    expect(await item()).toBeUndefined();
  });

  test('is kept by claims and renewals, and by the attempt after a death', async () => {
    await die(async (attempt) => {
      clock.jump(LEASE_MS / 2);
      await attempt.hold();
      expect(await item()).toMatchObject({ facts, notBefore: now() + LEASE_MS });
    });
    run = hangs;
    void handle();
    await settle();
    expect(await item()).toMatchObject({ facts, claim: 'claim-2' });
    expect(work.events).toEqual([]);
  });

  test('is kept by the sweep', async () => {
    clock.jump(2 * MINUTE_MS);
    work.takeNext();
    await expect(work.sweep()).resolves.toMatchObject({ sent: 1 });
    expect((await item())?.facts).toEqual(facts);
  });

  test.each<{
    readonly why: string;
    readonly end: (attempt: Attempt) => Promise<Outcome>;
    readonly events?: readonly string[];
  }>([
    {
      why: 'a renewal',
      end: async (attempt) => {
        clock.jump(LEASE_MS / 2);
        await attempt.hold();
        expect(attempt.item.facts).toEqual({ from: 1, to: 9 });
        return wait();
      },
    },
    { why: 'a wait', end: () => Promise.resolve(wait()) },
    { why: 'a failure', end: away, events: ['Work:AttemptFailed'] },
  ])(
    'while an attempt goes on is read back when $why is refused, and written with it',
    async ({ end, events = [] }) => {
      run = async (attempt) => {
        await widen();
        return end(attempt);
      };
      await handle();
      expect(await item()).toMatchObject({ asks: 2, facts: { from: 1, to: 9 } });
      expect(await item()).not.toHaveProperty('claim');
      expect(work.events).toEqual(events);
    },
  );
});
