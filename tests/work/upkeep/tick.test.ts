import { describe, expect, test } from '@jest/globals';
import { isTickLate, tick, TickStore } from '../../../shared/work/upkeep/tick.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryRows } from '../../support/memoryRows.js';

const clock = new ManualClock();
const now = clock.now().getTime();

function aTick({ isDrained = false, sweep = () => Promise.resolve({ sent: 3 }) } = {}) {
  const ticks = new TickStore(new MemoryRows());
  return { ticks, run: tick({ ticks, isDrained: () => Promise.resolve(isDrained), sweep, clock }) };
}

describe('a tick', () => {
  test('sweeps, and writes down when', async () => {
    const { ticks, run } = aTick();
    expect([await run(), await ticks.find()]).toEqual([{ sent: 3 }, now]);
  });

  test('whose sweep fails is none', async () => {
    const { ticks, run } = aTick({ sweep: () => Promise.reject(new Error('away')) });
    await expect(run()).rejects.toThrow('away');
    expect(await ticks.find()).toBeUndefined();
  });

  test('during a drain sweeps nothing, and counts', async () => {
    const { ticks, run } = aTick({ isDrained: true, sweep: () => Promise.reject(new Error('no sweep')) });
    expect([await run(), await ticks.find()]).toEqual([{ drained: true }, now]);
  });

  test.each([
    { why: 'ten minutes ago', at: now - 600_000, isLate: false },
    { why: 'more than ten minutes ago', at: now - 600_001, isLate: true },
    { why: 'never', at: undefined, isLate: true },
  ])('$why: late is $isLate', ({ at, isLate }) => {
    expect(isTickLate(at, now)).toBe(isLate);
  });
});
