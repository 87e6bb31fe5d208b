import { addDays, dayNumber } from '../../kit/validation/calendar.js';
import { type Day, type DaySpan, daysOf } from '../weather/fieldDays.js';
import type { Temperatures } from '../weather/weatherSource.js';

/**
 * Sources of a day's value. OBSERVED: archive, older than five days. PROVISIONAL: one of the last five days, which
 * providers still revise. FORECAST: from today on. NORMAL: mean of reference years. INTERPOLATED: a short gap.
 */
export const daySources = ['OBSERVED', 'PROVISIONAL', 'FORECAST', 'NORMAL', 'INTERPOLATED'] as const;
/** One of the sources. */
export type DaySource = (typeof daySources)[number];

/** One day of a season; an unknown day has no source yet, a NORMAL one no temperatures. */
export interface SeasonDay {
  readonly date: Day;
  readonly source?: DaySource;
  readonly temperatures?: Temperatures;
  /** Of a forecast day: days from the one on which the forecast was made. */
  readonly lead?: number;
}

/** A day of a season whose source is known. */
export type KnownDay = SeasonDay & { readonly source: DaySource };

/** Temperatures by day. */
export type DayValues = ReadonlyMap<Day, Temperatures>;

interface SeasonWeather {
  readonly span: DaySpan;
  /** The calendar day at the field. */
  readonly today: Day;
  /** Archive days, each of the first provider that has it. */
  readonly archive: DayValues;
  /** Days of the forecast interface, before today and from today on. */
  readonly forecast: DayValues;
  /** The day on which the forecast was made; today when absent. */
  readonly forecastMadeOn?: Day | undefined;
  /** Number of forecast days that are used, today included, 1–9. */
  readonly trustedForecastDays: number;
}

/** From this age on a day of the archive is OBSERVED, days. */
const observedFromAge = 6;
/** Longest gap that is filled along a straight line, days. */
export const longestInterpolatedGap = 3;

/** Each day of the span with its source and temperatures; unknown days have neither. */
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

/** Runs of past days without temperatures, NORMAL ones too. */
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

/** The same with today, which may be part of a gap that ends with the forecast of tomorrow. */
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

/** The missing part of the past. */
export interface Completeness {
  /** Number of past days whose weather should be known by now. */
  readonly expected: number;
  /** The unknown days among them, in order. */
  readonly missing: readonly Day[];
}

/** Last days before today that archives may not have yet: without a forecast they do not count as missing. */
export const publicationDelayDays = 7;

interface PastDays {
  readonly days: readonly SeasonDay[];
  readonly today: Day;
  readonly hasForecast: boolean;
  /** Gaps that will be bridged. */
  readonly bridgeable: readonly Gap[];
}

/** The past days without temperatures; without a forecast, the last week does not count. */
export function completenessOf({ days, today, hasForecast, bridgeable }: PastDays): Completeness {
  const end = hasForecast ? today : addDays(today, -publicationDelayDays);
  const expected = days.filter(({ date }) => date < end);
  const isBridged = (index: number): boolean => bridgeable.some(({ first, last }) => index >= first && index <= last);
  const missing = expected.filter(({ temperatures }, index) => temperatures === undefined && !isBridged(index));
  return { expected: expected.length, missing: missing.map(({ date }) => date) };
}

/** With more missing days a season is not calculated. */
const mostMissingFraction = 0.1;

/** Whether more than 10 % of the past days are missing. */
export const isTooIncomplete = ({ expected, missing }: Completeness): boolean =>
  missing.length > mostMissingFraction * expected;

/** Every unknown day becomes NORMAL. */
export const fillWithNormals = (days: readonly SeasonDay[]): KnownDay[] =>
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
