import { beforeEach, describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { AttemptLost, type Attempt } from '../../shared/work/item/attempt.js';
import { failureOf, type RetryPolicies } from '../../shared/work/item/retry.js';
import { done, type Outcome, type Step, type WorkKind } from '../../shared/work/item/workKind.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { WorkInMemory } from '../support/workInMemory.js';

const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
const key = { kind: 'test', id: 'tenant-a|one' };
const pace = { initialMs: 15_000, coefficient: 4, maximumMs: 15 * MINUTE_MS };
const retry: RetryPolicies = {
  fault: { ...pace, maximumAttempts: 3 },
  outage: { ...pace, maximumElapsedMs: 24 * 60 * MINUTE_MS },
  refusal: pace,
};

let clock: ManualClock;
let work: WorkInMemory;
let events: string[];
let givenUp: string[];
let run: (attempt: Attempt) => Promise<Outcome>;
let giveUp: Step['giveUp'];
beforeEach(() => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
  [events, givenUp] = [[], []];
  run = () => Promise.resolve(done);
  giveUp = (_attempt, reason) => {
    givenUp.push(reason);
    return Promise.resolve(done);
  };
});

const step: Step = {
  ...{ retry, failureOf },
  run: (attempt) => run(attempt),
  giveUp: (attempt, reason) => giveUp(attempt, reason),
};
const kind: WorkKind = { kind: key.kind, leaseMs: LEASE_MS, begin: () => Promise.resolve(step) };
const handle = () => work.handle(key, kind, (event) => void events.push(event));
const now = () => clock.now().getTime();
const sentAfterMs = () => work.sent.map(({ dueAt }) => dueAt - now());

/** Work that goes on until it is told to. */
function held(): { readonly end: () => void; readonly begun: () => number } {
  let [begun, end] = [0, (): void => undefined];
  run = async () => {
    begun += 1;
    await new Promise<void>((resolve) => (end = resolve));
    return done;
  };
  return {
    end: () => {
      end();
    },
    begun: () => begun,
  };
}

describe('a message', () => {
  test('of work that is there leads to one attempt, and the item goes', async () => {
    await work.enqueuer.open(key);
    const seen: unknown[] = [];
    run = ({ item }) => {
      seen.push(item);
      return Promise.resolve(done);
    };
    await handle();
    expect(seen).toMatchObject([{ ...key, epoch: now(), attempts: 1, asks: 1, notBefore: now() + LEASE_MS }]);
    expect(await work.find(key)).toBeUndefined();
  });

  test('of work that is done, held or not due yet is dropped', async () => {
    const { end, begun } = held();
    await handle();
    await work.enqueuer.open(key);
    const running = handle();
    await settle();
    await handle();
    end();
    await running;
    await handle();
    expect(begun()).toBe(1);
    await work.enqueuer.open(key);
    run = () => Promise.resolve({ kind: 'wait', until: now() + 1 });
    await handle();
    run = () => Promise.reject(new Error('not due yet'));
    await handle();
    expect(events).toEqual([]);
  });

  test('that comes ten times at once leads to one attempt', async () => {
    await work.enqueuer.open(key);
    const { end, begun } = held();
    const running = Array.from({ length: 10 }, handle);
    await settle();
    end();
    await Promise.all(running);
    expect(begun()).toBe(1);
  });

  test('of a kind that this version does not know is an error: the host brings it to a newer one', async () => {
    await work.enqueuer.open({ kind: 'new', id: 'tenant-a|one' });
    await expect(work.handle({ kind: 'new', id: 'tenant-a|one' }, kind)).rejects.toThrow('no work of the kind new');
  });
});

describe('a lease', () => {
  test('is renewed as long as the attempt goes on', async () => {
    await work.enqueuer.open(key);
    const { end, begun } = held();
    const running = handle();
    await settle();
    await clock.advance(10 * LEASE_MS);
    await handle();
    expect(begun()).toBe(1);
    end();
    await running;
    expect(await work.find(key)).toBeUndefined();
  });

  test('that storage keeps from being renewed once goes on with the next renewal', async () => {
    await work.enqueuer.open(key);
    const { end } = held();
    const running = handle();
    await settle();
    const update = work.rows.update.bind(work.rows);
    work.rows.update = () => Promise.reject(new Error('tables away'));
    await clock.advance(LEASE_MS / 3);
    work.rows.update = update;
    await clock.advance(LEASE_MS / 3);
    expect((await work.find(key))?.notBefore).toBe(now() + LEASE_MS);
    end();
    await running;
    expect(events).toEqual([]);
  });

  test('that is over lets another attempt begin; the one that stood still writes nothing more', async () => {
    await work.enqueuer.open(key);
    const { end } = held();
    const stoodStill = handle();
    await settle();
    clock.jump(LEASE_MS);
    run = () => Promise.resolve({ kind: 'wait', until: now() + MINUTE_MS });
    await handle();
    const after = await work.find(key);
    expect(after).toMatchObject({ epoch: now(), attempts: 1 });
    end();
    await stoodStill;
    expect(await work.find(key)).toEqual(after);
    expect(events).toEqual(['Work:AttemptLost']);
  });

  test('that is over may still be renewed by its holder while nobody else has claimed', async () => {
    await work.enqueuer.open(key);
    const { end } = held();
    const slow = handle();
    await settle();
    clock.jump(3 * LEASE_MS);
    await clock.advance(LEASE_MS / 3);
    end();
    await slow;
    expect(events).toEqual([]);
    expect(await work.find(key)).toBeUndefined();
  });

  test('is made sure of before something is written, unless it was written a moment ago', async () => {
    await work.enqueuer.open(key);
    const update = work.rows.update.bind(work.rows);
    let updates = 0;
    work.rows.update = (...write) => {
      updates += 1;
      return update(...write);
    };
    run = async (attempt) => {
      await attempt.hold();
      expect(updates).toBe(1);
      clock.jump(2_001);
      await attempt.hold();
      expect(updates).toBe(2);
      expect(attempt.item.notBefore).toBe(now() + LEASE_MS);
      return done;
    };
    await handle();
    expect(events).toEqual([]);
  });

  test('does not keep work that hangs: after a quarter of an hour the attempt has failed', async () => {
    await work.enqueuer.open(key);
    let signal: AbortSignal | undefined;
    run = (attempt) => {
      ({ signal } = attempt);
      return new Promise(() => undefined);
    };
    const hanging = handle();
    await settle();
    await clock.advance(16 * MINUTE_MS);
    await hanging;
    expect(signal?.aborted).toBe(true);
    expect(events).toEqual(['Work:AttemptFailed']);
    expect(await work.find(key)).toMatchObject({ attempts: 1, failure: 'The attempt took too long.' });
  });
});

describe('a wait', () => {
  test('is no attempt, and its message comes when it is over', async () => {
    await work.enqueuer.open(key);
    run = () => Promise.resolve({ kind: 'wait', until: now() + 10 * MINUTE_MS });
    await handle();
    expect(await work.find(key)).toMatchObject({ attempts: 0, epoch: now(), notBefore: now() + 10 * MINUTE_MS });
    expect(sentAfterMs()).toEqual([10 * MINUTE_MS]);
  });

  test('above ten minutes has no message: the sweep sends it, so a week is no limit', async () => {
    await work.enqueuer.open(key);
    run = () => Promise.resolve({ kind: 'wait', until: now() + 30 * 86_400_000 });
    await handle();
    expect(work.sent).toEqual([]);
    clock.jump(30 * 86_400_000 - 1);
    await expect(work.sweep()).resolves.toMatchObject({ sent: 0 });
    clock.jump(1);
    await expect(work.sweep()).resolves.toMatchObject({ due: 1, sent: 0 });
  });

  test('ends a row of failures: what answered meanwhile is not away any more', async () => {
    await work.enqueuer.open(key);
    run = () => Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.'));
    await handle();
    expect((await work.find(key))?.failures).toEqual({ outage: { count: 1, since: now() } });
    clock.jump(15_000);
    run = () => Promise.resolve({ kind: 'wait', until: now() });
    await handle();
    const item = await work.find(key);
    expect(item).toMatchObject({ failures: {}, attempts: 0 });
    expect(item).not.toHaveProperty('failure');
  });
});

describe('an attempt that fails', () => {
  test('is tried again after growing pauses, and given up after the last with its reason', async () => {
    await work.enqueuer.open(key);
    run = () => Promise.reject(new Error('broken'));
    await handle();
    expect(sentAfterMs()).toEqual([15_000]);
    clock.jump(15_000);
    await handle();
    expect(sentAfterMs()).toEqual([0, 60_000]);
    clock.jump(60_000);
    await handle();
    expect(givenUp).toEqual(['broken']);
    expect(await work.find(key)).toBeUndefined();
    expect(events).toEqual(['Work:AttemptFailed', 'Work:AttemptFailed', 'Work:AttemptFailed']);
  });

  test('because something is away uses no attempt up', async () => {
    await work.enqueuer.open(key);
    run = () => Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.'));
    for (let tries = 0; tries < 10; tries += 1) {
      await handle();
      expect((await work.find(key))?.attempts).toBe(0);
      clock.jump(16 * MINUTE_MS);
    }
    expect(givenUp).toEqual([]);
  });

  test('by dying uses one up: after twice as many deaths the next message gives the work up', async () => {
    await work.enqueuer.open(key);
    run = () => new Promise(() => undefined);
    for (let deaths = 0; deaths < 6; deaths += 1) {
      void handle();
      await settle();
      // The dead process renews nothing; its clock is not ours.
      clock = new ManualClock(new Date(now() + LEASE_MS).toISOString());
    }
    await handle();
    expect(givenUp).toEqual(['Every attempt was cut short.']);
    expect(await work.find(key)).toBeUndefined();
  });

  test('and can not even be given up is given up later', async () => {
    await work.enqueuer.open(key);
    run = () => Promise.reject(new Error('broken'));
    const { giveUp: succeeding } = { giveUp };
    giveUp = () => Promise.reject(new Error('tables away'));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await handle();
      clock.jump(15 * MINUTE_MS);
    }
    expect(events.filter((event) => event === 'Work:NotGivenUp')).toHaveLength(2);
    giveUp = succeeding;
    await handle();
    expect(givenUp).toEqual(['broken']);
    expect(await work.find(key)).toBeUndefined();
  });
});

describe('work that is asked for again', () => {
  test('while it is given up is begun anew: what was asked for then was never tried', async () => {
    await work.enqueuer.ask(key);
    run = () => Promise.reject(new Error('broken'));
    giveUp = async (_attempt, reason) => {
      givenUp.push(reason);
      if (givenUp.length === 1) await work.enqueuer.ask(key);
      return done;
    };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await handle();
      clock.jump(15 * MINUTE_MS);
    }
    expect(givenUp).toHaveLength(1);
    expect(await work.find(key)).toMatchObject({ attempts: 0, failures: {}, notBefore: 0 });
    run = () => Promise.resolve(done);
    await handle();
    expect(givenUp).toHaveLength(1);
    expect(await work.find(key)).toBeUndefined();
  });

  test('while it runs is done again with its facts read anew, by the same attempt', async () => {
    await work.enqueuer.ask(key);
    const facts = ['first'];
    const seen: string[][] = [];
    run = async () => {
      seen.push([...facts]);
      if (seen.length === 1) {
        facts.push('second');
        await work.enqueuer.ask(key);
      }
      return done;
    };
    await handle();
    expect(seen).toEqual([['first'], ['first', 'second']]);
    expect(await work.find(key)).toBeUndefined();
    expect(work.sent).toHaveLength(1);
  });

  test('while it runs and renews its lease is done again all the same', async () => {
    await work.enqueuer.ask(key);
    let runs = 0;
    run = async (attempt) => {
      runs += 1;
      if (runs > 1) return done;
      await work.enqueuer.ask(key);
      clock.jump(3_000);
      await attempt.hold();
      await attempt.hold();
      return done;
    };
    await handle();
    expect(runs).toBe(2);
  });

  test('while it waits is due at once, by one message however many ask', async () => {
    await work.enqueuer.ask(key);
    run = () => Promise.resolve({ kind: 'wait', until: now() + 86_400_000 });
    await handle();
    work.takeNext();
    await Promise.all(Array.from({ length: 4 }, () => work.enqueuer.ask(key)));
    expect(await work.find(key)).toMatchObject({ asks: 2, notBefore: 0 });
    expect(sentAfterMs()).toEqual([0]);
    run = () => Promise.resolve(done);
    await handle();
    expect(await work.find(key)).toBeUndefined();
  });

  test('while it waits for its last try is tried as often as new work', async () => {
    await work.enqueuer.ask(key);
    run = () => Promise.reject(new Error('broken'));
    for (let tries = 1; tries <= 2; tries += 1) {
      await handle();
      clock.jump(15 * MINUTE_MS);
    }
    expect(await work.find(key)).toMatchObject({ attempts: 2, failures: { fault: { count: 2 } } });
    await work.enqueuer.ask(key);
    for (let tries = 1; tries <= 2; tries += 1) {
      await handle();
      clock.jump(15 * MINUTE_MS);
    }
    expect(givenUp).toEqual([]);
    await handle();
    expect([givenUp, await work.find(key)]).toEqual([['broken'], undefined]);
  });

  test('while an attempt fails is tried again at once, and that failure counts', async () => {
    await work.enqueuer.ask(key);
    run = async () => {
      await work.enqueuer.ask(key);
      throw new Error('broken');
    };
    await handle();
    expect(await work.find(key)).toMatchObject({
      asks: 2,
      attempts: 1,
      failures: { fault: { count: 1 } },
      notBefore: 0,
    });
    // That of the first ask, and that of the attempt that gave it back.
    expect(sentAfterMs()).toEqual([0, 0]);
  });

  test('after its end is new work', async () => {
    await work.enqueuer.ask(key);
    await handle();
    await work.enqueuer.ask(key);
    expect(await work.find(key)).toMatchObject({ asks: 1, epoch: 0 });
  });
});

describe('an attempt that has given its item back', () => {
  test('holds it no more, whatever branch of its work still goes on', async () => {
    await work.enqueuer.open(key);
    let branch: Promise<unknown> = Promise.resolve();
    run = (attempt) => {
      branch = clock.sleep(5_000).then(() => attempt.hold());
      return Promise.resolve({ kind: 'wait', until: now() + 86_400_000 });
    };
    await handle();
    const given = await work.find(key);
    const refused = expect(branch).rejects.toThrow(AttemptLost);
    await clock.advance(5_000);
    await refused;
    expect(await work.find(key)).toEqual(given);
  });

  test('to wait gives it to whoever asked meanwhile at once', async () => {
    await work.enqueuer.ask(key);
    run = async () => {
      await work.enqueuer.ask(key);
      return { kind: 'wait', until: now() + 86_400_000 };
    };
    await handle();
    expect(await work.find(key)).toMatchObject({ asks: 2, notBefore: 0 });
    expect(work.sent).toHaveLength(2);
  });
});

describe('an item whose end was written', () => {
  test('by somebody else, a purge for example, needs no end', async () => {
    await work.enqueuer.open(key);
    run = async () => {
      const stored = (await work.store.find(key))!;
      await work.store.delete(stored);
      return done;
    };
    await handle();
    expect(events).toEqual([]);
  });

  test('is not given back: a failure after it changes nothing', async () => {
    await work.enqueuer.open(key);
    run = async () => {
      await work.store.delete((await work.store.find(key))!);
      throw new Error('broken');
    };
    await handle();
    expect(events).toEqual(['Work:AttemptFailed', 'Work:AttemptLost']);
    expect(await work.find(key)).toBeUndefined();
    expect(work.sent).toEqual([]);
  });
});
