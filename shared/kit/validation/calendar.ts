/** Calendar days as strings `YYYY-MM-DD`: a day has no hour and no zone of its own. */

const DAY_MS = 86_400_000;

/** Days since 1970-01-01 of a calendar day; the day must exist. */
export function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** The calendar day of a day number. */
export function dayOf(number: number): string {
  if (!(number >= 0 && number < LAST_KEPT)) return writtenDay(number);
  return (daysOfNumbers[number] ??= writtenDay(number));
}

/** Days are written out once: a season is walked a dozen times for one result. Those after 2099 are made each time. */
const LAST_KEPT = 47_482;
const daysOfNumbers: (string | undefined)[] = [];

const writtenDay = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The calendar day `days` after (or, negative, before) the given one. */
export function addDays(date: string, days: number): string {
  return dayOf(dayNumber(date) + days);
}

/** Nights between two days: 0 for the same day, negative when `to` is the earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * The latest calendar day that has begun anywhere on earth (UTC+14): only a day after it is in the future for
 * everybody.
 */
export function latestToday(now: Date): string {
  return new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
}

/** True for a day that exists, written `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const instant = Date.parse(`${value}T00:00:00Z`);
  return Number.isFinite(instant) && new Date(instant).toISOString().startsWith(value);
}

/** The same day `years` later; 28 February for a 29 February that doesn't exist there. */
export function addYears(date: string, years: number): string {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const later = `${year}${date.slice(4)}`;
  return isDay(later) ? later : `${year}-02-28`;
}

/** Month and day `MM-DD` as every year has them: 29 February is 28 February, in leap years too. */
export function monthDayOf(date: string): string {
  const monthDay = date.slice(5);
  return monthDay === '02-29' ? '02-28' : monthDay;
}

/** Sorts days newest first as text. @param date YYYY-MM-DD */
export const newestFirst = (date: string): string => String(99_999_999 - Number(date.replaceAll('-', '')));
