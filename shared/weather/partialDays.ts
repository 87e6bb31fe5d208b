/**
 * Archive days that are parts of a day. A daily value is made of the hours that are there: of a hole in the morning the
 * warm hours are left, of the newest day the first ones, and of a single hour minimum and maximum are the same.
 */
import type { Day } from './calendar.js';
import type { DayTemperatures, Temperatures } from './weatherSource.js';
import { addDays } from '../validation/calendar.js';

/** No whole day among 28,000 was so even, °C. */
const leastRangeC = 0.3;
/** The newest day of an answer is taken for whole from this age on, days. */
const wholeFromAge = 10;
/** By so much no forecast of yesterday errs, °C. */
const mostDifferenceC = 8;

export interface Newest {
  /** The calendar day it is at the field. */
  readonly today: Day;
  /** Whether the source tells a day as soon as it has an hour of it. */
  readonly newestIsPartial: boolean;
}

/** The days of an archive's answer that are whole as far as the answer itself can tell. */
export function wholeDays(days: readonly DayTemperatures[], { today, newestIsPartial }: Newest): DayTemperatures[] {
  const newest = days.at(-1)?.date;
  const isCutShort = newestIsPartial && newest !== undefined && newest > addDays(today, -wholeFromAge);
  return days.filter(({ date, minC, maxC }) => maxC - minC >= leastRangeC && !(isCutShort && date === newest));
}

/** Whether the forecast interface tells a day so differently that the archive's can't be a whole one. */
export const contradicts = (archived: Temperatures, expected: Temperatures | undefined): boolean =>
  expected !== undefined &&
  Math.max(Math.abs(archived.minC - expected.minC), Math.abs(archived.maxC - expected.maxC)) > mostDifferenceC;
