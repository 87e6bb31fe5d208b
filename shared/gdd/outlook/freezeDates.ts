import { dayNumber, dayOf, monthDayOf } from '../../kit/validation/calendar.js';
import { referenceYears, type ReferenceWeather } from '../weather/cache/weatherCache.js';
import type { GddRecord } from '../form/gddRecord.js';
import { wholeDaysOf } from './reachDates.js';

type FreezeDates = Required<Pick<NonNullable<GddRecord['normal']>, 'firstFreeze' | 'lastFreeze'>>;

/** The height of summer, from which winters are counted, in a common year. */
const summers = { north: '2001-08-01', south: '2001-02-01' } as const;
const mostMissingFraction = 0.1;
const winters = Array.from(
  { length: referenceYears.last - referenceYears.first },
  (_, index) => referenceYears.first + index,
);

/**
 * First and last night at or below 0 °C between two summers, over the reference years; null where a share of the years
 * has no freeze.
 *
 * @returns undefined when no reference year has 90 % of its nights
 */
export function freezeDatesOf(reference: ReferenceWeather, latitude: number): FreezeDates | undefined {
  const start = latitude < 0 ? summers.south : summers.north;
  const freezes = winters.flatMap((year) => freezesOf(reference, start, year) ?? []);
  if (freezes.length === 0) return undefined;
  const named = (offset: number): string | null =>
    Number.isFinite(offset) ? dayOf(dayNumber(start) + offset).slice(5) : null;
  const first = wholeDaysOf(freezes.map((winter) => winter.first));
  // With the sign changed, years without a freeze come last here, too.
  const last = wholeDaysOf(freezes.map((winter) => -winter.last));
  return {
    firstFreeze: { earliest: named(first.earliest), median: named(first.median), latest: named(first.latest) },
    lastFreeze: { earliest: named(-last.latest), median: named(-last.median), latest: named(-last.earliest) },
  };
}

/** Days from the summer's start to a freeze; ±Infinity without one. */
interface Freezes {
  readonly first: number;
  readonly last: number;
}

/** The freezes of the winter that begins in a year; undefined when too many nights are missing. */
function freezesOf({ from, minC }: ReferenceWeather, start: string, year: number): Freezes | undefined {
  const first = dayNumber(`${year}${start.slice(4)}`);
  const end = dayNumber(`${year + 1}${start.slice(4)}`);
  const nights = minC.slice(first - dayNumber(from), end - dayNumber(from));
  const missing = nights.filter((value) => value === null).length;
  if (missing > mostMissingFraction * nights.length) return undefined;
  const freezes = (value: number | null): boolean => value !== null && value <= 0;
  const offsetAt = (index: number, without: number): number =>
    index < 0 ? without : offsetOf(dayOf(first + index), start);
  return {
    first: offsetAt(nights.findIndex(freezes), Infinity),
    last: offsetAt(nights.findLastIndex(freezes), -Infinity),
  };
}

/** Days from the summer's start to the same date of a common year; 29 February counts as 28 February. */
function offsetOf(date: string, start: string): number {
  const monthDay = monthDayOf(date);
  const year = monthDay >= start.slice(5) ? '2001' : '2002';
  return dayNumber(`${year}-${monthDay}`) - dayNumber(start);
}
