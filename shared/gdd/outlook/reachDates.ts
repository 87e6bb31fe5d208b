import type { Day } from '../weather/fieldDays.js';
import { cumulativeOf } from '../days/degreeDaySeries.js';
import type { SeasonDay } from '../days/season.js';
import type { SeasonBand } from './seasonBand.js';
import { ascending, quantileOf, type Quantiles } from '../days/quantiles.js';

/** When a sum is reached in a number of possible seasons, as indexes of days; +Infinity: not within the season. */
export interface Reach {
  /** Nine of ten seasons reach the sum on this day or later. */
  readonly earliest: number;
  readonly median: number;
  /** Nine of ten seasons reach the sum by this day. */
  readonly latest: number;
}

/** The days of a reach; null where it lies outside of the season. */
export function daysOfReach({ earliest, median, latest }: Reach, days: readonly SeasonDay[]) {
  const dayAt = (index: number): Day | null => days[index]?.date ?? null;
  return { earliest: dayAt(earliest), median: dayAt(median), latest: dayAt(latest) };
}

/** Sums have rounding errors in their last bits, which must not move a date by a day. */
const noise = 1e-9;

const orInfinity = (index: number): number => (index === -1 ? Infinity : index);

/** Index of the day on which the running sum first reaches a value; +Infinity when it never does. */
export const reachIndex = (daily: readonly number[], sum: number): number =>
  orInfinity(cumulativeOf(daily).findIndex((value) => value >= sum - noise));

/**
 * When the band of a season reaches a sum: its upper line on the earliest day, its lower line on the latest. A line reaches
 * a sum in the middle of a day; whole days at both ends would hold more than the eight of ten seasons between the lines,
 * so a day of which less than half lies between the lines is left out.
 *
 * @param upTo sum that the lower line reaches on the latest day: the upper end of a stage that is published as a range
 */
export function reachOfBand(band: SeasonBand, sum: number, upTo = sum): Reach {
  const median = lineIndex(band, 'p50', sum);
  const latest = Math.round(crossingOf(band, 'p10', upTo)) - 1;
  const medianUpTo = lineIndex(band, 'p50', upTo);
  return {
    earliest: Math.min(Math.round(crossingOf(band, 'p90', sum)), median),
    median,
    latest: Math.max(latest, Number.isFinite(medianUpTo) ? medianUpTo : 0),
  };
}

const lineIndex = (band: SeasonBand, line: keyof Quantiles, sum: number): number =>
  orInfinity(band.findIndex((day) => day[line] >= sum - noise));

/** When a line reaches a sum, in days from the beginning of the season: 2.25 is the morning of the third day. */
function crossingOf(band: SeasonBand, line: keyof Quantiles, sum: number): number {
  const index = lineIndex(band, line, sum);
  const [before, after] = [band[index - 1]?.[line] ?? 0, band[index]?.[line] ?? 0];
  return after > before ? index + Math.min(1, Math.max(0, (sum - before) / (after - before))) : index + 1;
}

/** The 10th, 50th and 90th percentile of the days on which the paths reach a sum, as whole days. */
export const reachOf = (paths: readonly (readonly number[])[], sum: number): Reach =>
  wholeDaysOf(paths.map((daily) => reachIndex(daily, sum)));

/** The 10th, 50th and 90th percentile of days, widened to whole days. */
export function wholeDaysOf(days: readonly number[], quantile = quantileOf): Reach {
  const ordered = ascending(days);
  return {
    earliest: Math.floor(quantile(ordered, 0.1)),
    median: Math.round(quantile(ordered, 0.5)),
    latest: Math.ceil(quantile(ordered, 0.9)),
  };
}
