import { addDays, dayNumber } from '../../kit/validation/calendar.js';

/** A rectangle of the picture, pixels; y grows downwards. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A scale from values to pixels, with 0 at the frame's bottom. */
export interface ValueScale {
  readonly y: (value: number) => number;
  readonly ticks: readonly number[];
}

/**
 * A scale whose ticks are 1, 2 or 5 times a power of ten.
 *
 * @param highest largest value shown
 * @param options.headroom fraction of the frame's height that stays free above the largest value
 */
export function valueScale(
  highest: number,
  { top, bottom }: Frame,
  { headroom, ticks }: { readonly headroom: number; readonly ticks: number },
): ValueScale {
  const limit = Math.max(highest, 1) / (1 - headroom);
  const step = niceStep(limit / ticks);
  const count = Math.floor(limit / step + 1e-9);
  return {
    y: (value) => bottom - (value / limit) * (bottom - top),
    ticks: Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12))),
  };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const monthOf = (day: string): string => monthNames[Number(day.slice(5, 7)) - 1] ?? '';

/** `1 May` of 2026-05-01. */
export const dayInWords = (day: string): string => `${Number(day.slice(8, 10))} ${monthOf(day)}`;

/** A mark on the time axis, at the morning of a day. */
interface DayTick {
  readonly day: string;
  readonly label: string;
}

/** Longest season with marks of up to eight days, and longest with a mark a week; longer ones have a mark a month. */
const mostDaysByDay = 14;
const mostDaysByWeek = 70;

/** Marks of the time axis for `count` days from `first` on; the first label and each January have the year. */
export function dayTicks(first: string, count: number): DayTick[] {
  if (count <= mostDaysByWeek) {
    const step = count <= mostDaysByDay ? Math.ceil(count / 8) : 7;
    return Array.from({ length: Math.ceil(count / step) }, (_, index) => {
      const day = addDays(first, index * step);
      return { day, label: index === 0 ? `${dayInWords(day)} ${day.slice(0, 4)}` : dayInWords(day) };
    });
  }
  return monthTicks(first, count);
}

function monthTicks(first: string, count: number): DayTick[] {
  const ticks: DayTick[] = [];
  const end = dayNumber(first) + count;
  let day = first.endsWith('-01') ? first : startOfNextMonth(first);
  for (; dayNumber(day) < end; day = startOfNextMonth(day)) {
    const tellsYear = ticks.length === 0 || day.slice(5, 7) === '01';
    ticks.push({ day, label: tellsYear ? `${monthOf(day)} ${day.slice(0, 4)}` : monthOf(day) });
  }
  return ticks;
}

const startOfNextMonth = (day: string): string => `${addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
