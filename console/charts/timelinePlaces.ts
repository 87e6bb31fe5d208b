import type { IndexDay } from '../api/fields.js';
import { dateOf, dayNumber, monthName, shortMonth } from '../parts/dateText.js';
import { linear, ticksOf, type Scale } from './scales.js';
import type { Curve } from './curve.js';

/** Where the parts of a timeline lie, CSS pixels. */
export interface TimelinePlaces {
  /** From a day, counted since 1970, to its place from the left. */
  readonly x: Scale;
  /** Radius of the disc of a day. */
  readonly radius: number;
  /** First days of months between the ends, with their places; the first day itself where no month begins. */
  readonly months: readonly { readonly date: string; readonly x: number }[];
}

/** Room for the labels of the axis, and beside the last disc. */
const [LEFT, RIGHT] = [40, 14];
const RADII = { most: 7.5, least: 2.5 } as const;

/** Places of days in a drawing of that width. @param dates in order, at least one */
export function timelinePlaces(dates: readonly string[], width: number): TimelinePlaces {
  const numbers = dates.map(dayNumber);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const ends = first === last ? ([first - 1, last + 1] as const) : ([first, last] as const);
  const x = linear(ends, [LEFT + RADII.most, Math.max(LEFT + 20, width - RIGHT)]);
  const gaps = numbers.slice(1).map((day, index) => x(day) - x(numbers[index] ?? day));
  const closest = Math.min(...gaps, Infinity);
  const months = monthsBetween(first, last);
  return {
    x,
    radius: Math.max(RADII.least, Math.min(RADII.most, closest / 2 - 1)),
    months: (months.length === 0 ? dates.slice(0, 1) : months).map((date) => ({ date, x: x(dayNumber(date)) })),
  };
}

/** First days of the months within two days, both included. @param first, last counted since 1970 */
export function monthsBetween(first: number, last: number): readonly string[] {
  const months: string[] = [];
  const start = dateOf(first);
  let [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))];
  for (;;) {
    const date = `${year}-${String(month).padStart(2, '0')}-01`;
    if (dayNumber(date) > last) return months;
    if (dayNumber(date) >= first) months.push(date);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
}

/** Below this width months have three letters. */
const WIDE = 560;
/** Room that a label takes: a month by its name, by three letters, and the year behind it. */
const LABEL = { long: 74, short: 30, year: 34 } as const;

/** A month as the axis writes it. */
export interface MonthLabel {
  readonly x: number;
  readonly text: string;
  /** True where it stands left of its place, at the end of the drawing. */
  readonly isAtEnd: boolean;
}

/** Names of months that have room beside each other; the first one and each January have their year. */
export function monthLabels(months: TimelinePlaces['months'], width: number): readonly MonthLabel[] {
  const isShort = width < WIDE;
  const labels: MonthLabel[] = [];
  let [free, year] = [-Infinity, ''];
  for (const { date, x } of months) {
    if (x < free) continue;
    const month = Number(date.slice(5, 7));
    const isNewYear = date.slice(0, 4) !== year;
    year = date.slice(0, 4);
    const name = isShort ? shortMonth(month) : monthName(month);
    const room = (isShort ? LABEL.short : LABEL.long) + (isNewYear ? LABEL.year : 0);
    const isAtEnd = x + room > width;
    if (isAtEnd && x - room < free) continue;
    labels.push({ x, text: isNewYear ? `${name} ${year}` : name, isAtEnd });
    free = x + room;
  }
  return labels;
}

/** Round values that a curve with its band fits between: from 0, or below where values are. */
export function curveTicks(days: readonly IndexDay[], curve: Curve): readonly number[] {
  const figures = days.flatMap((day) => curve.of(day) ?? []);
  const least = Math.min(0, ...figures.map(({ p2, mean }) => Math.min(p2, mean)));
  const most = Math.max(...figures.map(({ p98, mean }) => Math.max(p98, mean)));
  return ticksOf(least, figures.length === 0 ? curve.top : Math.max(most, curve.top / 10), 3);
}

/** A disc filled from below to a share of its height, as the `d` of a path. @param share above 0, below 1 */
export function filledPart([x, y]: readonly [number, number], radius: number, share: number): string {
  const level = y + radius - 2 * radius * share;
  const half = Math.sqrt(Math.max(0, radius ** 2 - (level - y) ** 2));
  const large = share > 0.5 ? 1 : 0;
  const from = `${(x - half).toFixed(2)} ${level.toFixed(2)}`;
  return `M${from}A${radius} ${radius} 0 ${large} 0 ${(x + half).toFixed(2)} ${level.toFixed(2)}Z`;
}

/** The day that a key of the keyboard leads to; undefined for other keys. */
export function dayAfterKey(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const places: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  const next = Object.hasOwn(places, key) ? places[key] : undefined;
  return next === undefined ? undefined : Math.max(0, Math.min(last, next));
}
