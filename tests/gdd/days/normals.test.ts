import { describe, expect, test } from '@jest/globals';
import { limitsOf } from '../../../shared/gdd/days/degreeDays.js';
import { normalsOf } from '../../../shared/gdd/days/normals.js';
import { ascending, quantileOf } from '../../../shared/gdd/days/quantiles.js';
import { reachIndex, reachOf } from '../../../shared/gdd/outlook/reachDates.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import type { ReferenceWeather } from '../../../shared/gdd/weather/cache/weatherCache.js';
import { referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';
import type { Temperatures } from '../../../shared/gdd/weather/weatherSource.js';

const corn = limitsOf({ method: 'CLIP', lowerF: 50, upperF: 86 });

const reference = (weather: (date: string) => Temperatures | undefined): ReferenceWeather =>
  referenceOf({
    days: daysOf(referenceSpan).flatMap((date) => {
      const temperatures = weather(date);
      return temperatures === undefined ? [] : [{ date, ...temperatures }];
    }),
    origin: {
      provider: 'test',
      model: 'test',
      gridLatitude: 0,
      gridLongitude: 0,
      heightOf: 'cell',
      dayBoundary: 'civil',
      attribution: '',
      licence: '',
    },
    retrievedAt: 0,
  });

/** Each day is worth as many °C·day as its year is past 1991. */
const worthOfYear = reference((date) => {
  const worth = Number(date.slice(0, 4)) - 1991;
  return { minC: 10 + worth / 2, maxC: 10 + worth * 1.5 > 30 ? 30 : 10 + worth * 1.5 };
});

describe('normals', () => {
  test('average degree-days, not temperatures: 5 and 15 °C on average give more than 10 °C', () => {
    // Warm and cold years in turn: 20 °C is worth 10 °C·day, 0 °C is worth none; 10 °C on average would be worth none.
    const changing = reference((date) => {
      const celsius = Number(date.slice(0, 4)) % 2 === 0 ? 20 : 0;
      return { minC: celsius, maxC: celsius };
    });
    const normals = normalsOf({ from: '2026-05-01', to: '2026-05-02' }, changing, corn);
    expect(normals?.daily).toEqual([5, 5]);
  });

  test('keep the reference years apart', () => {
    const normals = normalsOf({ from: '2026-05-01', to: '2026-05-03' }, worthOfYear, corn);
    expect(normals?.seasons.map(({ year }) => year)).toEqual(Array.from({ length: 30 }, (_, index) => 1991 + index));
    expect(normals?.seasons[4]?.daily).toEqual([4, 4, 4]);
  });

  test('give 29 February the value of 28 February', () => {
    const byDay = reference((date) => {
      const worth = date.endsWith('02-28') ? 4 : date.endsWith('02-29') ? 12 : 1;
      return { minC: 10 + worth, maxC: 10 + worth };
    });
    const normals = normalsOf({ from: '2028-02-27', to: '2028-03-01' }, byDay, corn);
    expect(normals?.daily).toEqual([1, 4, 4, 1]);
  });

  test.each([
    { from: '2025-09-15', to: '2026-07-25', years: 29, why: 'a season across one new year' },
    { from: '2025-12-01', to: '2027-01-04', years: 28, why: 'a season across two' },
    { from: '2026-01-01', to: '2026-12-31', years: 30, why: 'a calendar year' },
  ])('of $why rest on $years reference years', ({ from, to, years }) => {
    expect(normalsOf({ from, to }, worthOfYear, corn)?.seasons).toHaveLength(years);
  });

  test('leave out years of which more than 10 % is missing', () => {
    const patchy = reference((date) => {
      if (date.startsWith('1995-05') && date <= '1995-05-03') return undefined; // 3 of 30 days
      if (date.startsWith('1996-05') && date <= '1996-05-04') return undefined; // 4 of 30 days
      return { minC: 12, maxC: 12 };
    });
    const normals = normalsOf({ from: '2026-05-01', to: '2026-05-30' }, patchy, corn);
    expect(normals?.seasons.map(({ year }) => year)).not.toContain(1996);
    expect(normals?.seasons).toHaveLength(29);
    expect(normals?.seasons.find(({ year }) => year === 1995)?.daily.slice(0, 4)).toEqual([2, 2, 2, 2]);
  });

  test('of a day that is missing in every year are those of the day before', () => {
    // Each day is worth its number in the month, so that no other day could stand in unseen.
    const holed = reference((date) => {
      const celsius = 10 + Number(date.slice(8)) / 4;
      return date.endsWith('05-10') ? undefined : { minC: celsius, maxC: celsius };
    });
    const normals = normalsOf({ from: '2026-05-01', to: '2026-05-30' }, holed, corn);
    expect(normals?.daily.slice(7, 12)).toEqual([2, 2.25, 2.25, 2.75, 3]);
    expect(normals?.seasons.map(({ daily }) => daily[9])).toEqual(Array(30).fill(2.25));
  });

  test('of a first day that is missing in every year are those of the day after', () => {
    const holed = reference((date) => {
      const celsius = 10 + Number(date.slice(8)) / 4;
      return date.endsWith('05-01') ? undefined : { minC: celsius, maxC: celsius };
    });
    const normals = normalsOf({ from: '2026-05-01', to: '2026-05-30' }, holed, corn);
    expect(normals?.daily.slice(0, 3)).toEqual([0.5, 0.5, 0.75]);
  });

  test('do not exist without a reference year', () => {
    expect(
      normalsOf(
        { from: '2026-05-01', to: '2026-05-30' },
        reference(() => undefined),
        corn,
      ),
    ).toBeUndefined();
  });
});

describe('quantiles (Hyndman & Fan type 7)', () => {
  test.each([
    { values: [1, 2, 3, 4, 5], probability: 0.5, expected: 3 },
    { values: [1, 2, 3, 4], probability: 0.5, expected: 2.5 },
    { values: [10, 20], probability: 0.1, expected: 11 },
    { values: [7], probability: 0.9, expected: 7 },
    { values: [1, Infinity, Infinity], probability: 0.9, expected: Infinity },
  ])('of $values at $probability: $expected', ({ values, probability, expected }) => {
    expect(quantileOf(ascending(values.toReversed()), probability)).toBe(expected);
  });
});

describe('when a sum is reached', () => {
  test.each([
    { sum: 10, day: 1 },
    { sum: 10.1, day: 2 },
    { sum: 0, day: 0 },
    { sum: 21, day: Infinity },
  ])('days of 5 reach $sum on day $day', ({ sum, day }) => {
    expect(reachIndex([5, 5, 5, 5], sum)).toBe(day);
  });

  test('noise in the last bits moves no date', () => {
    expect(reachIndex([0.1, 0.1, 0.1], 0.30000000000000004)).toBe(2);
    expect(reachIndex([0.3 - 1e-12], 0.3)).toBe(0);
  });

  test('ten of ten paths: earliest in one of ten, latest in nine of ten, whole days', () => {
    const paths = Array.from({ length: 11 }, (_, index) => [...Array<number>(index).fill(0), 1, 0, 0]);
    expect(reachOf(paths, 1)).toEqual({ earliest: 1, median: 5, latest: 9 });
  });

  test('between two days the earliest is the earlier and the latest the later one', () => {
    // Reached on days 0 to 4: the 10th percentile is 0.4, the 90th 3.6.
    const paths = Array.from({ length: 5 }, (_, index) => [...Array<number>(index).fill(0), 1, 0]);
    expect(reachOf(paths, 1)).toEqual({ earliest: 0, median: 2, latest: 4 });
  });

  test('a sum that few seasons reach has an earliest day only', () => {
    const paths = [
      [1, 1],
      [0, 2],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    expect(reachOf(paths, 2)).toEqual({ earliest: 1, median: Infinity, latest: Infinity });
  });
});
