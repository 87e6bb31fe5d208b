/* eslint-disable @typescript-eslint/consistent-type-definitions -- these stand in the record, which is a JsonObject */
import { dayNumber, dayOf, monthDayOf } from '../validation/calendar.js';
import { referenceYears, type ReferenceWeather } from '../weather/weatherCache.js';
import { ascending, quantileOf } from './quantile.js';

/** A day of the year without its year, `MM-DD`. */
type MonthDay = string;

/** In one of ten, five of ten and nine of ten years it is this day or before; null: there is no freeze in those years. */
export type FreezeDay = {
  readonly earliest: MonthDay | null;
  readonly median: MonthDay | null;
  readonly latest: MonthDay | null;
};

/** First and last night at or below 0 °C between two summers, over the reference years. */
export type FreezeDates = {
  readonly firstFreeze: FreezeDay;
  readonly lastFreeze: FreezeDay;
};

/** Between two growing seasons: a year that begins in the height of summer, as a common one in which days are counted. */
const summers = { north: '2001-08-01', south: '2001-02-01' } as const;
const mostMissingFraction = 0.1;
const winters = Array.from(
  { length: referenceYears.last - referenceYears.first },
  (_, index) => referenceYears.first + index,
);

/**
 * When it usually freezes first and last: from summer to summer, so that winters stay whole in both hemispheres.
 *
 * @returns undefined when no reference year has 90 % of its nights
 */
export function freezeDatesOf(reference: ReferenceWeather, latitude: number): FreezeDates | undefined {
  const start = latitude < 0 ? summers.south : summers.north;
  const [first, last]: [number[], number[]] = [[], []];
  for (const year of winters) {
    const freezes = freezesOf(reference, `${year}${start.slice(4)}`, `${year + 1}${start.slice(4)}`);
    if (freezes === undefined) continue;
    first.push(freezes.first === undefined ? Infinity : offsetOf(freezes.first, start));
    last.push(freezes.last === undefined ? -Infinity : offsetOf(freezes.last, start));
  }
  if (first.length === 0) return undefined;
  // Turned round, years without a freeze are the late end of the last one too.
  const turned = last.map((offset) => -offset);
  const named = (offset: number): MonthDay | null =>
    Number.isFinite(offset) ? dayOf(dayNumber(start) + offset).slice(5) : null;
  const quantile = (values: readonly number[], probability: number): number =>
    quantileOf(ascending(values), probability);
  return {
    firstFreeze: {
      earliest: named(Math.floor(quantile(first, 0.1))),
      median: named(Math.round(quantile(first, 0.5))),
      latest: named(Math.ceil(quantile(first, 0.9))),
    },
    lastFreeze: {
      earliest: named(-Math.ceil(quantile(turned, 0.9))),
      median: named(-Math.round(quantile(turned, 0.5))),
      latest: named(-Math.floor(quantile(turned, 0.1))),
    },
  };
}

interface Freezes {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** The first and the last night at or below 0 °C from a day on, up to another; undefined when too many are not known. */
function freezesOf({ from, minC }: ReferenceWeather, first: string, end: string): Freezes | undefined {
  const start = dayNumber(first) - dayNumber(from);
  const nights = minC.slice(start, start + dayNumber(end) - dayNumber(first));
  const missing = nights.filter((value) => value === null).length;
  if (missing > mostMissingFraction * nights.length) return undefined;
  const freezes = (value: number | null): boolean => value !== null && value <= 0;
  const dayAt = (index: number): string | undefined => (index < 0 ? undefined : dayOf(dayNumber(first) + index));
  return { first: dayAt(nights.findIndex(freezes)), last: dayAt(nights.findLastIndex(freezes)) };
}

/** Days from the summer's start to the same day of a common year; 29 February counts as 28 February. */
function offsetOf(date: string, start: string): number {
  const monthDay = monthDayOf(date);
  const year = monthDay >= start.slice(5) ? '2001' : '2002';
  return dayNumber(`${year}-${monthDay}`) - dayNumber(start);
}
