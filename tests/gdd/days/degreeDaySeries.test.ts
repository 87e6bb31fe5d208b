import { describe, expect, test } from '@jest/globals';
import { cropModels } from '../../../shared/gdd/days/crops.js';
import { limitsOf } from '../../../shared/gdd/days/degreeDays.js';
import { degreeDaySeries } from '../../../shared/gdd/days/degreeDaySeries.js';
import type { KnownDay } from '../../../shared/gdd/days/season.js';
import type { WeatherUse } from '../../../shared/gdd/gather/gatherSeason.js';
import { heightUncertainty, perDegreeOf, placeUncertainty } from '../../../shared/gdd/gather/placeUncertainty.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import { referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';

/** Reference years in which every day is worth so many °C·day of corn. */
const yearsWorth = (worth: (year: number) => number, span = referenceSpan) =>
  referenceOf(
    {
      origin: {} as never,
      retrievedAt: 0,
      days: daysOf(span).map((date) => {
        const celsius = 10 + worth(Number(date.slice(0, 4)));
        return { date, minC: celsius, maxC: celsius };
      }),
    },
    span,
  );
/** Four days in June; those without a worth rest on normals. */
const seasonOf = (year: number, worths: readonly (number | undefined)[]) => {
  const span = { from: `${year}-06-01`, to: `${year}-06-04` };
  const days = daysOf(span).map((date, index): KnownDay => {
    const worth = worths[index];
    if (worth === undefined) return { date, source: 'NORMAL' };
    return { date, source: 'OBSERVED', temperatures: { minC: 10 + worth, maxC: 10 + worth } };
  });
  return { span, days };
};
const inDecimals = (values: readonly number[]): number[] => values.map((value) => Number(value.toFixed(9)));

describe('the degree-days of a season', () => {
  test('that was measured are those of its days; normals stand beside them where years are known', () => {
    const season = seasonOf(2026, [3, 4, 5, 6]);
    const known = degreeDaySeries({ ...season, reference: yearsWorth(() => 5) }, cropModels.CORN);
    expect(known.daily).toEqual([3, 4, 5, 6]);
    expect(known.normals?.daily).toEqual([5, 5, 5, 5]);
    expect([known.rests, known.trend]).toEqual([[], undefined]);
    expect(degreeDaySeries({ ...season, reference: undefined }, cropModels.CORN)).toStrictEqual({
      daily: [3, 4, 5, 6],
      rests: [],
    });
  });

  test('are unknown on open days without reference years', () => {
    const season = seasonOf(2026, [3, undefined, 5, undefined]);
    const { daily, rests } = degreeDaySeries({ ...season, reference: undefined }, cropModels.CORN);
    expect([daily, rests]).toEqual([[3, NaN, 5, NaN], []]);
  });

  test('are the mean of the reference years on open days; each year is one way in which the season may go on', () => {
    const season = seasonOf(2026, [3, 4, undefined, undefined]);
    const { daily, rests, trend } = degreeDaySeries({ ...season, reference: yearsWorth(() => 5) }, cropModels.CORN);
    expect(daily).toEqual([3, 4, 5, 5]);
    expect(rests).toEqual(Array(30).fill([0, 0, 5, 5]));
    expect(trend).toMatchObject({ perDecade: 0, shift: 0 });
  });

  test('follow the climate, in equal parts on the open days', () => {
    // A tenth more each year: from 0 in 1991 to 2.9 in 2020, 1.45 in the middle. Two open days: 0.2 a year.
    const season = seasonOf(2020, [3, 4, undefined, undefined]);
    const reference = yearsWorth((year) => (year - 1991) / 10);
    const { daily, rests, trend } = degreeDaySeries({ ...season, reference }, cropModels.CORN);
    expect(trend!.perDecade).toBeCloseTo(2, 9);
    // 0.2 for each of the 14.5 years from the middle on: years without noise leave no doubt of their trend.
    expect(trend!.shift).toBeCloseTo(2.9, 9);
    expect(inDecimals(daily)).toEqual([3, 4, 2.9, 2.9]);
    // The first year is brought 29 years forward, the last not at all.
    expect(inDecimals(rests[0]!)).toEqual([0, 0, 2.9, 2.9]);
    expect(inDecimals(rests[29]!)).toEqual([0, 0, 2.9, 2.9]);
  });

  test('rest on the last thirty complete years, and the normals on 1991–2020', () => {
    // A day is worth 5 up to 1995, 8 from 1996 on: no year of the last thirty is one of 5.
    const span = { from: '1991-01-01', to: '2025-12-31' };
    const season = seasonOf(2026, [3, 4, undefined, undefined]);
    const reference = yearsWorth((year) => (year < 1996 ? 5 : 8), span);
    const { daily, rests, normals, trend } = degreeDaySeries({ ...season, reference }, cropModels.CORN);
    expect(daily).toEqual([3, 4, 8, 8]);
    expect(rests).toEqual(Array(30).fill([0, 0, 8, 8]));
    expect(trend).toMatchObject({ perDecade: 0, shift: 0 });
    expect(normals!.seasons).toHaveLength(30);
    expect(normals!.daily).toEqual(Array(4).fill((5 * 5 + 25 * 8) / 30));
  });

  test('are never below nothing, however it cools', () => {
    const reference = yearsWorth((year) => (2020 - year) / 10);
    const season = seasonOf(2100, [3, 4, 5, undefined]);
    const { daily, trend } = degreeDaySeries({ ...season, reference }, cropModels.CORN);
    expect(trend!.shift).toBeLessThan(-1);
    expect(daily).toEqual([3, 4, 5, 0]);
  });
});

describe('what the place of a field may change', () => {
  const limits = limitsOf(cropModels.CORN);
  const warm = { minC: 15, maxC: 25 };
  const day = (temperatures: KnownDay['temperatures']): KnownDay =>
    temperatures === undefined
      ? { date: '2026-06-01', source: 'NORMAL' }
      : { date: '2026-06-01', source: 'OBSERVED', temperatures };
  const ten = Array.from({ length: 10 }, () => day(warm));

  test.each([
    { why: 'a day within the limits is worth a degree', days: ten, perDegree: 10 },
    { why: 'nights below the limit count nothing', days: [day({ minC: 0, maxC: 20 })], perDegree: 0.5 },
    { why: 'nor do days above it', days: [day({ minC: 20, maxC: 38 })], perDegree: 0.5 },
    { why: 'days without temperatures are as warm as the others', days: [day(warm), day(undefined)], perDegree: 2 },
    { why: 'and worth a degree where none is known', days: [day(undefined), day(undefined)], perDegree: 2 },
    {
      why: 'the mean of all that are known counts',
      days: [day(warm), day({ minC: 0, maxC: 20 }), day(undefined), day(undefined)],
      perDegree: 3,
    },
  ])('of a degree: $why', ({ days, perDegree }) => {
    expect(perDegreeOf(days, limits)).toBeCloseTo(perDegree, 9);
  });

  test('of a height is 1.5 °C a kilometre, up or down', () => {
    expect([heightUncertainty(1000, 10), heightUncertainty(-200, 10)]).toEqual([15, 3]);
  });

  const use = (origin: object, product = 'archive') => ({ product, origin }) as unknown as WeatherUse;

  test.each([
    {
      why: 'half a degree for a fine cell',
      uses: [use({ gridElevationM: 203, heightOf: 'field' })],
      expected: 5,
    },
    { why: 'a degree for one of 50 km', uses: [use({ gridElevationM: 203, heightOf: 'cell' })], expected: 10 },
    {
      why: 'its height beside it, by their squares: 15 and 5',
      uses: [use({ gridElevationM: 1203, heightOf: 'field' })],
      expected: Math.hypot(15, 5),
    },
    { why: 'no height where that of the cell is not known', uses: [use({ heightOf: 'field' })], expected: 5 },
    {
      why: 'the cell of the archive, not of the forecast',
      uses: [use({ gridElevationM: 9000, heightOf: 'cell' }, 'forecast'), use({ gridElevationM: 203 })],
      expected: 5,
    },
    {
      why: 'that of the first source where there is no archive',
      uses: [use({ gridElevationM: 203, heightOf: 'cell' }, 'forecast'), use({ gridElevationM: 9000 }, 'reference')],
      expected: 10,
    },
    { why: 'nothing where nothing was asked', uses: [], expected: 0 },
  ])('over ten days is $why', ({ uses, expected }) => {
    expect(placeUncertainty({ days: ten, uses, elevationM: 203, limits })).toBeCloseTo(expected, 9);
  });

  test('is the cell alone where the height of the field is not known', () => {
    const uses = [use({ gridElevationM: 1203, heightOf: 'field' })];
    expect(placeUncertainty({ days: ten, uses, elevationM: undefined, limits })).toBeCloseTo(5, 9);
  });
});
