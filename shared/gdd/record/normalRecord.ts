import { type ReferenceWeather, referenceYears } from '../weather/cache/weatherCache.js';
import { cumulativeOf, type DegreeDaySeries } from '../days/degreeDaySeries.js';
import { freezeDatesOf } from '../outlook/freezeDates.js';
import type { GddRecord } from '../form/gddRecord.js';
import type { Normals } from '../days/normals.js';
import { daysOfReach, reachOf } from '../outlook/reachDates.js';
import type { KnownDay } from '../days/season.js';
import { ascending, mappedQuantiles, quantileOf, quantilesOf, sumOf } from '../days/quantiles.js';
import { roundHalfUp, type Say } from '../days/temperature.js';

interface NormalContext {
  readonly series: DegreeDaySeries;
  readonly days: readonly KnownDay[];
  readonly reference: ReferenceWeather;
  readonly latitude: number;
  readonly say: Say;
}

/** The season in the reference years, compared with this year's, and their freezes. */
export function normalRecord(normals: Normals, context: NormalContext): NonNullable<GddRecord['normal']> {
  const { series, days, reference, latitude, say } = context;
  const total = sumOf(series.daily);
  const mean = sumOf(normals.daily);
  const seasons = normals.seasons.map(({ daily }) => daily);
  const sums = seasons.map(cumulativeOf);
  const bySeason = days.map((_, index) => ascending(sums.map((sum) => sum[index] ?? NaN)));
  return {
    years: [referenceYears.first, referenceYears.last],
    yearCount: seasons.length,
    totalMean: say(mean),
    ...mappedQuantiles(quantilesOf(ascending(seasons.map(sumOf)), quantileOf), say),
    departure: say(total - mean),
    departurePercent: mean === 0 ? null : roundHalfUp(((total - mean) / mean) * 100),
    reached: daysOfReach(reachOf(seasons, total), days),
    ...freezeDatesOf(reference, latitude),
    cumulative: {
      mean: cumulativeOf(normals.daily).map(say),
      p10: bySeason.map((values) => say(quantileOf(values, 0.1))),
      p90: bySeason.map((values) => say(quantileOf(values, 0.9))),
    },
  };
}
