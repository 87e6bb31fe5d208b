import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dueTimes, openLoop, type LoadClock } from './load/openLoop.js';
import { medianOf, percentilesOf } from './load/percentiles.js';
import { tries } from './support/fullRun.js';

/** Time that passes when somebody sleeps, and at no other time. */
function manualClock(): LoadClock & { advance: (milliseconds: number) => void } {
  let now = 1_000;
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
const even = (): number => 0.5;

describe('the due times of an open loop', () => {
  test('are as many as the rate asks for, in order, within the time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 10 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (rate, seconds, stream) => {
          const due = dueTimes({ rate, seconds, random: () => Math.max(1e-6, stream.next().value as number) });
          expect(due).toHaveLength(rate * seconds);
          expect(due[0]).toBe(0);
          for (const [index, at] of due.entries()) expect(at).toBeGreaterThanOrEqual(due[index - 1] ?? 0);
          expect(due.at(-1)).toBeLessThanOrEqual(seconds * 1000);
        },
      ),
      { numRuns: tries(50) },
    );
  });
});

describe('an open loop', () => {
  test('sends on while the service stands still, and shows the standstill in the times', async () => {
    const clock = manualClock();
    const waiting: (() => void)[] = [];
    const running = openLoop(
      () =>
        new Promise((resolve) => {
          waiting.push(() => {
            resolve({ ok: true });
          });
        }),
      { rate: 10, seconds: 1, random: even },
      clock,
    );
    // Nothing is answered until everything is sent.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    expect(waiting).toHaveLength(10);
    for (const answer of waiting) answer();
    const { latenciesMs } = await running;
    expect(latenciesMs.map(Math.round)).toEqual([900, 800, 700, 600, 500, 400, 300, 200, 100, 0]);
  });

  test('counts from the intended start when the driver itself comes late', async () => {
    const clock = manualClock();
    const run = await openLoop(
      (index) => {
        if (index === 0) clock.advance(350);
        return Promise.resolve({ ok: true });
      },
      { rate: 10, seconds: 1, random: even },
      clock,
    );
    expect(run.lagsMs.slice(0, 4).map(Math.round)).toEqual([0, 250, 150, 50]);
    expect(run.latenciesMs[1]).toBeGreaterThanOrEqual(250);
  });

  test('counts faults by what they say, without a time', async () => {
    const run = await openLoop(
      (index) => (index === 0 ? Promise.reject(new Error('reset')) : Promise.resolve({ ok: false, why: '503' })),
      { rate: 3, seconds: 1, random: even },
      manualClock(),
    );
    expect(run).toMatchObject({ sent: 3, latenciesMs: [], faults: { 'Error: reset': 1, '503': 2 } });
  });
});

describe('percentiles', () => {
  test.each([
    {
      why: 'a hundred values',
      values: Array.from({ length: 100 }, (_, index) => index + 1),
      p50: 50,
      p95: 95,
      p99: 99,
    },
    { why: 'order does not matter', values: [5, 1, 3], p50: 3, p95: 5, p99: 5 },
    { why: 'one value is all of them', values: [7], p50: 7, p95: 7, p99: 7 },
  ])('$why', ({ values, p50, p95, p99 }) => {
    expect(percentilesOf(values)).toEqual({ p50, p95, p99, max: Math.max(...values) });
  });
  test('the median of repeats is one of them', () => {
    expect(medianOf([9, 1, 5])).toBe(5);
    expect(medianOf([4, 2])).toBe(2);
  });
});
