import { cumulativeOf } from './degreeDaySeries.js';
import { ascending, quantileOf, type Quantiles } from './quantile.js';
import type { SeasonBand } from './seasonBand.js';

/** When a sum is reached in a number of possible seasons, as indexes of days; undefined: not within the season. */
export interface Reach {
  /** Nine of ten seasons reach it on this day or later. */
  readonly earliest: number | undefined;
  readonly median: number | undefined;
  /** Nine of ten reach it by this day. */
  readonly latest: number | undefined;
}

/** Sums carry rounding noise in their last bits, which must not move a date by a day. */
const noise = 1e-9;

/** Index of the day on which the running sum first reaches a value; +Infinity when it never does. */
export function reachIndex(daily: readonly number[], sum: number): number {
  const index = cumulativeOf(daily).findIndex((value) => value >= sum - noise);
  return index === -1 ? Infinity : index;
}

/**
 * When the band of a season reaches a sum: its upper line on the earliest day, its middle line, and its lower line on the
 * latest day. A line reaches a sum in the middle of a day, so that the days from the earliest to the latest one, both whole,
 * would hold more than the eight of ten seasons between the lines: a day of which less than half lies between them is
 * left out.
 *
 * @param upTo what is reached on the latest day; the sum itself where a stage is one sum and no range
 */
export function reachOfBand(band: SeasonBand, sum: number, upTo = sum): Reach {
  const median = indexOfReach(band, 'p50', sum);
  const [first, last] = [crossingOf(band, 'p90', sum), crossingOf(band, 'p10', upTo)];
  const medianUpTo = indexOfReach(band, 'p50', upTo);
  return {
    earliest: first === undefined ? undefined : Math.min(Math.round(first), median ?? Infinity),
    median,
    latest: last === undefined ? undefined : Math.max(Math.round(last) - 1, medianUpTo ?? 0),
  };
}

function indexOfReach(band: SeasonBand, line: keyof Quantiles, sum: number): number | undefined {
  const index = band.findIndex((day) => day[line] >= sum - noise);
  return index === -1 ? undefined : index;
}

/** When a line reaches a sum, in days from the beginning of the season: 2.25 is the morning of the third day. */
function crossingOf(band: SeasonBand, line: keyof Quantiles, sum: number): number | undefined {
  const index = indexOfReach(band, line, sum);
  if (index === undefined) return undefined;
  const [before, after] = [band[index - 1]?.[line] ?? 0, band[index]?.[line] ?? 0];
  return after > before ? index + Math.min(1, Math.max(0, (sum - before) / (after - before))) : index + 1;
}

/** The 10th, 50th and 90th percentile of the days on which the paths reach a sum, widened to whole days. */
export function reachOf(paths: readonly (readonly number[])[], sum: number): Reach {
  const days = ascending(paths.map((daily) => reachIndex(daily, sum)));
  const within = (day: number): number | undefined => (Number.isFinite(day) ? day : undefined);
  return {
    earliest: within(Math.floor(quantileOf(days, 0.1))),
    median: within(Math.round(quantileOf(days, 0.5))),
    latest: within(Math.ceil(quantileOf(days, 0.9))),
  };
}
