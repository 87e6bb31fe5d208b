import { addDays } from '../../kit/validation/calendar.js';

/** Days of one search, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Days of one search at most: a month of one place fits on few pages. */
const PERIOD_DAYS = 31;

/** A day's work begins at 05:30 UTC; milliseconds. */
const DAY_BEGINS_MS = 5.5 * 3_600_000;

/** The day whose work is due at an instant: a new one begins at 05:30 UTC. */
export const workDay = (now: number): string => new Date(now - DAY_BEGINS_MS).toISOString().slice(0, 10);

/** The instant at which the work of a day begins, milliseconds since 1970 UTC. */
export const workBeginsAt = (day: string): number => Date.parse(day) + DAY_BEGINS_MS;

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

/** The days that two periods have in common; `to` before `from` when they have none. */
export const commonDays = (a: Period, b: Period): Period => ({ from: later(a.from, b.from), to: earlier(a.to, b.to) });

/** A period cut into those of single searches, newest first. */
export function searchPeriods({ from, to: last }: Period): readonly Period[] {
  const periods: Period[] = [];
  for (let to = last; to >= from; to = addDays(to, -PERIOD_DAYS)) {
    periods.push({ from: later(from, addDays(to, 1 - PERIOD_DAYS)), to });
  }
  return periods;
}
