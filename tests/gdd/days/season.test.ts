import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SeasonDay } from '../../../shared/gdd/days/season.js';
import {
  completenessOf,
  fillWithNormals,
  interpolateGaps,
  isTooIncomplete,
  pastGaps,
  placeDays,
  spansInWords,
} from '../../../shared/gdd/days/season.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import type { Temperatures } from '../../../shared/gdd/weather/weatherSource.js';

const today = '2026-06-15';
const mild: Temperatures = { minC: 10, maxC: 20 };

const valuesFor = (from: string, to: string, temperatures = mild): Map<string, Temperatures> =>
  new Map(daysOf({ from, to }).map((date) => [date, temperatures]));

/** A season around today with everything known. */
const weather = {
  span: { from: '2026-06-01', to: '2026-07-05' },
  today,
  archive: valuesFor('2026-06-01', '2026-06-14'),
  forecast: valuesFor('2026-06-01', '2026-06-30'),
  trustedForecastDays: 10,
};

const sourceOn = (days: readonly SeasonDay[], date: string) => days.find((day) => day.date === date)?.source;

describe('where a day’s value comes from, on 15 June', () => {
  const days = placeDays(weather);
  test.each([
    { date: '2026-06-01', source: 'OBSERVED', why: 'the archive is final' },
    { date: '2026-06-09', source: 'OBSERVED', why: 'six days are old enough' },
    { date: '2026-06-10', source: 'PROVISIONAL', why: 'five days are still revised' },
    { date: '2026-06-14', source: 'PROVISIONAL', why: 'yesterday' },
    { date: '2026-06-15', source: 'FORECAST', why: 'today is not over' },
    { date: '2026-06-24', source: 'FORECAST', why: 'the tenth trusted day' },
    { date: '2026-06-25', source: undefined, why: 'later days of a forecast are not believed' },
    { date: '2026-07-05', source: undefined, why: 'beyond every forecast' },
  ])('$date is $source: $why', ({ date, source }) => {
    expect(sourceOn(days, date)).toBe(source);
  });

  test('a recent day the archive does not have yet is taken from the forecast interface', () => {
    const late = placeDays({ ...weather, archive: valuesFor('2026-06-01', '2026-06-08') });
    expect(sourceOn(late, '2026-06-09')).toBe('PROVISIONAL');
    expect(sourceOn(late, '2026-06-14')).toBe('PROVISIONAL');
  });

  test('the archive is preferred to the forecast interface where both know a day', () => {
    const days = placeDays({ ...weather, forecast: valuesFor('2026-06-01', '2026-06-30', { minC: 0, maxC: 1 }) });
    expect(days.find(({ date }) => date === '2026-06-14')?.temperatures).toEqual(mild);
  });
});

describe('gaps in the past', () => {
  /** Days 1 to 12 June with temperatures that rise by one degree a day, some missing. */
  const rising = (...missing: number[]): SeasonDay[] =>
    daysOf({ from: '2026-06-01', to: '2026-06-12' }).map((date, index) =>
      missing.includes(index + 1)
        ? { date }
        : { date, source: 'OBSERVED', temperatures: { minC: index, maxC: 10 + 2 * index } },
    );

  test.each([
    { missing: [4], filled: [4] },
    { missing: [4, 5, 6], filled: [4, 5, 6] },
    { missing: [2, 3, 7, 8, 9], filled: [2, 3, 7, 8, 9] },
    { missing: [4, 5, 6, 7], filled: [] },
    { missing: [1, 2], filled: [] },
    { missing: [11, 12], filled: [] },
  ])('of days $missing: $filled are interpolated', ({ missing, filled }) => {
    const days = interpolateGaps(rising(...missing), today);
    const interpolated = days.flatMap(({ source }, index) => (source === 'INTERPOLATED' ? [index + 1] : []));
    expect(interpolated).toEqual(filled);
  });

  test('are filled along a straight line, minimum and maximum each', () => {
    const days = interpolateGaps(rising(4, 5, 6), today);
    expect(days.slice(3, 6).map(({ temperatures }) => temperatures)).toEqual([
      { minC: 3, maxC: 16 },
      { minC: 4, maxC: 18 },
      { minC: 5, maxC: 20 },
    ]);
  });

  test.each([
    { today: '2026-06-04', source: 'INTERPOLATED', why: 'today may be a part of one' },
    { today: '2026-06-03', source: undefined, why: 'what lies ahead is none' },
  ])('on 4 June, seen from $today: $source; $why', ({ today, source }) => {
    expect(sourceOn(interpolateGaps(rising(4), today), '2026-06-04')).toBe(source);
  });

  test('are told as runs', () => {
    expect(pastGaps(rising(1, 4, 5, 12), '2026-06-12')).toEqual([
      { first: 0, last: 0 },
      { first: 3, last: 4 },
    ]);
  });

  test.each([
    { missing: 3, of: 30, tooMany: false },
    { missing: 4, of: 30, tooMany: true },
    { missing: 1, of: 9, tooMany: true },
    { missing: 0, of: 0, tooMany: false },
  ])('$missing missing of $of days is too many: $tooMany (at most 10 %)', ({ missing, of, tooMany }) => {
    expect(isTooIncomplete({ expected: of, missing: Array<string>(missing).fill('2026-06-01') })).toBe(tooMany);
  });

  test('that will be bridged are not missing', () => {
    const days = daysOf({ from: '2026-06-01', to: '2026-06-20' }).map((date): SeasonDay => ({ date }));
    const missingWith = (bridgeable: readonly { first: number; last: number }[]): string[] =>
      completenessOf({ days, today: '2026-06-09', hasForecast: true, bridgeable }).missing.map((date) => date.slice(8));
    expect(missingWith([{ first: 1, last: 3 }])).toEqual(['01', '05', '06', '07', '08']);
    expect(
      missingWith([
        { first: 0, last: 0 },
        { first: 6, last: 7 },
      ]),
    ).toEqual(['02', '03', '04', '05', '06']);
  });

  test('of the last week are not counted where no forecast bridges the archive’s delay', () => {
    const days = daysOf({ from: '2026-06-01', to: '2026-06-20' }).map((date): SeasonDay => ({ date }));
    const past = { days, today, bridgeable: [] };
    expect(completenessOf({ ...past, hasForecast: true }).missing).toHaveLength(14);
    expect(completenessOf({ ...past, hasForecast: false })).toMatchObject({ expected: 7 });
  });
});

describe('laws of a season', () => {
  const gaps = fc.uniqueArray(fc.nat({ max: 119 }), { maxLength: 40 });
  const span = { from: '2026-03-01', to: '2026-06-28' };
  const temperaturesOn = (date: string): Temperatures => ({
    minC: Number(date.slice(8)),
    maxC: Number(date.slice(8)) + 9,
  });
  const valuesWithout = (missing: readonly number[]) =>
    new Map(
      daysOf(span).flatMap((date, index) => (missing.includes(index) ? [] : [[date, temperaturesOn(date)] as const])),
    );
  const asOf = (day: string, missing: readonly number[]): SeasonDay[] => {
    const archive = new Map([...valuesWithout(missing)].filter(([date]) => date < day));
    const forecast = new Map([...valuesWithout([])].filter(([date]) => date >= addDays(day, -14)));
    return interpolateGaps(placeDays({ span, today: day, archive, forecast, trustedForecastDays: 10 }), day);
  };

  test('a later look never changes an observed day', () => {
    fc.assert(
      fc.property(gaps, fc.nat({ max: 100 }), fc.nat({ max: 60 }), (missing, start, later) => {
        const early = asOf(addDays(span.from, start), missing);
        const late = asOf(addDays(span.from, start + later), missing);
        for (const [index, day] of early.entries()) if (day.source === 'OBSERVED') expect(late[index]).toEqual(day);
      }),
    );
  });

  test('every day has exactly one source once normals stand in, and no day is lost', () => {
    fc.assert(
      fc.property(gaps, fc.nat({ max: 140 }), (missing, start) => {
        const filled = fillWithNormals(asOf(addDays(span.from, start), missing));
        expect(filled.map(({ date }) => date)).toEqual(daysOf(span));
        for (const { source, temperatures } of filled) expect(temperatures === undefined).toBe(source === 'NORMAL');
      }),
    );
  });

  test('interpolation stays between its neighbours', () => {
    fc.assert(
      fc.property(gaps, (missing) => {
        for (const { source, temperatures } of asOf('2026-06-28', missing)) {
          if (source !== 'INTERPOLATED') continue;
          expect(temperatures!.minC).toBeGreaterThanOrEqual(1);
          expect(temperatures!.maxC).toBeLessThanOrEqual(40);
        }
      }),
    );
  });
});

describe('days in words', () => {
  test.each([
    { days: ['2026-05-01'], words: '2026-05-01' },
    { days: ['2026-05-01', '2026-05-02', '2026-05-05'], words: '2026-05-01 to 2026-05-02 and 2026-05-05' },
    {
      days: ['01', '03', '05', '07', '09'].map((day) => `2026-05-${day}`),
      words: '2026-05-01, 2026-05-03, 2026-05-05, 2026-05-07 and 2026-05-09',
    },
    {
      days: ['01', '03', '05', '07', '09', '11', '13'].map((day) => `2026-05-${day}`),
      words: '2026-05-01, 2026-05-03, 2026-05-05, 2026-05-07, 2026-05-09 and 2 more spans',
    },
  ])('$words', ({ days, words }) => {
    expect(spansInWords(days)).toBe(words);
  });
});
