/** Parts of a piece of work that fail by themselves: what one attempt does, and what it leaves to the next. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { failureOfScenes } from '../../../shared/scenes/stac/sceneFailure.js';
import { Parts, type WorkHold } from '../../../shared/imagery/units/parts.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { usualPace } from '../../../shared/kit/retryDelay.js';
import type { WorkItem } from '../../../shared/work/item/workItem.js';
import { done, type WorkKind } from '../../../shared/work/item/workKind.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const MINUTE_MS = 60_000;
const LEASE_MS = MINUTE_MS;
const MOST_DEATHS = 6;
const MOST_NAMED = 200;
const key = { kind: 'test', id: '|one' };
const retry = { fault: usualPace, outage: usualPace, refusal: usualPace };
const away = (): Promise<void> => Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.'));
const refused = (): Promise<void> =>
  Promise.reject(new RasterError('refused', 'access was refused (403)', { isTransient: true }));
const broken = (): Promise<void> => Promise.reject(new Error('broken'));

let clock: ManualClock;
let work: WorkInMemory;
/** The parts as they are listed. */
let listed: readonly string[];
/** What becomes of a part; one that is not named is done. */
let fates: Record<string, () => Promise<void>>;
/** What was done, in its order; of a part that failed its name and `!`. */
let told: string[];
/** The parts that were begun just behind the listing. */
let first: string[];
let isOfAll: (error: unknown) => boolean;
let holds: WorkHold[];
beforeEach(async () => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
  [listed, fates, told, first, holds] = [['a', 'b', 'c', 'd', 'e'], {}, [], [], []];
  isOfAll = () => false;
  await work.enqueuer.ask(key);
});

const kind: WorkKind = {
  ...{ kind: key.kind, leaseMs: LEASE_MS },
  begin: (item) => {
    const parts = new Parts(clock, item);
    return Promise.resolve({
      retry,
      failureOf: (error) => ({ ...failureOfScenes(error), place: parts.place }),
      giveUp: () => Promise.resolve(done),
      run: async (attempt) => {
        const { asks } = attempt.item;
        holds.push(parts.holdOf(attempt));
        const those = listed.map((name) => ({ key: name }));
        const outcome = await parts.each(
          attempt,
          { parts: parts.remaining(those, asks), asks },
          {
            isOfAll: (error) => isOfAll(error),
            run: async (part, isFirst) => {
              if (isFirst) first.push(part.key);
              await fates[part.key]?.();
              told.push(part.key);
            },
            giveUp: (part, reason) => Promise.resolve(void told.push(`${part.key}: ${reason}`)),
            failed: (part) => void told.push(`${part.key}!`),
          },
        );
        return outcome ?? done;
      },
    });
  },
};
const item = (): Promise<WorkItem | undefined> => work.find(key);
const state = async () => (await item())?.place?.state;

/** One attempt, once the item is due. @returns what it did */
async function attempt(): Promise<readonly string[]> {
  clock.jump(Math.max(0, ((await item())?.notBefore ?? 0) - clock.now().getTime()));
  told = [];
  await work.handle(key, kind);
  return told;
}

/** One attempt, whose process ends where a part does not. @returns what it did before */
async function die(): Promise<readonly string[]> {
  told = [];
  void work.handle(key, kind);
  await settle();
  clock.jump(LEASE_MS);
  return told;
}
const hangs = () => new Promise<never>(() => undefined);

describe('the parts of a piece of work', () => {
  test('are done one after the other as they are listed, the first one knowing that they were listed just now', async () => {
    expect(await attempt()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(first).toEqual(['a']);
    expect(await item()).toBeUndefined();
  });

  test('are done when there are none', async () => {
    listed = [];
    expect(await attempt()).toEqual([]);
    expect(await item()).toBeUndefined();
  });

  test('hold the work of their attempt, and know whether one has ended before it', async () => {
    fates = { a: broken };
    await attempt();
    await attempt();
    expect(holds.map(({ isRepeated }) => isRepeated)).toEqual([false, true]);
  });

  test('are done anew by an attempt that was asked meanwhile', async () => {
    let asked = false;
    fates = {
      c: async () => {
        if (!asked) await work.enqueuer.ask(key);
        asked = true;
      },
    };
    expect(await attempt()).toEqual(['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e']);
    expect(await item()).toBeUndefined();
  });
});

describe('a part that fails', () => {
  test('leaves the work open for itself alone; the others go on', async () => {
    fates = { b: broken };
    expect(await attempt()).toEqual(['a', 'b!', 'c', 'd', 'e']);
    expect(await state()).toEqual({ left: { asks: 1, keys: ['b'] } });
    fates = {};
    expect(await attempt()).toEqual(['b']);
    expect(await item()).toBeUndefined();
  });

  test('is one of many again once somebody asks anew', async () => {
    fates = { b: broken };
    await attempt();
    await work.enqueuer.ask(key);
    fates = {};
    expect(await attempt()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('is one of many again when somebody asked while it failed: what was left was left of the ask before', async () => {
    fates = {
      b: async () => {
        await work.enqueuer.ask(key);
        await broken();
      },
    };
    await attempt();
    expect(await state()).toEqual({ left: { asks: 1, keys: ['b'] } });
    fates = {};
    expect(await attempt()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('and is listed no more needs nothing more', async () => {
    fates = { b: broken };
    await attempt();
    listed = ['a', 'c'];
    expect(await attempt()).toEqual([]);
    expect(await item()).toBeUndefined();
  });

  test.each([
    { count: MOST_NAMED, looked: MOST_NAMED, why: 'are named' },
    // A row holds no more names; what is done is found so.
    { count: MOST_NAMED + 1, looked: MOST_NAMED + 2, why: 'are not, and all parts are looked through again' },
  ])('as $count parts do: they $why', async ({ count, looked }) => {
    const failing = Array.from({ length: count }, (_, index) => `part-${index}`);
    listed = [...failing, 'well'];
    fates = Object.fromEntries(failing.map((name) => [name, broken]));
    await attempt();
    fates = {};
    expect(await attempt()).toHaveLength(looked);
    expect(await item()).toBeUndefined();
  });

  test.each([
    { why: 'that of our own, for it is what can be mended', fates: { a: away, d: broken }, failureClass: 'fault' },
    { why: 'the outage, when that is all', fates: { a: away, d: away }, failureClass: 'outage' },
  ])('with others gives the work the failure that tells most: $why', async ({ fates: all, failureClass }) => {
    fates = all;
    await attempt();
    expect(await item()).toMatchObject({ failures: { [failureClass]: { count: 1 } } });
    expect(await state()).toEqual({ left: { asks: 1, keys: ['a', 'd'] } });
  });

  test('because the attempt has lost the work is no failure of it, and nothing more is begun', async () => {
    fates = {
      b: async () => {
        const stored = (await work.store.find(key))!;
        await work.store.update(stored, { ...stored.item, claim: 'another' });
        await clock.advance(LEASE_MS / 3);
        throw new Error('aborted');
      },
    };
    expect(await attempt()).toEqual(['a']);
    expect(work.events).toEqual(['Work:AttemptLost']);
    expect(await item()).toMatchObject({ claim: 'another' });
  });
});

describe('failures that meet all parts', () => {
  test('as an outage, three times in a row, leave the rest untried, and that is no attempt', async () => {
    fates = { b: away, c: away, d: away };
    expect(await attempt()).toEqual(['a', 'b!', 'c!', 'd!']);
    expect(await state()).toEqual({ left: { asks: 1, keys: ['b', 'c', 'd', 'e'] } });
    expect(await item()).toMatchObject({ attempts: 0 });
  });

  test.each([
    { why: 'one was done', between: () => Promise.resolve(), told: ['a!', 'b!', 'c', 'd!', 'e!'] },
    { why: 'one was refused', between: refused, told: ['a!', 'b!', 'c!', 'd!', 'e!'] },
    { why: 'one failed otherwise', between: broken, told: ['a!', 'b!', 'c!', 'd!', 'e!'] },
  ])('as an outage are not in a row where $why between them', async ({ between, told: expected }) => {
    fates = { a: away, b: away, c: between, d: away, e: away };
    expect(await attempt()).toEqual(expected);
  });

  test('as a refusal, ten times in a row, leave the rest untried: a host that says no is not asked for ever', async () => {
    listed = Array.from({ length: 13 }, (_, index) => `part-${index}`);
    fates = Object.fromEntries(listed.slice(1).map((name) => [name, refused]));
    expect(await attempt()).toHaveLength(1 + 10);
    expect(await state()).toEqual({ left: { asks: 1, keys: listed.slice(1) } });
    expect(await item()).toMatchObject({ attempts: 0, failures: { refusal: { count: 1 } } });
  });

  test('as faults of our own are each part’s own, however many', async () => {
    listed = Array.from({ length: 20 }, (_, index) => `part-${index}`);
    fates = Object.fromEntries(listed.map((name) => [name, broken]));
    expect(await attempt()).toHaveLength(20);
  });

  test('as the kind of work can tell leave the rest untried at once', async () => {
    isOfAll = (error) => error instanceof Error && error.message === 'the scene is broken';
    fates = { a: broken, b: () => Promise.reject(new Error('the scene is broken')) };
    expect(await attempt()).toEqual(['a!', 'b!']);
    expect(await state()).toEqual({ left: { asks: 1, keys: ['a', 'b', 'c', 'd', 'e'] } });
  });
});

describe('an attempt that lasts', () => {
  const lasts = (minutes: number) => (): Promise<void> => {
    clock.jump(minutes * MINUTE_MS);
    return Promise.resolve();
  };

  test('ten minutes ends its part and leaves the others to one that waits behind other work', async () => {
    fates = { a: lasts(9), b: lasts(1) };
    expect(await attempt()).toEqual(['a', 'b']);
    expect(await item()).toMatchObject({ attempts: 0, failures: {}, notBefore: 0 });
    expect(await state()).toEqual({ left: { asks: 1, keys: ['c', 'd', 'e'] } });
    expect(work.sent.at(-1)).toMatchObject(key);
    expect(await attempt()).toEqual(['c', 'd', 'e']);
    expect(await item()).toBeUndefined();
  });

  test('less does all of them', async () => {
    fates = { a: lasts(9) };
    expect(await attempt()).toHaveLength(5);
  });

  test('ten minutes with the last part is done', async () => {
    fates = { e: lasts(20) };
    expect(await attempt()).toHaveLength(5);
    expect(await item()).toBeUndefined();
  });

  test('ten minutes with a part that failed is a failure, and leaves that and those behind it', async () => {
    fates = { a: broken, b: lasts(10) };
    expect(await attempt()).toEqual(['a!', 'b']);
    expect(await item()).toMatchObject({ attempts: 1, failures: { fault: { count: 1 } } });
    expect(await state()).toEqual({ left: { asks: 1, keys: ['a', 'c', 'd', 'e'] } });
  });
});

describe('a part in which attempts die', () => {
  test('is not known of the first attempt, which notes nothing, and is noted from the second one on', async () => {
    fates = { b: hangs };
    expect(await die()).toEqual(['a']);
    expect(await item()).not.toHaveProperty('place');
    expect(await die()).toEqual(['a']);
    expect(await state()).toEqual({ at: 'b' });
    // The next one has begun, at the others first.
    expect(await die()).toEqual(['a', 'c', 'd', 'e']);
    expect(await state()).toEqual({ at: 'b', deaths: { b: 1 } });
  });

  test('counts none of an attempt that has given the work back', async () => {
    fates = { b: broken };
    for (let failures = 0; failures < 2; failures += 1) await attempt();
    expect(await state()).toEqual({ left: { asks: 1, keys: ['b'] } });
  });

  test('comes last, behind those with fewer deaths', async () => {
    fates = { a: hangs, b: hangs };
    // The first is counted for no part; then a, b, a.
    for (let deaths = 0; deaths < 4; deaths += 1) await die();
    expect(await state()).toEqual({ at: 'a', deaths: { a: 1, b: 1 } });
    fates = {};
    expect(await attempt()).toEqual(['c', 'd', 'e', 'b', 'a']);
  });

  test('six times is given up; the rest is done, and the work ends', async () => {
    fates = { b: hangs };
    for (let deaths = 0; deaths < 1 + MOST_DEATHS; deaths += 1) expect(await die()).not.toContain('b');
    expect(await attempt()).toEqual(['a', 'c', 'd', 'e', 'b: every attempt was cut short']);
    expect(await item()).toBeUndefined();
  });

  test('five times is tried once more', async () => {
    fates = { b: hangs };
    for (let deaths = 0; deaths < MOST_DEATHS; deaths += 1) await die();
    fates = {};
    expect(await attempt()).toEqual(['a', 'c', 'd', 'e', 'b']);
    expect(await item()).toBeUndefined();
  });

  test('keeps its deaths beside what other attempts leave, whoever asks anew', async () => {
    fates = { b: hangs };
    for (let deaths = 0; deaths < 3; deaths += 1) await die();
    fates = { b: broken };
    await attempt();
    expect(await state()).toEqual({ left: { asks: 1, keys: ['b'] }, deaths: { b: 2 } });
    await work.enqueuer.ask(key);
    fates = {};
    expect(await attempt()).toEqual(['a', 'c', 'd', 'e', 'b']);
  });
});
