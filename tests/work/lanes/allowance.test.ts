import { describe, expect, test } from '@jest/globals';
import { allowance } from '../../../shared/work/lanes/allowance.js';
import { ManualClock } from '../../support/manualClock.js';

const SPAN_MS = 10_000;

function anAllowance() {
  const clock = new ManualClock();
  const mayPass = allowance(clock, SPAN_MS);
  /** How many of so many tries pass. */
  const passing = (name: string, tries: number, most: number): number =>
    Array.from({ length: tries }, () => mayPass(name, most)).filter(Boolean).length;
  return { clock, mayPass, passing };
}

describe('an allowance of three in ten seconds', () => {
  test('lets three pass and no fourth', () => {
    expect(anAllowance().passing('a', 10, 3)).toBe(3);
  });

  test('counts each name by itself', () => {
    const { passing } = anAllowance();
    expect([passing('a', 5, 3), passing('b', 5, 3)]).toEqual([3, 3]);
  });

  test('forgets a passage when ten seconds are over, and not a millisecond before', () => {
    const { clock, passing } = anAllowance();
    passing('a', 3, 3);
    clock.jump(SPAN_MS - 1);
    expect(passing('a', 1, 3)).toBe(0);
    clock.jump(1);
    expect(passing('a', 5, 3)).toBe(3);
  });

  test('does not count who was refused', () => {
    const { clock, passing } = anAllowance();
    passing('a', 3, 3);
    clock.jump(SPAN_MS - 1);
    passing('a', 20, 3);
    clock.jump(1);
    expect(passing('a', 5, 3)).toBe(3);
  });

  test('lets nobody pass when none is allowed', () => {
    expect(anAllowance().passing('a', 3, 0)).toBe(0);
  });

  test('remembers ten thousand names; of more, the one that asked longest ago begins anew', () => {
    const { mayPass } = anAllowance();
    for (let name = 0; name < 10_000; name += 1) mayPass(String(name), 1);
    expect(mayPass('0', 1)).toBe(false);
    mayPass('one more', 1);
    expect([mayPass('0', 1), mayPass('2', 1), mayPass('1', 1)]).toEqual([false, false, true]);
  });
});
