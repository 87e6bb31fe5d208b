import type { Day } from '../weather/calendar.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import { referenceYears } from '../weather/weatherCache.js';
import type { DegreeDaySeries, KnownDay } from './degreeDaySeries.js';
import { cumulativeOf, sumOf } from './degreeDaySeries.js';
import { freezeDatesOf } from './freezeDates.js';
import type { GddNormalRecord, GddQuantiles } from './gddRecord.js';
import type { Normals } from './normals.js';
import { ascending, quantileOf } from './quantile.js';
import { reachOf } from './reachDates.js';
import { roundHalfUp, type Say } from './temperature.js';

export interface NormalContext {
  readonly series: DegreeDaySeries;
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather;
  readonly latitude: number;
  readonly say: Say;
}

/** How the season compares with the reference years, and when it freezes in them. */
export function normalRecord(normals: Normals, context: NormalContext): GddNormalRecord {
  const { series, days, reference, latitude, say } = context;
  const total = sumOf(series.daily);
  const mean = sumOf(normals.daily);
  const seasons = normals.seasons.map(({ daily }) => daily);
  const reached = reachOf(seasons, total);
  const dayAt = (index: number | undefined): Day | null => (index === undefined ? null : (days[index]?.date ?? null));
  const sums = seasons.map(cumulativeOf);
  const bySeason = days.map((_, index) => ascending(sums.map((sum) => sum[index] ?? NaN)));
  return {
    years: [referenceYears.first, referenceYears.last],
    yearCount: seasons.length,
    totalMean: say(mean),
    ...quantilesOf(seasons.map(sumOf), say),
    departure: say(total - mean),
    departurePercent: mean === 0 ? null : roundHalfUp(((total - mean) / mean) * 100),
    reached: { earliest: dayAt(reached.earliest), median: dayAt(reached.median), latest: dayAt(reached.latest) },
    ...freezeDatesOf(reference, latitude),
    cumulative: {
      mean: cumulativeOf(normals.daily).map(say),
      p10: bySeason.map((values) => say(quantileOf(values, 0.1))),
      p90: bySeason.map((values) => say(quantileOf(values, 0.9))),
    },
  };
}

function quantilesOf(values: readonly number[], say: Say): GddQuantiles {
  const ordered = ascending(values);
  return { p10: say(quantileOf(ordered, 0.1)), p50: say(quantileOf(ordered, 0.5)), p90: say(quantileOf(ordered, 0.9)) };
}
