import type { Day, DaySpan } from '../weather/calendar.js';
import { addDays, dayNumber } from '../validation/calendar.js';
import { daysOf } from '../weather/calendar.js';
import type { Temperatures } from '../weather/weatherSource.js';

/**
 * What a day's value rests on. OBSERVED: archive, older than five days. PROVISIONAL: one of the last five days, which
 * providers still revise. FORECAST: from today on. NORMAL: mean of the reference years. INTERPOLATED: a short gap.
 */
export type DaySource = 'OBSERVED' | 'PROVISIONAL' | 'FORECAST' | 'NORMAL' | 'INTERPOLATED';

/** One day of a season; without a source while nothing is known of it, without temperatures when NORMAL. */
export interface SeasonDay {
  readonly date: Day;
  readonly source?: DaySource;
  readonly temperatures?: Temperatures;
  /** Of a forecast day: days from the one on which the forecast was made. */
  readonly lead?: number;
}

export type DayValues = ReadonlyMap<Day, Temperatures>;

export interface SeasonWeather {
  readonly span: DaySpan;
  /** The calendar day it is at the field. */
  readonly today: Day;
  /** Archive days of the first provider that has them. */
  readonly archive: DayValues;
  /** What the forecast interface says of the past two weeks and of the days to come. */
  readonly forecast: DayValues;
  /** The day on which the forecast was made; today when absent. */
  readonly forecastMadeOn?: Day;
  /** How many days of a forecast are believed, today included, 1–9. */
  readonly trustedForecastDays: number;
}

/** The archive is taken as final from this age on, days. */
const observedFromAge = 6;
/** Longer gaps are no straight line. */
export const longestInterpolatedGap = 3;

/** Gives each day of the span its source and temperatures; gaps stay without. */
export function placeDays({ span, today, archive, forecast, ...options }: SeasonWeather): SeasonDay[] {
  const { trustedForecastDays, forecastMadeOn = today } = options;
  const lastTrusted = addDays(today, trustedForecastDays - 1);
  const lastObserved = addDays(today, -observedFromAge);
  return daysOf(span).map((date) => {
    if (date >= today) {
      const expected = date <= lastTrusted ? withSource(date, 'FORECAST', forecast.get(date)) : { date };
      return expected.temperatures === undefined
        ? expected
        : { ...expected, lead: dayNumber(date) - dayNumber(forecastMadeOn) };
    }
    const archived = archive.get(date);
    if (archived !== undefined) return withSource(date, date <= lastObserved ? 'OBSERVED' : 'PROVISIONAL', archived);
    return withSource(date, 'PROVISIONAL', forecast.get(date));
  });
}

const withSource = (date: Day, source: DaySource, temperatures: Temperatures | undefined): SeasonDay =>
  temperatures === undefined ? { date } : { date, source, temperatures };

/** A run of days without temperatures, as indexes into the season, both ends included. */
export interface Gap {
  readonly first: number;
  readonly last: number;
}

/** Runs of past days that have no temperatures, whether or not something stands in for them. */
export function pastGaps(days: readonly SeasonDay[], today: Day): Gap[] {
  const gaps: Gap[] = [];
  for (const [index, day] of days.entries()) {
    if (day.date >= today || day.temperatures !== undefined) continue;
    const open = gaps.at(-1);
    if (open?.last === index - 1) gaps[gaps.length - 1] = { first: open.first, last: index };
    else gaps.push({ first: index, last: index });
  }
  return gaps;
}

/** The same with today, which may be a part of a gap: the forecast of tomorrow is its other side. */
export const gapsUntilToday = (days: readonly SeasonDay[], today: Day): Gap[] => pastGaps(days, addDays(today, 1));

/**
 * Fills gaps of up to three days, today included, that have temperatures on both sides, along a straight line and
 * separately for the minimum and the maximum. Longer gaps and those at an end stay open.
 */
export function interpolateGaps(days: readonly SeasonDay[], today: Day): SeasonDay[] {
  const filled = [...days];
  for (const { first, last } of gapsUntilToday(days, today)) {
    const before = days[first - 1]?.temperatures;
    const after = days[last + 1]?.temperatures;
    const length = last - first + 1;
    if (before === undefined || after === undefined || length > longestInterpolatedGap) continue;
    for (const [offset, day] of days.slice(first, last + 1).entries()) {
      const temperatures = between(before, after, (offset + 1) / (length + 1));
      filled[first + offset] = { date: day.date, source: 'INTERPOLATED', temperatures };
    }
  }
  return filled;
}

const between = (before: Temperatures, after: Temperatures, fraction: number): Temperatures => ({
  minC: before.minC + (after.minC - before.minC) * fraction,
  maxC: before.maxC + (after.maxC - before.maxC) * fraction,
});

/** How much of the past is missing. */
export interface Completeness {
  /** Past days whose weather should be known by now. */
  readonly expected: number;
  /** Those of them that are not, in order. */
  readonly missing: readonly Day[];
}

/** Days a provider without a forecast may be late with; they are not counted as missing where there is no forecast. */
export const publicationDelayDays = 7;

export interface PastDays {
  readonly days: readonly SeasonDay[];
  readonly today: Day;
  readonly hasForecast: boolean;
  /** Gaps that will be bridged. */
  readonly bridgeable: readonly Gap[];
}

/** Counts the past days without temperatures, except the last week where no forecast bridges the archive's delay. */
export function completenessOf({ days, today, hasForecast, bridgeable }: PastDays): Completeness {
  const end = hasForecast ? today : addDays(today, -publicationDelayDays);
  const expected = days.filter(({ date }) => date < end);
  const isBridged = (index: number): boolean => bridgeable.some(({ first, last }) => index >= first && index <= last);
  const missing = expected.filter(({ temperatures }, index) => temperatures === undefined && !isBridged(index));
  return { expected: expected.length, missing: missing.map(({ date }) => date) };
}

/** A season of which more past days are missing is not calculated. */
const mostMissingFraction = 0.1;

/** Whether more than 10 % of the past days are missing. */
export const isTooIncomplete = ({ expected, missing }: Completeness): boolean =>
  missing.length > mostMissingFraction * expected;

/** Every day that is still open becomes NORMAL. */
export const fillWithNormals = (days: readonly SeasonDay[]): (SeasonDay & { readonly source: DaySource })[] =>
  days.map((day) => ({ ...day, source: day.source ?? 'NORMAL' }));

/** Days as spans in words: `2026-05-03 to 2026-05-20 and 2026-06-01`; at most five spans are named. */
export function spansInWords(days: readonly Day[]): string {
  const spans: { from: Day; to: Day }[] = [];
  for (const day of days) {
    const open = spans.at(-1);
    if (open !== undefined && dayNumber(day) === dayNumber(open.to) + 1) open.to = day;
    else spans.push({ from: day, to: day });
  }
  const named = spans.slice(0, 5).map(({ from, to }) => (from === to ? from : `${from} to ${to}`));
  const rest = spans.length > 5 ? [`${spans.length - 5} more spans`] : [];
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format([...named, ...rest]);
}
