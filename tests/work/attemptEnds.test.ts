/** How an attempt ends: what is written with its item, what becomes of its slots, and what is said then. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import type { Etag } from '../../shared/storage/rows.js';
import type { Attempt } from '../../shared/work/item/attempt.js';
import { failureOf, type RetryPolicies } from '../../shared/work/item/retry.js';
import { takenOver, type WorkItem } from '../../shared/work/item/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../shared/work/item/workKind.js';
import { workActions, workPartitionOf } from '../../shared/work/item/workStore.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { WorkInMemory } from '../support/workInMemory.js';

const MINUTE_MS = 60_000;
const LEASE_MS = MINUTE_MS;
const key = { kind: 'test', id: 'tenant-a|one' };
const rival = { kind: 'test', id: 'tenant-a|rival' };
const partition = workPartitionOf(key.id);
const jobs = 'jobs|test|tenant-a';
const ofAll = 'slow|webhooks';
const pace = { initialMs: 15_000, coefficient: 4, maximumMs: 15 * MINUTE_MS };
const retry: RetryPolicies = { fault: { ...pace, maximumAttempts: 2 }, outage: pace, refusal: pace };

let clock: ManualClock;
let work: WorkInMemory;
let begun: WorkItem[];
let step: Partial<Step>;
let run: (attempt: Attempt) => Promise<Outcome>;
beforeEach(async () => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
  work.slotsOf = () => 1;
  begun = [];
  step = {};
  run = () => Promise.resolve(done);
  await work.enqueuer.open(key);
});

const kind: WorkKind = {
  ...{ kind: key.kind, leaseMs: LEASE_MS },
  begin: (item) => {
    begun.push(item);
    const giveUp = () => Promise.resolve(done);
    return Promise.resolve({ retry, failureOf, giveUp, run: (attempt) => run(attempt), ...step });
  },
};
const handle = () => work.handle(key, kind);
const now = () => clock.now().getTime();
const item = () => work.find(key);
const away = (retryAfterSeconds: number) => () =>
  Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.', { retryAfterSeconds }));

/** A row of the item's partition that each claim of the item writes. */
const GUARD = 'JOB|guard';
const guard = () => work.rows.find<{ readonly text: string }>(partition, GUARD);
const guardText = async () => (await guard())?.text;
const guarded = (etag: Etag, text: string) => ({ update: GUARD, value: { text }, etag });
/** Makes the claim write the guard, as it was read when the step began. */
async function guardClaims(): Promise<void> {
  await work.rows.insert(partition, GUARD, { text: 'new' });
  const { etag } = (await guard())!;
  step = { claim: ({ epoch }) => [guarded(etag, `claimed at ${epoch}`)] };
}
/** Somebody else takes the item over, as a cancel does, or changes what lies beside it alone. */
async function changeGuard(text: string, others: (stored: { item: WorkItem; etag: Etag }) => readonly object[]) {
  const [stored, { etag }] = [(await work.store.find(key))!, (await guard())!];
  const actions = [guarded(etag, text), ...others(stored)] as Parameters<typeof work.rows.transact>[1];
  expect(await work.rows.transact(partition, actions)).toBeDefined();
}

describe('rows beside an item', () => {
  beforeEach(guardClaims);

  test('are written by the claim in one transaction, and the attempt knows their ETags', async () => {
    run = async (attempt) => {
      expect(attempt.etagOf(GUARD)).toBe((await guard())?.etag);
      expect(await guardText()).toBe(`claimed at ${attempt.item.epoch}`);
      expect(() => attempt.etagOf('JOB|other')).toThrow('has not written this row');
      return done;
    };
    await handle();
    expect(work.events).toEqual([]);
    expect(await item()).toBeUndefined();
  });

  test('refuse the claim when one was changed since it was read', async () => {
    await changeGuard('cancelled', () => []);
    const before = await item();
    run = () => Promise.reject(new Error('This attempt was to be refused.'));
    await handle();
    expect(begun).toHaveLength(1);
    expect(await item()).toEqual(before);
    expect(work.events).toEqual([]);
  });

  test.each<{ readonly end: string; readonly outcome: Outcome; readonly left: object | undefined }>([
    { end: 'is done', outcome: done, left: undefined },
    { end: 'waits', outcome: { kind: 'wait', until: Infinity }, left: { attempts: 0 } },
  ])('are written with the item that $end, after renewals too', async ({ outcome, left }) => {
    run = async (attempt) => {
      clock.jump(LEASE_MS / 2);
      await attempt.hold();
      const until = now() + MINUTE_MS;
      const beside = [guarded(attempt.etagOf(GUARD), 'ended')];
      return outcome.kind === 'wait' ? { ...outcome, until, beside } : { ...outcome, beside };
    };
    await handle();
    expect(await guardText()).toBe('ended');
    if (left === undefined) expect(await item()).toBeUndefined();
    else expect(await item()).toMatchObject(left);
  });

  test('tell of a failure, with the item as it is then', async () => {
    step = { ...step, tell: (attempt, { notBefore }) => [guarded(attempt.etagOf(GUARD), `again at ${notBefore}`)] };
    run = () => Promise.reject(new Error('broken'));
    await handle();
    expect(await guardText()).toBe(`again at ${now() + 15_000}`);
  });

  const taken = (stored: { item: WorkItem; etag: Etag }) => [
    workActions.update(stored, takenOver(stored.item, { epoch: stored.item.epoch + 1 }, now())),
  ];
  const gone = (stored: { item: WorkItem }) => [workActions.delete(stored.item)];
  const ends: readonly ((attempt: Attempt) => Outcome)[] = [
    (attempt) => ({ kind: 'done', beside: [guarded(attempt.etagOf(GUARD), 'mine')] }),
    (attempt) => ({ kind: 'wait', until: now(), beside: [guarded(attempt.etagOf(GUARD), 'mine')] }),
  ];
  test.each(
    [
      { others: taken, what: 'taken over' },
      { others: gone, what: 'ended' },
    ].flatMap((by) => ends.map((end) => ({ ...by, end }))),
  )('are not written by who has lost the item, which somebody has $what with them', async ({ others, end }) => {
    const said: string[] = [];
    let after: WorkItem | undefined;
    run = async (attempt) => {
      await changeGuard('theirs', others);
      after = await item();
      return { ...end(attempt), after: () => void said.push('ended') };
    };
    await handle();
    expect(work.logged).toEqual([
      { event: 'Work:AttemptLost', facts: { kind: 'test', owner: 'tenant-a', id: 'one', attempt: 1 } },
    ]);
    expect([await guardText(), await item(), said]).toEqual(['theirs', after, []]);
  });

  test.each(ends.map((end) => ({ end })))(
    'that somebody has changed without the item are a fault of that attempt: its work is done again',
    async ({ end }) => {
      run = async (attempt) => {
        await changeGuard('theirs', () => []);
        return end(attempt);
      };
      await handle();
      expect(work.logged).toMatchObject([
        { event: 'Work:AttemptFailed', facts: { failure: expect.stringContaining('changed by somebody else') } },
      ]);
      expect(await guardText()).toBe('theirs');
      expect(await item()).toMatchObject({ attempts: 1, notBefore: now() + 15_000 });
    },
  );

  test('of which not even the failure can be told leave the item to its lease, and the message to the host', async () => {
    step = { ...step, tell: (attempt) => [guarded(attempt.etagOf(GUARD), 'failed')] };
    run = async () => {
      await changeGuard('theirs', () => []);
      throw new Error('broken');
    };
    await expect(handle()).rejects.toThrow('changed by somebody else');
    expect(await item()).toMatchObject({ claim: 'claim-1', notBefore: now() + LEASE_MS });
  });
});

describe('what is to be said after an end', () => {
  const isThere = () => work.rows.all().some(({ rowKey }) => rowKey.startsWith('W|test|'));

  test('is said once everything is written', async () => {
    const seen: boolean[] = [];
    run = () => {
      seen.push(isThere());
      return Promise.resolve({ kind: 'done', after: () => void seen.push(isThere()) });
    };
    await handle();
    expect(seen).toEqual([true, false]);
  });

  test('is said once, of the end that was written, when the work was asked for again meanwhile', async () => {
    const said: string[] = [];
    const runs = ['first', 'second'];
    run = async () => {
      const name = runs.shift()!;
      if (name === 'first') await work.enqueuer.ask(key);
      return { kind: 'done', after: () => void said.push(name) };
    };
    await handle();
    expect(said).toEqual(['second']);
  });

  test('is not said where storage is away', async () => {
    const said: string[] = [];
    run = () => {
      work.rows.delete = () => Promise.reject(new Error('tables away'));
      return Promise.resolve({ kind: 'done', after: () => void said.push('done') });
    };
    await handle();
    expect([said, work.events]).toEqual([[], ['Work:AttemptFailed']]);
  });
});

describe('the place at which an attempt goes on', () => {
  const place = { step: 'second', state: { page: 3 } };

  test('is there when the next step is chosen, and gone when the work begins anew', async () => {
    run = () => Promise.resolve({ kind: 'wait', until: now(), place });
    await handle();
    run = () => Promise.resolve({ kind: 'wait', until: now() });
    await handle();
    await handle();
    expect(begun.map((seen) => seen.place)).toEqual([undefined, place, undefined]);
  });

  test('is named by a failure, and by the line about it', async () => {
    run = () => Promise.resolve({ kind: 'wait', until: now(), place });
    await handle();
    step = { failureOf: (error) => ({ ...failureOf(error), place }) };
    run = () => Promise.reject(new Error('broken'));
    await handle();
    expect(work.logged).toMatchObject([
      {
        event: 'Work:AttemptFailed',
        facts: { kind: 'test', owner: 'tenant-a', id: 'one', attempt: 1, step: 'second' },
      },
    ]);
    expect((await item())?.place).toEqual(place);
  });

  test('stays while the work can not even be given up', async () => {
    run = () => Promise.resolve({ kind: 'wait', until: now(), place });
    await handle();
    step = {
      failureOf: (error) => ({ ...failureOf(error), failureClass: 'final' }),
      giveUp: () => Promise.reject(new Error('tables away')),
    };
    run = () => Promise.reject(new Error('broken'));
    await handle();
    expect(await item()).toMatchObject({ place, failure: 'broken', notBefore: now() + 15 * MINUTE_MS });
    expect(work.logged.at(-1)).toMatchObject({
      event: 'Work:NotGivenUp',
      facts: { owner: 'tenant-a', id: 'one', attempt: 1, step: 'second', cause: expect.stringContaining('away') },
    });
  });
});

const holders = async () => (await work.laneStore.read(jobs, 9)).state.holders.map(({ id }) => id);

describe('an item with a slot', () => {
  const takeSlot = async (lane = jobs) => {
    await work.takeSlot(lane, { ...key, askedAt: now() });
    const stored = (await work.store.find(key))!;
    await work.store.update(stored, { ...stored.item, lanes: [lane] });
    await work.takeSlot(lane, { ...rival, askedAt: now() + 1 });
  };

  test.each([
    { seconds: 119, why: 'keeps it for less than two minutes' },
    { seconds: 120, why: 'leaves it to the next for longer, and asks again when it is due' },
  ])('that pauses after a failure $why', async ({ seconds }) => {
    await takeSlot();
    run = away(seconds);
    await handle();
    await settle();
    const until = now() + seconds * 1_000;
    const isKept = seconds < 120;
    expect(await holders()).toEqual([isKept ? key.id : rival.id]);
    expect(await item()).toMatchObject({ lanes: [jobs], notBefore: until, failures: { outage: { count: 1 } } });
    const messages = work.sent.map(({ id, dueAt }) => ({ id, dueAt }));
    expect(messages).toEqual([isKept ? { id: key.id, dueAt: until } : { id: rival.id, dueAt: now() }]);
    expect((await item())?.parked).toEqual(isKept ? undefined : { lane: jobs, askedAt: until });
  });

  test('that it left for a long pause gets it again from the sweep, which leaves its ticket when it is due', async () => {
    await takeSlot();
    run = away(120);
    await handle();
    await settle();
    await work.lanes.leave(jobs, rival);
    work.takeNext();
    clock.jump(2 * MINUTE_MS - 1);
    await expect(work.sweep()).resolves.toMatchObject({ parked: 0 });
    clock.jump(1);
    await expect(work.sweep()).resolves.toMatchObject({ parked: 1, due: 0, sent: 0 });
    await clock.advance(200);
    expect(await holders()).toEqual([key.id]);
    expect(work.sent).toMatchObject([key]);
  });

  test('in a lane of several owners alone keeps it however long it pauses: its message comes', async () => {
    await takeSlot(ofAll);
    run = away(300);
    await handle();
    await settle();
    const { state } = await work.laneStore.read(ofAll, 9);
    expect(state.holders).toMatchObject([{ id: key.id }]);
    expect(work.sent).toMatchObject([{ id: key.id, dueAt: now() + 5 * MINUTE_MS }]);
  });

  test.each([
    { why: 'for good', leaving: {}, left: { parked: undefined, lanes: undefined } },
    {
      why: 'and asks for it when it is due',
      leaving: { askAgainIn: jobs },
      left: { lanes: [jobs], parked: { lane: jobs } },
    },
  ])('that waits without it leaves it $why', async ({ leaving, left }) => {
    await takeSlot();
    run = () => Promise.resolve({ kind: 'wait', until: now() + 60 * MINUTE_MS, leaving });
    await handle();
    await settle();
    expect(await holders()).toEqual([rival.id]);
    const { lanes, parked } = (await item())!;
    expect({ lanes, parked }).toMatchObject(left);
  });

  test('that waits with it keeps it', async () => {
    await takeSlot();
    run = () => Promise.resolve({ kind: 'wait', until: now() + MINUTE_MS });
    await handle();
    await settle();
    expect(await holders()).toEqual([key.id]);
    expect((await item())?.lanes).toEqual([jobs]);
  });

  test.each<{ readonly end: string; readonly ending: () => Promise<Outcome> }>([
    { end: 'done', ending: () => Promise.resolve(done) },
    { end: 'given up', ending: () => Promise.reject(new Error('broken')) },
  ])('that is $end hands it on', async ({ ending }) => {
    await takeSlot();
    step = { failureOf: (error) => ({ ...failureOf(error), failureClass: 'final' }) };
    run = ending;
    await handle();
    await settle();
    expect(await item()).toBeUndefined();
    expect(await holders()).toEqual([rival.id]);
  });
});
