import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { climateTrend } from '../../../shared/gdd/days/climateTrend.js';
import { cropModels } from '../../../shared/gdd/days/crops.js';
import type { KnownDay } from '../../../shared/gdd/days/season.js';
import { degreeDaySeries } from '../../../shared/gdd/days/degreeDaySeries.js';
import { limitsOf } from '../../../shared/gdd/days/degreeDays.js';
import { dayErrorOf, gapError, runningError } from '../../../shared/gdd/outlook/forecastError.js';
import { ascending, quantileType6 } from '../../../shared/gdd/days/quantiles.js';
import { seasonBand, spreadAround, widened } from '../../../shared/gdd/outlook/seasonBand.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import { referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';
import { stationRecords } from '../stationRecords.js';

const corn = limitsOf(cropModels.CORN);
const spread = { maxC: 5.4, minC: 4.5 };
const eightDays = (maxC: number, minC: number) =>
  Array.from({ length: 8 }, (_, lead) => dayErrorOf({ temperatures: { maxC, minC }, lead, spread }, corn));

describe('the error of a forecast in degree-days of corn', () => {
  test('grows with its lead: days of 25/13 °C', () => {
    const sizes = eightDays(25, 13).map(({ size }) => Number(size.toFixed(3)));
    expect(sizes).toEqual([1.165, 1.265, 1.533, 1.823, 2.337, 2.858, 3.271, 3.623]);
  });

  test.each([
    { maxC: 25, minC: 13, biasC: 0, sum: 9.54 },
    { maxC: 25, minC: 13, biasC: 0.5, sum: 10.32 },
    { maxC: 25, minC: 13, biasC: 0.75, sum: 11.23 },
    { maxC: 14, minC: 4, biasC: 0.5, sum: 6.54, why: 'nights below the limit count nothing' },
    { maxC: 38, minC: 32, biasC: 0.5, sum: 0.9, why: 'the cap swallows it' },
  ])('adds up over eight days of $maxC/$minC °C to $sum with $biasC °C of bias left', ({ maxC, minC, biasC, sum }) => {
    expect(runningError(eightDays(maxC, minC), biasC).at(-1)).toBeCloseTo(sum, 1);
  });

  test('never shrinks from day to day', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            size: fc.double({ min: 0, max: 9, noNaN: true }),
            perDegree: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
        ),
        (errors) => {
          const running = runningError(errors, 0.75);
          expect(running.every((value, index) => value >= (running[index - 1] ?? 0) - 1e-9)).toBe(true);
        },
      ),
    );
  });

  test('of a bridged gap is the one measured', () => {
    expect([0, 1, 5, 7, 9].map(gapError)).toEqual([0, 2, 10.3, 13, 13]);
  });
});

describe('the range of a total', () => {
  test.each([
    { deviation: 0, range: [110, 150, 190] },
    { deviation: 10, range: [107.997, 150, 192.003] },
    { deviation: 30, range: [94.519, 150, 205.481] },
  ])('of 110, 150, 190 with an error of $deviation is $range', ({ deviation, range }) => {
    const { p10, p50, p90 } = widened({ p10: 110, p50: 150, p90: 190 }, deviation);
    expect([p10, p50, p90].map((value) => Number(value.toFixed(3)))).toEqual(range);
  });

  test('takes type-6 percentiles, which hold 80 % of new years: 102, 150, 198 of 100 to 200', () => {
    const ordered = ascending(Array.from({ length: 11 }, (_, index) => 100 + 10 * index));
    expect([0.1, 0.5, 0.9].map((probability) => quantileType6(ordered, probability))).toEqual([102, 150, 198]);
  });
});

describe('the range of a season with bridged days', () => {
  /** Ten days of one temperature each, °C, some of them bridged. */
  const bandOf = (bridged: readonly number[], temperatures: readonly number[] = Array<number>(10).fill(20)) => {
    const span = { from: '2026-06-01', to: '2026-06-10' };
    const days = daysOf(span).map((date, index): KnownDay => ({
      date,
      source: bridged.includes(index) ? 'INTERPOLATED' : 'OBSERVED',
      temperatures: { minC: temperatures[index]!, maxC: temperatures[index]! },
    }));
    const series = degreeDaySeries({ span, days, reference: undefined }, cropModels.CORN);
    return seasonBand({ days, series, limits: corn, reference: undefined, isBiasRemoved: true });
  };
  const halfWidths = (bridged: readonly number[]): number[] =>
    bandOf(bridged).map(({ p50, p90 }) => Number((p90 - p50).toFixed(3)));
  const wide = (deviation: number): number => Number((1.28155 * deviation).toFixed(3));

  test.each([
    { why: 'none', bridged: [], errors: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    { why: 'one: 2.0 from its day on', bridged: [4], errors: [0, 0, 0, 0, 2, 2, 2, 2, 2, 2] },
    {
      why: 'three: 6.4 from the last of them on',
      bridged: [2, 3, 4],
      errors: [0, 0, 0, 0, 6.4, 6.4, 6.4, 6.4, 6.4, 6.4],
    },
    { why: 'the first day', bridged: [0], errors: Array<number>(10).fill(2) },
    { why: 'the last two: 4.4', bridged: [8, 9], errors: [0, 0, 0, 0, 0, 0, 0, 0, 0, 4.4] },
    {
      why: 'two gaps, by their squares',
      bridged: [1, 5],
      errors: [0, 2, 2, 2, 2, ...Array<number>(5).fill(Math.hypot(2, 2))],
    },
  ])('is that of the gap: $why', ({ bridged, errors }) => {
    expect(halfWidths(bridged)).toEqual(errors.map(wide));
    expect(bandOf(bridged).map(({ p50 }) => p50)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });

  test('never lies below the sum of the days that were observed, however large the error of the gap before them', () => {
    // Seven cold days are bridged, with an error of 13.0; then come three observed days of 5 °C·day each.
    const band = bandOf([0, 1, 2, 3, 4, 5, 6], [10, 10, 10, 10, 10, 10, 10, 15, 15, 15]);
    // By the error alone the range of the last day would begin at 15 − 1.28155 × 13.0, which is below 0.
    expect(band.map(({ p10 }) => p10)).toEqual([0, 0, 0, 0, 0, 0, 0, 5, 10, 15]);
  });
});

describe('the trend of the rest of a season', () => {
  const years = Array.from({ length: 30 }, (_, index) => 1996 + index);
  /** Sums of 100 days, so that a degree is worth 100 °C·day and the warming expected everywhere 25 a decade. */
  const perDegree = 100;
  const noisy = (perYear: number, noise: number): number[] =>
    years.map((year, index) => 500 + perYear * (year - 1996) + (index % 2 === 0 ? noise : -noise));
  const trendOf = (values: readonly number[], seasonYear = 2026) =>
    climateTrend({ years, values, perDegree }, seasonYear);

  test('is that of years without noise, whatever is expected of a climate', () => {
    const { perDecade, shift, shifts } = trendOf(noisy(-3, 0));
    expect(perDecade).toBeCloseTo(-30, 6);
    expect(shift).toBeCloseTo(-3 * 15.5, 6);
    expect([shifts[0], shifts[29]].map((value) => Number(value!.toFixed(6)))).toEqual([-90, -3]);
  });

  test.each([
    { why: 'years that know nothing', values: noisy(0, 1e6), perDecade: 25 },
    { why: 'two years', values: [500, 900], perDecade: 25 },
    { why: 'one year', values: [500], perDecade: 25 },
  ])('is the warming expected everywhere for $why', ({ values, perDecade }) => {
    const trend = climateTrend({ years: years.slice(0, values.length), values, perDegree }, 2026);
    expect(trend.perDecade).toBeCloseTo(perDecade, 2);
  });

  test('lies between both by their certainty: half way where the error of the slope is that of the warming', () => {
    // Thirty alternating years of ±n have the slope −0.0067 n a year, and an error of it of n × √(30 / 28 / 2247.5).
    const noise = 1.5 * Math.sqrt((28 * 2247.5) / 30);
    const { perDecade } = trendOf(noisy(8, noise));
    const slope = 80 - (10 * 15 * 2 * noise) / (2 * 2247.5);
    expect(perDecade).toBeCloseTo((slope + 25) / 2, 0);
  });

  test('is steeper the steeper the years are, and never beyond both the years and the expectation', () => {
    const slope = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(slope, slope, fc.double({ min: 1, max: 500, noNaN: true }), (one, other, noise) => {
        const [flat, steep] = [Math.min(one, other), Math.max(one, other)];
        const perDecade = trendOf(noisy(steep, noise)).perDecade;
        expect(perDecade).toBeGreaterThanOrEqual(trendOf(noisy(flat, noise)).perDecade - 1e-9);
        const own = climateTrend({ years, values: noisy(steep, noise), perDegree: 1e9 }, 2026).perDecade;
        expect(perDecade).toBeGreaterThanOrEqual(Math.min(own, 25) - 1e-2);
        expect(perDecade).toBeLessThanOrEqual(Math.max(own, 25) + 1e-2);
      }),
    );
  });

  test('of a season long ago goes back to the first of the years and no further', () => {
    expect(trendOf(noisy(3, 0), 1950)).toEqual(trendOf(noisy(3, 0), 1996));
  });
});

describe('the spread of the weather around a date', () => {
  const milwaukee = stationRecords().find(({ name }) => name.startsWith('Milwaukee'));

  (milwaukee === undefined ? test.skip : test)('is 5.27/3.90 °C on 15 June in Milwaukee, 4.08/3.15 on 15 July', () => {
    const reference = referenceOf({
      origin: {} as never,
      retrievedAt: 0,
      days: daysOf(referenceSpan).map((date) => ({ date, ...milwaukee!.weather.get(date)! })),
    });
    const june = spreadAround('2026-06-15', reference);
    const july = spreadAround('2026-07-15', reference);
    expect([june.maxC, june.minC, july.maxC, july.minC].map((value) => Number(value.toFixed(2)))).toEqual([
      5.27, 3.9, 4.08, 3.15,
    ]);
  });
});
