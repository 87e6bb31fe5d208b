import type { DaySpan } from '../weather/fieldDays.js';
import type { ReferenceWeather } from '../weather/cache/weatherCache.js';
import { climateTrend, type ClimateTrend } from './climateTrend.js';
import { type DegreeDayDefinition, degreeDaysOf, limitsOf } from './degreeDays.js';
import { type Normals, normalsOf } from './normals.js';
import type { KnownDay } from './season.js';
import { sumOf } from './quantiles.js';

/** A season's degree-days under one definition, °C·day, not rounded. */
export interface DegreeDaySeries {
  /** Days that rest on normals have the mean of the last thirty complete years, moved by the trend. */
  readonly daily: readonly number[];
  /** Absent when no provider has reference years for this season. */
  readonly normals?: Normals;
  /**
   * The days that rest on normals in each of the last thirty complete years, moved by the trend; other days are 0. Empty
   * when no day rests on normals.
   */
  readonly rests: readonly (readonly number[])[];
  /** Trend of the days that rest on normals, °C·day; absent when there are none. */
  readonly trend?: ClimateTrend;
}

/** A season and the reference years of its place. */
export interface SeriesInput {
  readonly span: DaySpan;
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather | undefined;
}

/** Degree-days of a season's day for a degree more, °C·day: below 1, because on some days the limits cut a part off. */
export const degreeDaysPerDegree = 0.85;

/** Degree-days of each day: by the formula where there are temperatures, else as the last thirty years let expect. */
export function degreeDaySeries(
  { span, days, reference }: SeriesInput,
  definition: DegreeDayDefinition,
): DegreeDaySeries {
  const limits = limitsOf(definition);
  const normals = reference && normalsOf(span, reference, limits);
  const measured = days.map(({ temperatures }) => temperatures && degreeDaysOf(temperatures, limits));
  const open = measured.filter((value) => value === undefined).length;
  if (open === 0 || normals === undefined) {
    return { daily: measured.map((value) => value ?? NaN), ...(normals && { normals }), rests: [] };
  }
  const restOf = (daily: readonly number[], shift: number): number[] =>
    measured.map((value, index) => (value === undefined ? (daily[index] ?? 0) + shift / open : 0));
  const { seasons, daily: means } = normals.recent;
  const sums = seasons.map(({ daily }) => sumOf(restOf(daily, 0)));
  const yearly = { years: seasons.map(({ year }) => year), values: sums, perDegree: degreeDaysPerDegree * open };
  const trend = climateTrend(yearly, Number(span.from.slice(0, 4)));
  const expected = restOf(means, trend.shift);
  return {
    daily: measured.map((value, index) => value ?? Math.max(0, expected[index] ?? NaN)),
    normals,
    rests: seasons.map(({ daily }, year) => restOf(daily, trend.shifts[year] ?? 0)),
    trend,
  };
}

/** Running sums. */
export function cumulativeOf(daily: readonly number[]): number[] {
  let sum = 0;
  return daily.map((value) => (sum += value));
}
