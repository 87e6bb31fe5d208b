/**
 * Archive days that hold only a part of their hours. A provider calculates a daily value from the hours it has: from the
 * warm hours where the morning is missing, from the first hours on the newest day; a single hour gives the same minimum
 * and maximum.
 */
import type { Day } from './fieldDays.js';
import type { DayTemperatures, Temperatures } from './weatherSource.js';
import { addDays } from '../../kit/validation/calendar.js';

/** Smallest difference between maximum and minimum; each of 28,000 whole days had more, °C. */
const leastRangeC = 0.3;
/** From this age on, the newest day of an answer counts as whole, days. */
const wholeFromAge = 10;
/** No forecast of yesterday is wrong by more, °C. */
const mostDifferenceC = 8;

interface ArchiveState {
  /** The calendar day at the field. */
  readonly today: Day;
  /** Whether the source reports a day as soon as one of its hours is known. */
  readonly newestIsPartial: boolean;
}

/** The days of an archive's answer that are whole as far as the answer itself shows. */
export function wholeDays(
  days: readonly DayTemperatures[],
  { today, newestIsPartial }: ArchiveState,
): DayTemperatures[] {
  const newest = days.at(-1)?.date;
  const isCutShort = newestIsPartial && newest !== undefined && newest > addDays(today, -wholeFromAge);
  return days.filter(({ date, minC, maxC }) => maxC - minC >= leastRangeC && !(isCutShort && date === newest));
}

/** Whether the forecast interface differs so much from the archive that the archive's day can't be a whole one. */
export const contradicts = (archived: Temperatures, expected: Temperatures | undefined): boolean =>
  expected !== undefined &&
  Math.max(Math.abs(archived.minC - expected.minC), Math.abs(archived.maxC - expected.maxC)) > mostDifferenceC;
