import { dayOf } from '../validation/calendar.js';
import type { DayTemperatures, ForecastStep } from './weatherSource.js';

const hour = 3_600_000;
const day = 24 * hour;
const sixHours = 6 * hour;

/**
 * Lowest and highest temperature of each whole day out of the steps of a forecast.
 *
 * A day counts its instants and the six-hour windows that lie wholly inside it; a window across midnight is left out,
 * where extremes are rare. A day is whole when the steps reach over both its ends and every part of it is covered by
 * hourly steps or windows, but for less than six hours at either end. A day that is not whole is absent.
 *
 * @param steps in order of time
 * @param offsetSeconds how far the field's midnight lies before that of UTC
 */
export function localDays(steps: readonly ForecastStep[], offsetSeconds: number): DayTemperatures[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return [];
  const dayAt = (instant: number): number => Math.floor((instant + offsetSeconds * 1000) / day);
  const numbers = Array.from({ length: dayAt(last.at) - dayAt(first.at) + 1 }, (_, index) => dayAt(first.at) + index);
  return numbers.flatMap((number) => {
    const from = number * day - offsetSeconds * 1000;
    const extremes = first.at <= from && last.at >= from + day ? extremesOf(steps, from) : undefined;
    return extremes === undefined ? [] : [{ date: dayOf(number), ...extremes }];
  });
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

function extremesOf(steps: readonly ForecastStep[], from: number): { minC: number; maxC: number } | undefined {
  const to = from + day;
  const instants = steps.filter(({ at }) => at >= from && at <= to);
  const windows = instants.filter(({ at, nextSixHours }) => nextSixHours !== undefined && at + sixHours <= to);
  const covered: Stretch[] = [
    ...hourlyStretches(steps, { from, to }),
    ...windows.map(({ at }) => ({ from: at, to: at + sixHours })),
  ];
  if (!isWhole(covered, { from, to })) return undefined;
  const lows = [...instants.map(({ temperatureC }) => temperatureC), ...windows.map((step) => step.nextSixHours?.minC)];
  const highs = [
    ...instants.map(({ temperatureC }) => temperatureC),
    ...windows.map((step) => step.nextSixHours?.maxC),
  ];
  const known = (values: readonly (number | undefined)[]): number[] => values.filter((value) => value !== undefined);
  return { minC: Math.min(...known(lows)), maxC: Math.max(...known(highs)) };
}

/** The parts of a day between steps an hour apart. */
function hourlyStretches(steps: readonly ForecastStep[], { from, to }: Stretch): Stretch[] {
  return steps.slice(1).flatMap(({ at }, index) => {
    const before = steps[index]?.at ?? NaN;
    const isInside = at > from && before < to && at - before <= hour;
    return isInside ? [{ from: Math.max(before, from), to: Math.min(at, to) }] : [];
  });
}

function isWhole(covered: readonly Stretch[], { from, to }: Stretch): boolean {
  let reached = from;
  for (const stretch of covered.toSorted((a, b) => a.from - b.from)) {
    const isOpenInside = stretch.from > reached && (reached !== from || stretch.from - from >= sixHours);
    if (isOpenInside) return false;
    reached = Math.max(reached, stretch.to);
  }
  return reached > from && to - reached < sixHours;
}

/** Steps older than this are of no use: by then the archive knows their days. */
const keptDays = 10;

/** Earlier steps with newer ones after them: a newer answer replaces everything from its own first instant on. */
export function withNewerSteps(earlier: readonly ForecastStep[], newer: readonly ForecastStep[]): ForecastStep[] {
  const first = newer[0]?.at;
  if (first === undefined) return [...earlier];
  return [...earlier.filter(({ at }) => at < first && at >= first - keptDays * day), ...newer];
}

/** How far the sun's midnight lies before that of UTC: an hour for each 15° of longitude. */
export const solarOffsetSeconds = (longitude: number): number => (longitude / 15) * 3600;
