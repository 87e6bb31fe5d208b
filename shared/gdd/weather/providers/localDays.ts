import { dayOf } from '../../../kit/validation/calendar.js';
import type { DayTemperatures, ForecastStep, Temperatures } from '../weatherSource.js';

const hour = 3_600_000;
const day = 24 * hour;
const sixHours = 6 * hour;
/** Windows across midnight leave as much of a day, in one piece. */
const leastCovered = day - sixHours;

/**
 * Lowest and highest temperature of each whole day, from the steps of a forecast.
 *
 * The instants of a day count, and the six-hour windows that lie wholly inside it; a window across midnight, where
 * extremes are rare, does not. A day is whole when the steps reach beyond both its ends and hourly steps or windows
 * cover all of it but less than six hours at either end, and six at both together. Other days are left out.
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

/** Milliseconds since 1970 UTC. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

function extremesOf(steps: readonly ForecastStep[], from: number): Temperatures | undefined {
  const to = from + day;
  const instants = steps.filter(({ at }) => at >= from && at <= to);
  const windows = instants.flatMap(({ at, nextSixHours }) =>
    nextSixHours !== undefined && at + sixHours <= to ? [{ from: at, to: at + sixHours, ...nextSixHours }] : [],
  );
  if (!isWhole([...hourlyStretches(steps, { from, to }), ...windows], { from, to })) return undefined;
  const temperatures = instants.map(({ temperatureC }) => temperatureC);
  return {
    minC: Math.min(...temperatures, ...windows.map(({ minC }) => minC)),
    maxC: Math.max(...temperatures, ...windows.map(({ maxC }) => maxC)),
  };
}

/** The parts of a day between steps that are an hour apart. */
function hourlyStretches(steps: readonly ForecastStep[], { from, to }: Stretch): Stretch[] {
  return steps.slice(1).flatMap(({ at }, index) => {
    const before = steps[index]?.at ?? NaN;
    const isInside = at > from && before < to && at - before <= hour;
    return isInside ? [{ from: Math.max(before, from), to: Math.min(at, to) }] : [];
  });
}

function isWhole(covered: readonly Stretch[], { from, to }: Stretch): boolean {
  const [first, ...rest] = covered.toSorted((a, b) => a.from - b.from);
  if (first === undefined) return false;
  let reached = first.to;
  for (const stretch of rest) {
    if (stretch.from > reached) return false;
    reached = Math.max(reached, stretch.to);
  }
  const isOpenAtAnEnd = first.from - from >= sixHours || to - reached >= sixHours;
  return !isOpenAtAnEnd && reached - first.from >= leastCovered;
}

/** Older steps are not needed: by then the archive has their days. */
const keptDays = 10;

/** Steps of earlier answers followed by those of a newer one, which replace everything from its first instant on. */
export function withNewerSteps(earlier: readonly ForecastStep[], newer: readonly ForecastStep[]): ForecastStep[] {
  const first = newer[0]?.at;
  if (first === undefined) return [...earlier];
  return [...earlier.filter(({ at }) => at < first && at >= first - keptDays * day), ...newer];
}

/** How far midnight by the sun lies before that of UTC: an hour for each 15° of longitude. */
export const solarOffsetSeconds = (longitude: number): number => (longitude / 15) * 3600;
