import { dayNumber, monthDayOf } from '../../kit/validation/calendar.js';
import { countDays, type Day, daysOf, type DaySpan } from '../weather/fieldDays.js';
import { lastYearOf, type ReferenceWeather, referenceYears } from '../weather/cache/weatherCache.js';
import { usableTemperatures, type Temperatures } from '../weather/weatherSource.js';
import { type DegreeDayLimits, degreeDaysOf } from './degreeDays.js';

/** A season of one year: one value a day. */
interface YearSeason<Value> {
  /** The year in which the season begins. */
  readonly year: number;
  readonly daily: readonly Value[];
}

/** The same season in several years, °C·day; a missing day has the mean of its date. */
interface YearsOfSeason {
  /** Mean of the years for each day of the season. */
  readonly daily: readonly number[];
  readonly seasons: readonly YearSeason<number>[];
}

/** A season in the reference years of the WMO. */
export interface Normals extends YearsOfSeason {
  /** The same season in the last thirty complete years, for the days to come. */
  readonly recent: YearsOfSeason;
}

/** Number of the last complete years from which the days to come are estimated. */
export const recentYears = 30;

/** Normals of fewer reference years have a warning. */
export const fewestGoodYears = 10;
/** A reference year with more missing days is left out. */
const mostMissingFraction = 0.1;

/**
 * The season's normals: degree-days are calculated in each reference year first and then averaged, because degree-days
 * of averaged temperatures are too low (by a quarter in a Milwaukee spring). 29 February has the value of 28 February. A
 * season across new year has fewer reference years, because each must lie within 1991–2020.
 *
 * @returns undefined when no reference year has 90 % of the season's days
 */
export function normalsOf(span: DaySpan, reference: ReferenceWeather, limits: DegreeDayLimits): Normals | undefined {
  const lastYear = lastYearOf(reference);
  const seasons = seasonsOf(span, reference, { lastYear, valueOf: (day) => degreeDaysOf(day, limits) });
  const normal = seasons.filter(({ year }) => year <= referenceYears.last - newYearsIn(span));
  const recent = seasons.filter(({ year }) => year > lastYear - newYearsIn(span) - recentYears);
  if (normal.length === 0) return undefined;
  const normals = averaged(normal, countDays(span));
  return { ...normals, recent: recent.length === 0 ? normals : averaged(recent, countDays(span)) };
}

/** Number of New Year's Days in a season after its first day. */
const newYearsIn = ({ from, to }: DaySpan): number => Number(to.slice(0, 4)) - Number(from.slice(0, 4));

/** Number of reference years that have 90 % of a season's days. */
export const goodYearsOf = (span: DaySpan, reference: ReferenceWeather): number =>
  seasonsOf(span, reference, { lastYear: referenceYears.last, valueOf: ({ maxC }) => maxC }).length;

const temperaturesAt = ({ minC, maxC }: ReferenceWeather, index: number): Temperatures | undefined =>
  usableTemperatures({ minC: minC[index] ?? null, maxC: maxC[index] ?? null });

/** Undefined where a day is missing. */
type RawSeason = YearSeason<number | undefined>;

interface SeasonValues {
  readonly lastYear: number;
  readonly valueOf: (day: Temperatures) => number;
}

/** The season in each year of the reference that has 90 % of its days, up to a last year. */
function seasonsOf(span: DaySpan, reference: ReferenceWeather, { lastYear, valueOf }: SeasonValues): RawSeason[] {
  const first = dayNumber(reference.from);
  const startYear = Number(span.from.slice(0, 4));
  const lastStart = lastYear - newYearsIn(span);
  const places = daysOf(span).map((day) => placeInYear(day, startYear));
  const starts = yearStarts(lastYear);
  const mostMissing = mostMissingFraction * places.length;
  const seasons: RawSeason[] = [];
  for (let year = referenceYears.first; year <= lastStart; year += 1) {
    let missing = 0;
    const daily = places.map((place) => {
      const usable = temperaturesAt(reference, dayNumberOf(place, year, starts) - first);
      if (usable === undefined) missing += 1;
      return usable && valueOf(usable);
    });
    if (missing <= mostMissing) seasons.push({ year, daily });
  }
  return seasons;
}

/** A day of a season without its year: years after the season's first, days after 1 January of a common year. */
interface PlaceInYear {
  readonly yearsLater: number;
  readonly dayOfYear: number;
}

/** 29 February has the place of 28 February. */
function placeInYear(day: Day, startYear: number): PlaceInYear {
  return {
    yearsLater: Number(day.slice(0, 4)) - startYear,
    dayOfYear: dayNumber(`2001-${monthDayOf(day)}`) - dayNumber('2001-01-01'),
  };
}

/** Day numbers of 1 January of each reference year and of the year after the last. */
const yearStarts = (lastYear: number): number[] =>
  Array.from({ length: lastYear - referenceYears.first + 2 }, (_, index) =>
    dayNumber(`${referenceYears.first + index}-01-01`),
  );

const firstOfMarch = 59;

/** The day number of a place in the season that begins in `year`. */
function dayNumberOf({ yearsLater, dayOfYear }: PlaceInYear, year: number, starts: readonly number[]): number {
  const index = year + yearsLater - referenceYears.first;
  const [start = NaN, next = NaN] = [starts[index], starts[index + 1]];
  const isAfterLeapDay = next - start === 366 && dayOfYear >= firstOfMarch;
  return start + dayOfYear + (isAfterLeapDay ? 1 : 0);
}

function averaged(seasons: readonly RawSeason[], length: number): YearsOfSeason {
  const means = Array.from({ length }, (_, index) => meanOf(seasons, index));
  // A day that is missing in every year has the value of the nearest day before it, else after it, and is never zero.
  const daily = means.map((mean, index) => mean ?? nearestKnown(means, index));
  return {
    daily,
    seasons: seasons.map(({ year, daily: values }) => ({
      year,
      daily: values.map((value, index) => value ?? daily[index] ?? NaN),
    })),
  };
}

function meanOf(seasons: readonly RawSeason[], index: number): number | undefined {
  let [sum, count] = [0, 0];
  for (const { daily } of seasons) {
    const value = daily[index];
    if (value === undefined) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

const nearestKnown = (means: readonly (number | undefined)[], index: number): number =>
  means.slice(0, index).findLast((mean) => mean !== undefined) ??
  means.slice(index).find((mean) => mean !== undefined) ??
  NaN;
