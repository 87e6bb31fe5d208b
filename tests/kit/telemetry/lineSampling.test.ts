import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineSampler, sampledEvents } from '../../../shared/kit/telemetry/lineSampling.js';

const MINUTE_MS = 60_000;
const fetched = (status: number) => ({ operation: 'gddFetch', status, requestId: String(Math.random()) });

describe('log lines of one kind', () => {
  test('are written as they come, ten in a minute', () => {
    const sample = lineSampler(() => 0);
    const weights = Array.from({ length: 12 }, () => sample('Request:Answered', fetched(200)));
    expect(weights).toEqual([...Array<number>(10).fill(1), 0, 0]);
  });
  test('beyond that one in a hundred is, and says that it stands for a hundred', () => {
    const sample = lineSampler(() => 0);
    const weights = Array.from({ length: 210 }, () => sample('Request:Answered', fetched(200)));
    expect(weights.flatMap((weight, index) => (weight === 100 ? [index] : []))).toEqual([109, 209]);
    expect(weights.filter((weight) => weight === 1)).toHaveLength(10);
  });
  test('are written in full again in the next minute', () => {
    let now = 0;
    const sample = lineSampler(() => now);
    for (let index = 0; index < 50; index += 1) sample('Request:Answered', fetched(200));
    now = MINUTE_MS;
    expect(sample('Request:Answered', fetched(200))).toBe(1);
  });
  test.each([
    { what: 'another outcome of the same operation', facts: fetched(429) },
    { what: 'another operation', facts: { operation: 'gddCreate', status: 200 } },
    { what: 'another code', facts: { ...fetched(200), code: 'ServiceUnavailable' } },
  ])('do not silence $what', ({ facts }) => {
    const sample = lineSampler(() => 0);
    for (let index = 0; index < 5_000; index += 1) sample('Request:Answered', fetched(200));
    expect(sample('Request:Answered', facts)).toBe(1);
  });
  test.each(['Timer:Done', 'Timer:Failed', 'Enrollment:GivenUp', 'Message:Poisoned'])(
    '%s is written each time: alerts count it',
    (event) => {
      const sample = lineSampler(() => 0);
      const weights = Array.from({ length: 1_000 }, () => sample(event, {}));
      expect(weights.every((weight) => weight === 1)).toBe(true);
      expect(sampledEvents.has(event)).toBe(false);
    },
  );
  test('have weights that add up to what happened, but for the last hundred', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 2_000 });
    fc.assert(
      fc.property(gaps, (waits) => {
        let now = 0;
        const sample = lineSampler(() => now);
        const weights = waits.map((wait) => {
          now += wait;
          return sample('Job:Succeeded', { solution: 'a' });
        });
        const sum = weights.reduce((total, weight) => total + weight, 0);
        expect(waits.length - sum).toBeGreaterThanOrEqual(0);
        expect(waits.length - sum).toBeLessThan(100);
      }),
    );
  });
});
