import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Services } from '../../../shared/wiring/services.js';
import { workFunction } from '../../../shared/http/triggers/workFunction.js';
import { DrainStore, drainWatch } from '../../../shared/work/upkeep/drain.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryRows } from '../../support/memoryRows.js';

const MINUTE = 60_000;
let clock: ManualClock;
let drains: DrainStore;
let isDrained: () => Promise<boolean>;

beforeEach(() => {
  clock = new ManualClock();
  drains = new DrainStore(new MemoryRows());
  isDrained = drainWatch({ drains, clock });
});

const start = (minutes: number): Promise<void> =>
  drains.start({ until: clock.now().getTime() + minutes * MINUTE, by: 'operator' });

describe('a drain', () => {
  test('is seen by every process within ten seconds, and so is its end', async () => {
    expect(await isDrained()).toBe(false);
    await start(5);
    clock.jump(10_001);
    expect(await isDrained()).toBe(true);
    await drains.end();
    clock.jump(10_001);
    expect(await isDrained()).toBe(false);
  });

  test('is asked of storage once in ten seconds, however many ask', async () => {
    let looks = 0;
    const counted = { find: () => Promise.resolve(void (looks += 1)) };
    const watch = drainWatch({ drains: counted, clock });
    for (let ask = 0; ask < 50; ask += 1) await watch();
    expect(looks).toBe(1);
  });

  test('ends by itself, even while storage is away', async () => {
    await start(5);
    expect(await isDrained()).toBe(true);
    drains.find = () => Promise.reject(new Error('away'));
    clock.jump(4 * MINUTE);
    expect(await isDrained()).toBe(true);
    clock.jump(MINUTE);
    expect(await isDrained()).toBe(false);
  });
});

describe('a message that comes during a drain', () => {
  async function handle(message: { readonly kind: string; readonly id: string }) {
    const [begun, putBack]: [unknown[], unknown[]] = [[], []];
    const services = {
      isDrained,
      handleWork: (key: unknown) => Promise.resolve(void begun.push(key)),
      putBack: (...given: unknown[]) => Promise.resolve(void putBack.push(given)),
    } as unknown as Services;
    await workFunction('gddCalculate', 'jobs-gdd').handle({ v: 1, ...message }, services);
    return { begun: begun.length, putBack };
  }
  const job = { kind: 'gdd', id: 'tenant|corn' };

  test('goes back to its queue as it is, hidden for two minutes, and nothing begins', async () => {
    await start(5);
    expect(await handle(job)).toEqual({ begun: 0, putBack: [['jobs-gdd', { v: 1, ...job }, 120]] });
  });

  test('begins its work when there is none, and when the drain is over', async () => {
    expect(await handle(job)).toEqual({ begun: 1, putBack: [] });
    await start(5);
    clock.jump(5 * MINUTE);
    expect(await handle(job)).toEqual({ begun: 1, putBack: [] });
  });

  test('begins the beat all the same: it may be all that still ticks', async () => {
    await start(5);
    expect(await handle({ kind: 'duty', id: '|upkeepBeat' })).toEqual({ begun: 1, putBack: [] });
    expect(await handle({ kind: 'duty', id: '|upkeepPurge' })).toMatchObject({ begun: 0 });
  });
});
