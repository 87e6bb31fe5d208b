import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { restTrend } from '../../shared/gdd/climateTrend.js';
import { cropModels } from '../../shared/gdd/crops.js';
import type { KnownDay } from '../../shared/gdd/degreeDaySeries.js';
import { degreeDaySeries } from '../../shared/gdd/degreeDaySeries.js';
import { limitsOf } from '../../shared/gdd/degreeDays.js';
import { dayErrorOf, gapError, runningError } from '../../shared/gdd/forecastError.js';
import { ascending, quantileType6 } from '../../shared/gdd/quantile.js';
import { seasonBand, spreadAround, widened } from '../../shared/gdd/seasonBand.js';
import { daysOf } from '../../shared/weather/calendar.js';
import { referenceOf, referenceSpan } from '../../shared/weather/weatherCache.js';

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
  /** Ten days of 20 °C, some of them bridged. */
  const bandOf = (bridged: readonly number[]) => {
    const span = { from: '2026-06-01', to: '2026-06-10' };
    const days = daysOf(span).map((date, index): KnownDay => ({
      date,
      source: bridged.includes(index) ? 'INTERPOLATED' : 'OBSERVED',
      temperatures: { minC: 20, maxC: 20 },
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
});

describe('the trend of the rest of a season', () => {
  const years = Array.from({ length: 30 }, (_, index) => 1991 + index);
  const seasons = years.map((year) => ({ year, daily: [] }));
  const noisy = (perYear: number): number[] =>
    years.map((year, index) => 500 + perYear * (year - 1991) + (index % 2 === 0 ? 40 : -40));

  test('is carried on by half to the season’s year', () => {
    const { perDecade, shift, shifts } = restTrend(seasons, noisy(2), 2026);
    expect(perDecade).toBeGreaterThan(15);
    expect(perDecade).toBeLessThan(20);
    expect(shift).toBeCloseTo((perDecade / 20) * (2026 - 2005.5), 9);
    expect(shifts[0]! - shifts[29]!).toBeCloseTo((perDecade / 20) * 29, 9);
  });

  test('never moves the middle by more than the years spread', () => {
    const steep = noisy(50);
    expect(restTrend(seasons, steep, 2126).shift).toBeLessThanOrEqual(600);
  });

  test('of one year is none', () => {
    expect(restTrend([{ year: 2000, daily: [] }], [5], 2026)).toEqual({ perDecade: 0, shift: 0, shifts: [0] });
  });
});

const file = new URL('../../../shared/data/gdd/ghcnd_USW00014839_milwaukee_wi.csv', import.meta.url);
const hasRecord = existsSync(file);

/** A generator of its own, so that every run draws the same. */
function normalDraws(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

interface Day {
  readonly minC: number;
  readonly maxC: number;
}

const kappa = [0.33, 0.36, 0.42, 0.48, 0.58, 0.68, 0.77, 0.86];

/** Years of made-up weather with a trend, whose days are alike as real ones are. */
function generatedYears(): Map<string, Day> {
  const draw = normalDraws(7);
  const days = new Map<string, Day>();
  let anomaly = 0;
  let month = 0;
  for (const date of daysOf({ from: '1991-01-01', to: '2025-12-31' })) {
    anomaly = 0.65 * anomaly + Math.sqrt(1 - 0.65 ** 2) * draw();
    month = 0.97 * month + Math.sqrt(1 - 0.97 ** 2) * draw();
    const season = -Math.cos((2 * Math.PI * (Date.parse(date) / 86_400_000 - 25)) / 365.25);
    const warming = 0.03 * (Number(date.slice(0, 4)) - 2005);
    const meanC = 9 + 13 * season + warming + 3.6 * anomaly + 1.6 * month;
    days.set(date, { maxC: meanC + 5 + 0.8 * draw(), minC: meanC - 5 + 0.8 * draw() });
  }
  return days;
}

/** Shares of seasons whose truth lies within the range, and above it, when the total is calculated on a day. */
function backTest(weather: ReadonlyMap<string, Day>, on: string, draws: number): { within: number; above: number } {
  const origin = {
    provider: 'test',
    model: 'test',
    gridLatitude: 0,
    gridLongitude: 0,
    heightOf: 'cell',
    dayBoundary: 'civil',
    attribution: '',
    licence: '',
  } as const;
  const all = daysOf(referenceSpan).map((date) => ({ date, ...weather.get(date)! }));
  let [count, within, above] = [0, 0, 0];
  for (let year = 1991; year <= 2025; year += 1) {
    const span = { from: `${year}-05-01`, to: `${year}-09-30` };
    const reference = referenceOf({
      origin,
      retrievedAt: 0,
      days: all.filter(({ date }) => !date.startsWith(String(year))),
    });
    const truth = degreeDaySeries(
      {
        span,
        reference,
        days: daysOf(span).map((date) => ({ date, source: 'OBSERVED', temperatures: weather.get(date)! })),
      },
      cropModels.CORN,
    ).daily.reduce((sum, value) => sum + value, 0);
    const today = `${year}-${on}`;
    const sigma = spreadAround(today, reference);
    const draw = normalDraws(year);
    for (let round = 0; round < draws; round += 1) {
      const bias = 0.5 * draw();
      let error = draw();
      const days = daysOf(span).map((date): KnownDay => {
        const lead = (Date.parse(date) - Date.parse(today)) / 86_400_000;
        const known = weather.get(date)!;
        if (lead < 0) return { date, source: 'OBSERVED', temperatures: known };
        if (lead > 7) return { date, source: 'NORMAL' };
        error = 0.4 * error + Math.sqrt(1 - 0.4 ** 2) * draw();
        const share = kappa[lead]!;
        const temperatures = {
          maxC: known.maxC + bias + error * Math.max(1.5, share * sigma.maxC),
          minC: known.minC + bias + error * 0.5 * Math.max(1.5, share * sigma.minC),
        };
        return { date, source: 'FORECAST', lead, temperatures };
      });
      const series = degreeDaySeries({ span, days, reference }, cropModels.CORN);
      const { p10, p90 } = seasonBand({ days, series, limits: corn, reference, isBiasRemoved: true }).at(-1)!;
      count += 1;
      if (truth > p90) above += 1;
      else if (truth >= p10) within += 1;
    }
  }
  return { within: within / count, above: above / count };
}

describe('of seasons that the reference years do not hold', () => {
  const generated = generatedYears();
  test.each(['06-01', '07-01', '08-01', '09-01', '09-15', '09-22'])(
    'eight of ten end within the range of %s, in a climate that warms',
    (on) => {
      const { within, above } = backTest(generated, on, 4);
      expect(within).toBeGreaterThanOrEqual(0.7);
      expect(within).toBeLessThanOrEqual(0.9);
      expect(above).toBeLessThanOrEqual(0.17);
    },
  );
});

(hasRecord ? describe : describe.skip)('of seasons of Milwaukee, 1991 to 2025, each against the others', () => {
  const rows = new Map<string, Day>();
  for (const line of hasRecord ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : []) {
    const [date = '', maxC, minC] = line.split(',');
    rows.set(date, { minC: Number(minC), maxC: Number(maxC) });
  }
  test.each(['06-01', '07-01', '08-01', '09-01', '09-15', '09-22'])(
    '74 to 86 % end within the range of %s, at most 15 % above it',
    (on) => {
      const { within, above } = backTest(rows, on, 4);
      expect(within).toBeGreaterThanOrEqual(0.74);
      expect(within).toBeLessThanOrEqual(0.86);
      expect(above).toBeLessThanOrEqual(0.15);
    },
  );

  test('the spread of 15 June and 15 July is 5.27/3.90 and 4.08/3.15 °C', () => {
    const reference = referenceOf({
      origin: {} as never,
      retrievedAt: 0,
      days: daysOf(referenceSpan).map((date) => ({ date, ...rows.get(date)! })),
    });
    const june = spreadAround('2026-06-15', reference);
    const july = spreadAround('2026-07-15', reference);
    expect([june.maxC, june.minC, july.maxC, july.minC].map((value) => Number(value.toFixed(2)))).toEqual([
      5.27, 3.9, 4.08, 3.15,
    ]);
  });

  test('the trend of corn to 30 September is that of the record: from 1 July 36.5 a decade, +37 in 2026', () => {
    const reference = referenceOf({
      origin: {} as never,
      retrievedAt: 0,
      days: daysOf(referenceSpan).map((date) => ({ date, ...rows.get(date)! })),
    });
    const trendFrom = (from: string) => {
      const span = { from, to: '2026-09-30' };
      const days = daysOf(span).map((date): KnownDay => ({ date, source: 'NORMAL' }));
      return degreeDaySeries({ span, days, reference }, cropModels.CORN).trend!;
    };
    expect(trendFrom('2026-05-01').perDecade).toBeCloseTo(39.0, 0);
    expect(trendFrom('2026-05-01').shift).toBeCloseTo(40, -0.5);
    expect(trendFrom('2026-07-01').perDecade).toBeCloseTo(36.5, 0);
    expect(trendFrom('2026-07-01').shift).toBeCloseTo(37, -0.5);
    expect(trendFrom('2026-09-01').perDecade).toBeCloseTo(14.9, 0);
    expect(trendFrom('2026-09-01').shift).toBeCloseTo(15, -0.5);
  });
});
