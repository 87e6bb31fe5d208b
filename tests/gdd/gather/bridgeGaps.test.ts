import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bridgeableGaps, bridgeGaps, weights } from '../../../shared/gdd/gather/bridgeGaps.js';
import { cropModels } from '../../../shared/gdd/days/crops.js';
import { degreeDaysOf, limitsOf } from '../../../shared/gdd/days/degreeDays.js';
import { interpolateGaps, type SeasonDay } from '../../../shared/gdd/days/season.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import { type ReferenceWeather, referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';
import type { DayTemperatures, WeatherOrigin } from '../../../shared/gdd/weather/weatherSource.js';
import { lateBy, openMeteoAnswers, plainWeather } from '../weather/fakeProviders.js';
import { jobWorld } from '../gddJobUnderTest.js';

const today = '2026-06-15';
const origin = {} as WeatherOrigin;
const referenceWith = (days: readonly DayTemperatures[]): ReferenceWeather =>
  referenceOf({ days, origin, retrievedAt: 0 });

/** Reference years in which every day has 10 to 20 °C. */
const even = referenceWith(daysOf(referenceSpan).map((date) => ({ date, minC: 10, maxC: 20 })));

/** Days 1 to 20 June, some missing; the others so much off the even reference years. */
const season = (missing: readonly number[], offC: (day: number) => number = () => 5): SeasonDay[] =>
  daysOf({ from: '2026-06-01', to: '2026-06-20' }).map((date, index) => {
    const day = index + 1;
    if (missing.includes(day)) return { date };
    const temperatures = { minC: 10 + offC(day), maxC: 20 + offC(day) };
    return { date, source: date < today ? 'OBSERVED' : 'FORECAST', temperatures };
  });

const bridgedOf = (days: readonly SeasonDay[]): number[] =>
  days.flatMap(({ source }, index) => (source === 'INTERPOLATED' ? [index + 1] : []));

describe('the weights of a bridge', () => {
  test.each([
    { step: 1, steps: 2, before: 0.65 / 1.4225, after: 0.65 / 1.4225 },
    { step: 0, steps: 5, before: 1, after: 0 },
    { step: 5, steps: 5, before: 0, after: 1 },
    {
      step: 1,
      steps: 6,
      before: (0.65 - 0.65 ** 11) / (1 - 0.65 ** 12),
      after: (0.65 ** 5 - 0.65 ** 7) / (1 - 0.65 ** 12),
    },
  ])('after $step of $steps steps', ({ step, steps, before, after }) => {
    expect(weights(step, steps)[0]).toBeCloseTo(before, 12);
    expect(weights(step, steps)[1]).toBeCloseTo(after, 12);
  });

  test('never add up to more than a whole, and mirror each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 8 }), fc.integer({ min: 1, max: 7 }), (steps, step) => {
        fc.pre(step < steps);
        const [before, after] = weights(step, steps);
        expect(before + after).toBeLessThan(1);
        expect(weights(steps - step, steps)).toEqual([after, before]);
      }),
    );
  });
});

describe('gaps that are bridged', () => {
  test.each([
    { why: 'three days are a straight line', missing: [4, 5, 6], bridged: [] },
    { why: 'four to seven are bridged', missing: [4, 5, 6, 7, 8, 9, 10], bridged: [4, 5, 6, 7, 8, 9, 10] },
    { why: 'eight are too many', missing: [4, 5, 6, 7, 8, 9, 10, 11], bridged: [] },
    { why: 'at an end there is nothing to lean on', missing: [1, 2, 3, 4], bridged: [] },
    { why: 'today may be in it', missing: [12, 13, 14, 15], bridged: [12, 13, 14, 15] },
    { why: 'the days to come may not', missing: [11, 12, 13, 14, 15, 16], bridged: [] },
  ])('$why: of $missing $bridged', ({ missing, bridged }) => {
    expect(bridgedOf(bridgeGaps(season(missing), today, even))).toEqual(bridged);
    expect(bridgeableGaps(season(missing), today)).toHaveLength(bridged.length === 0 ? 0 : 1);
  });

  test('sink towards the mean of the reference years and rise again', () => {
    const days = bridgeGaps(season([4, 5, 6, 7, 8]), today, even).slice(3, 8);
    const anomalies = days.map(({ temperatures }) => temperatures!.maxC - 20);
    expect(anomalies).toEqual(anomalies.toReversed());
    expect(anomalies[0]).toBeCloseTo(5 * (weights(1, 6)[0] + weights(1, 6)[1]), 9);
    expect(anomalies[2]!).toBeLessThan(anomalies[1]!);
    expect(anomalies[2]!).toBeGreaterThan(0);
  });

  test('have nights of their own: each side by its weight, and never warmer than the day', () => {
    const days = season([4, 5, 6, 7]).map((day, index): SeasonDay => {
      if (index === 2) return { ...day, temperatures: { minC: 13, maxC: 26 } };
      return index === 7 ? { ...day, temperatures: { minC: 8, maxC: 19 } } : day;
    });
    for (const [index, { temperatures }] of bridgeGaps(days, today, even).slice(3, 7).entries()) {
      const [before, after] = weights(index + 1, 5);
      expect(temperatures!.minC).toBeCloseTo(10 + 3 * before - 2 * after, 9);
      expect(temperatures!.maxC).toBeCloseTo(20 + 6 * before - after, 9);
    }
    // Even days where the reference years have 20 °C between night and day, and 4 °C on the days of the gap.
    const outer = ['06-03', '06-08'];
    const narrow = referenceWith(
      daysOf(referenceSpan).map((date) => ({
        date,
        ...(outer.includes(date.slice(5)) ? { minC: 5, maxC: 25 } : { minC: 13, maxC: 17 }),
      })),
    );
    const close = days.map((day, index): SeasonDay =>
      index === 2 || index === 7 ? { ...day, temperatures: { minC: 15, maxC: 15 } } : day,
    );
    const [first] = bridgeGaps(close, today, narrow).slice(3, 4);
    expect(first!.temperatures!.minC).toBe(first!.temperatures!.maxC);
  });

  test('lean on the mean of all reference years that know both of a day, the last one too', () => {
    const changing = referenceWith(
      daysOf(referenceSpan).map((date) => ({
        date,
        ...(date < '2020' ? { minC: 10, maxC: 20 } : { minC: 40, maxC: 50 }),
      })),
    );
    // 29 years of 10 and one of 40 °C: a degree more. Days of that mean are bridged by it.
    const usual = season([4, 5, 6, 7], () => 1);
    const [day] = bridgeGaps(usual, today, changing).slice(3, 4);
    expect([day!.temperatures!.minC, day!.temperatures!.maxC].map((value) => Number(value.toFixed(9)))).toEqual([
      11, 21,
    ]);
    const half = { ...changing, maxC: changing.maxC.map((maxC) => (maxC === 50 ? null : maxC)) };
    const without = { ...changing, minC: changing.minC.map((minC) => (minC === 40 ? null : minC)) };
    for (const reference of [half, without]) {
      const [other] = bridgeGaps(
        season([4, 5, 6, 7], () => 0),
        today,
        reference,
      ).slice(3, 4);
      expect(other!.temperatures).toEqual({ minC: 10, maxC: 20 });
    }
  });

  test.each([
    { why: 'the day before', unknown: '06-03', bridged: [] },
    { why: 'the day after', unknown: '06-08', bridged: [] },
    { why: 'one between', unknown: '06-05', bridged: [4, 6, 7] },
  ])('stay open where no reference year knows $why', ({ unknown, bridged }) => {
    const days = daysOf(referenceSpan).filter((date) => !date.endsWith(unknown));
    const reference = referenceWith(days.map((date) => ({ date, minC: 10, maxC: 20 })));
    expect(bridgedOf(bridgeGaps(season([4, 5, 6, 7]), today, reference))).toEqual(bridged);
  });

  test('stay open where no reference year knows the date', () => {
    expect(bridgedOf(bridgeGaps(season([4, 5, 6, 7]), today, referenceWith([])))).toEqual([]);
  });
});

describe('a job', () => {
  const hole = (from: string, to: string) => (date: string) =>
    date >= from && date <= to ? undefined : plainWeather(date);
  const past = { gddStartDate: '2025-05-01', gddEndDate: '2025-05-30' };
  const worldWith = (from: string, to: string, isMeasured = false) =>
    jobWorld({
      answer: (url, { clock }) => openMeteoAnswers({ clock, archive: hole(from, to) })(url),
      ports: { isMeasured },
    });

  test('bridges a week that nobody has, though it is more than a tenth of the season', async () => {
    const record = await worldWith('2025-05-10', '2025-05-16').run(past);
    expect(record.coverage).toMatchObject({ observed: 30, interpolated: 7, normal: 0, longestGap: 7 });
    expect(record.daily[10]!.tmax).not.toBeNull();
    // The error of the bridge: 1.2816 × 13.0 on each side.
    expect(record.range.p90 - record.range.p10).toBeCloseTo(2 * 1.28155 * 13, 0);
  });

  test('bridges no days that were measured at the field', async () => {
    const long = { ...past, gddEndDate: '2025-09-30' };
    const record = await worldWith('2025-05-10', '2025-05-16', true).run(long);
    expect(record.coverage).toMatchObject({ interpolated: 0, normal: 7 });
  });

  test('bridges an archive that is late to the forecast of today or tomorrow', async () => {
    // The archive ends with 22 August, for its newest day is in doubt; the forecast interface tells nothing before tomorrow.
    const { run } = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({
          clock,
          archive: lateBy(clock, 5, plainWeather),
          forecast: (date) => (date < '2026-08-29' ? undefined : plainWeather(date)),
        })(url),
    });
    const record = await run();
    const labels = record.daily.filter(({ date }) => date >= '2026-08-21' && date <= '2026-08-30');
    expect(labels.map(({ source }) => source)).toEqual([
      'OBSERVED',
      'OBSERVED',
      ...Array<string>(6).fill('INTERPOLATED'),
      'FORECAST',
      'FORECAST',
    ]);
    expect(record.coverage.normal).toBe(26); // from 5 September on
  });
});

const file = new URL('../../../../shared/data/gdd/ghcnd_USW00014839_milwaukee_wi.csv', import.meta.url);

(existsSync(file) ? describe : describe.skip)('gaps made in the record of Milwaukee, corn, 1991–2025', () => {
  const rows: DayTemperatures[] = (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : []).map(
    (line) => {
      const [date = '', maxC, minC] = line.split(',');
      return { date, minC: Number(minC), maxC: Number(maxC) };
    },
  );
  const limits = limitsOf(cropModels.CORN);
  const known = new Map(rows.map((row) => [row.date, row]));
  const reference = referenceWith(rows);

  /** Root of the mean squared error of the sum over a gap, °C·day, for gaps all over the seasons. */
  function errorOf(length: number, fill: (days: readonly SeasonDay[]) => SeasonDay[]): number {
    const errors: number[] = [];
    for (let year = 1991; year <= 2025; year += 1) {
      for (let from = `${year}-05-02`; from < `${year}-09-22`; from = addDays(from, 9)) {
        const days = daysOf({ from: addDays(from, -1), to: addDays(from, length) });
        const truth = days.slice(1, -1).map((date) => degreeDaysOf(known.get(date)!, limits));
        const [left, right] = [days[0]!, days.at(-1)!];
        const open = days.map((date): SeasonDay =>
          date === left || date === right ? { date, source: 'OBSERVED', temperatures: known.get(date)! } : { date },
        );
        const filled = fill(open).slice(1, -1);
        errors.push(
          filled.reduce((sum, day, index) => sum + degreeDaysOf(day.temperatures!, limits) - truth[index]!, 0),
        );
      }
    }
    return Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  }

  test.each([
    { length: 5, bridge: 10.3 },
    { length: 7, bridge: 13.0 },
  ])('of $length days: the sum is off by $bridge °C·day', ({ length, bridge }) => {
    const error = errorOf(length, (days) => bridgeGaps(days, '2030-01-01', reference));
    expect(Math.abs(error - bridge)).toBeLessThan(0.8);
  });

  test('of three days: 6.9 by a straight line', () => {
    expect(Math.abs(errorOf(3, (days) => interpolateGaps(days, '2030-01-01')) - 6.9)).toBeLessThan(0.6);
  });
});
