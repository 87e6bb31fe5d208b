import { describe, expect, test } from '@jest/globals';
import { forecastBias } from '../../../shared/gdd/gather/forecastBias.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import type { Temperatures } from '../../../shared/gdd/weather/weatherSource.js';

/** Days from 1 May on, each with these temperatures. */
const daysWith = (count: number, of: (index: number) => Temperatures): Map<string, Temperatures> =>
  new Map(Array.from({ length: count }, (_, index) => [addDays('2026-05-01', index), of(index)]));

const mild = daysWith(60, () => ({ minC: 10, maxC: 20 }));
const biasOf = (count: number, { minC, maxC }: Temperatures, leastDays = 5) =>
  forecastBias(
    mild,
    daysWith(count, () => ({ minC: 10 + minC, maxC: 20 + maxC })),
    leastDays,
  );

describe('the bias of a forecast: Σd / (n + 4)', () => {
  test.each([
    { why: 'five days: 5/9 of the difference', count: 5, off: { minC: 0.9, maxC: -1.8 }, minC: -0.5, maxC: 1, days: 5 },
    { why: '25 days: 25/29', count: 25, off: { minC: -0.29, maxC: -1.16 }, minC: 0.25, maxC: 1, days: 25 },
    { why: 'more days count no more', count: 40, off: { minC: 0, maxC: -1.16 }, minC: 0, maxC: 1, days: 25 },
    { why: 'never more than 4 °C', count: 25, off: { minC: 9, maxC: -9 }, minC: -4, maxC: 4, days: 25 },
  ])('$why', ({ count, off, minC, maxC, days }) => {
    const bias = biasOf(count, off);
    expect(bias?.days).toBe(days);
    expect(bias?.minC).toBeCloseTo(minC, 9);
    expect(bias?.maxC).toBeCloseTo(maxC, 9);
  });

  test('is not told by fewer than five days, of a log by fewer than seven', () => {
    expect(biasOf(4, { minC: 1, maxC: 1 })).toBeUndefined();
    expect(biasOf(6, { minC: 1, maxC: 1 }, 7)).toBeUndefined();
    expect(biasOf(7, { minC: 1, maxC: 1 }, 7)).toBeDefined();
  });

  test('is that of the last 25 days that both have', () => {
    const turned = daysWith(40, (index) => ({ minC: 10, maxC: index < 15 ? 0 : 20 }));
    expect(forecastBias(mild, turned, 5)).toEqual({ minC: 0, maxC: 0, days: 25 });
  });

  test('of a forecast that is right is 0', () => {
    expect(forecastBias(mild, mild, 5)).toEqual({ minC: 0, maxC: 0, days: 25 });
  });
});
