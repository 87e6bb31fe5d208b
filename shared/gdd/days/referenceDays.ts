import { dayNumber, monthDayOf } from '../../kit/validation/calendar.js';
import type { Day } from '../weather/fieldDays.js';
import { lastYearOf, type ReferenceWeather } from '../weather/cache/weatherCache.js';
import type { Temperatures } from '../weather/weatherSource.js';

/** Temperatures of a day of the reference by its index; undefined where the provider had no value. */
export function temperaturesAt({ minC, maxC }: ReferenceWeather, index: number): Temperatures | undefined {
  const [low, high] = [minC[index] ?? null, maxC[index] ?? null];
  return low === null || high === null ? undefined : { minC: low, maxC: high };
}

/** Index of a date in another year of the reference; 29 February counts as 28 February. */
export const indexInYear = ({ from }: ReferenceWeather, date: Day, year: number): number =>
  dayNumber(`${year}-${monthDayOf(date)}`) - dayNumber(from);

/** Days before and after a date, and the last year looked at: the last one of the reference when absent. */
interface Window {
  readonly before?: number;
  readonly after?: number;
  readonly lastYear?: number;
}

/** Temperatures of a date and the days around it in each year of the reference, without missing days. */
export function daysAround(
  reference: ReferenceWeather,
  date: Day,
  { before = 0, after = 0, lastYear = lastYearOf(reference) }: Window,
): Temperatures[] {
  const found: Temperatures[] = [];
  for (let year = Number(reference.from.slice(0, 4)); year <= lastYear; year += 1) {
    const middle = indexInYear(reference, date, year);
    for (let index = middle - before; index <= middle + after; index += 1) {
      const temperatures = temperaturesAt(reference, index);
      if (temperatures !== undefined) found.push(temperatures);
    }
  }
  return found;
}
