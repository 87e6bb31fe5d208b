import { cumulativeOf } from './degreeDaySeries.js';
import { ascending, quantileOf, type Quantiles } from './quantile.js';
import type { SeasonBand } from './seasonBand.js';

/** When a sum is reached in a number of possible seasons, as indexes of days; undefined: not within the season. */
export interface Reach {
  /** In one of ten seasons it is reached on this day or before. */
  readonly earliest: number | undefined;
  readonly median: number | undefined;
  /** In nine of ten. */
  readonly latest: number | undefined;
}

/** Sums carry rounding noise in their last bits, which must not move a date by a day. */
const noise = 1e-9;

/** Index of the day on which the running sum first reaches a value; +Infinity when it never does. */
export function reachIndex(daily: readonly number[], sum: number): number {
  const index = cumulativeOf(daily).findIndex((value) => value >= sum - noise);
  return index === -1 ? Infinity : index;
}

/** When the band of a season reaches a sum: its upper, middle and lower line, in this order. */
export function reachOfBand(band: SeasonBand, sum: number): Reach {
  const first = (of: keyof Quantiles): number | undefined => {
    const index = band.findIndex((day) => day[of] >= sum - noise);
    return index === -1 ? undefined : index;
  };
  return { earliest: first('p90'), median: first('p50'), latest: first('p10') };
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
