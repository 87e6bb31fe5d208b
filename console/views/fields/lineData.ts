import type { Curve } from '../../charts/curve.js';
import type { ChartLine, LinePoint } from '../../charts/lineChart.js';
import { dayNumber } from '../../parts/dateText.js';
import type { KnownDays } from './dayState.js';
import { medianOf } from './listFigures.js';

/** Means of a field over time. */
export function pointsOf(known: KnownDays | undefined, curve: Curve): readonly LinePoint[] {
  return (known?.days ?? []).flatMap((day) => {
    const figures = curve.of(day);
    return figures === undefined ? [] : [{ x: dayNumber(day.date), date: day.date, value: figures.mean }];
  });
}

/**
 * The median of the farm's fields on each day on which any of them has a picture: of the newest picture of each up to
 * that day, as the list has it.
 */
export function medianPoints(all: Iterable<KnownDays>, curve: Curve): readonly LinePoint[] {
  const lines = [...all].map((known) => pointsOf(known, curve)).filter((points) => points.length > 0);
  const dates = [...new Set(lines.flatMap((points) => points.map(({ date }) => date)))].sort();
  const places = lines.map(() => -1);
  return dates.map((date) => {
    const values = lines.flatMap((points, line) => {
      let at = places[line] ?? -1;
      while ((points[at + 1]?.date ?? '9') <= date) at += 1;
      places[line] = at;
      return points[at]?.value ?? [];
    });
    return { x: dayNumber(date), date, value: medianOf(values) ?? 0 };
  });
}

/** A year that every calendar day is in. */
const LEAP_YEAR = '2000';

/** The same field in each of its years, the newest first: days of the same month lie above each other. */
export function yearLines(points: readonly LinePoint[]): readonly Omit<ChartLine, 'look'>[] {
  const years = [...new Set(points.map(({ date }) => date.slice(0, 4)))].sort().reverse();
  return years.map((year) => ({
    name: year,
    points: points
      .filter(({ date }) => date.startsWith(year))
      .map((point) => ({ ...point, x: dayNumber(`${LEAP_YEAR}${point.date.slice(4)}`) })),
  }));
}

/** Whether a field has pictures of more than one year. */
export const hasEarlierYears = (points: readonly LinePoint[]): boolean =>
  points[0] !== undefined && points[0].date.slice(0, 4) !== points.at(-1)?.date.slice(0, 4);
