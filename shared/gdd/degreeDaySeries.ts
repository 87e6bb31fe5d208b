import type { DaySpan } from '../weather/calendar.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import type { DegreeDayDefinition } from './degreeDays.js';
import { degreeDaysOf, limitsOf } from './degreeDays.js';
import type { Normals } from './normals.js';
import { normalsOf } from './normals.js';
import type { DaySource, SeasonDay } from './season.js';

/** A day of a season that rests on something. */
export type KnownDay = SeasonDay & { readonly source: DaySource };

/** A season's degree-days under one definition, °C·day, not rounded. */
export interface DegreeDaySeries {
  readonly daily: readonly number[];
  /** Absent when no provider has reference years for this season. */
  readonly normals?: Normals;
  /**
   * What the season would be with each reference year in place of the days that rest on normals: one path a year, or
   * one path alone when no day does.
   */
  readonly paths: readonly (readonly number[])[];
}

export interface SeriesInput {
  readonly span: DaySpan;
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather | undefined;
}

/** Degree-days of each day: by the formula where there are temperatures, else the mean of the reference years. */
export function degreeDaySeries(
  { span, days, reference }: SeriesInput,
  definition: DegreeDayDefinition,
): DegreeDaySeries {
  const limits = limitsOf(definition);
  const normals = reference && normalsOf(span, reference, limits);
  const measured = days.map(({ temperatures }) => temperatures && degreeDaysOf(temperatures, limits));
  const along = (standIn: readonly number[]): number[] =>
    measured.map((value, index) => value ?? standIn[index] ?? NaN);
  const daily = along(normals?.daily ?? []);
  const isWhole = !measured.includes(undefined);
  const paths = isWhole ? [daily] : (normals?.seasons ?? []).map((season) => along(season.daily));
  return { daily, ...(normals && { normals }), paths };
}

/** Running sums. */
export function cumulativeOf(daily: readonly number[]): number[] {
  let sum = 0;
  return daily.map((value) => (sum += value));
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
