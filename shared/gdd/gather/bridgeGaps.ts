import type { Day } from '../weather/fieldDays.js';
import { type ReferenceWeather, referenceYears } from '../weather/cache/weatherCache.js';
import type { Temperatures } from '../weather/weatherSource.js';
import { daysAround } from '../days/referenceDays.js';
import { type Gap, gapsUntilToday, longestInterpolatedGap, type SeasonDay } from '../days/season.js';
import { meanOf } from '../days/quantiles.js';

/** In longer gaps, the days on either side say nothing of those between them. */
const longestBridgedGap = 7;
/** Share of a day's anomaly (distance from the mean of its date) that is left on the next day. */
const persistence = 0.65;

/** Gaps with temperatures on both sides that are too long for a straight line and short enough for a bridge. */
export const bridgeableGaps = (days: readonly SeasonDay[], today: Day): Gap[] =>
  gapsUntilToday(days, today).filter(({ first, last }) => {
    const length = last - first + 1;
    const isKnownAround = days[first - 1]?.temperatures !== undefined && days[last + 1]?.temperatures !== undefined;
    return isKnownAround && length > longestInterpolatedGap && length <= longestBridgedGap;
  });

/**
 * Fills gaps of four to seven days, today included: the mean of the reference years for each date, plus the anomaly that
 * is expected between those of the neighbouring days (an autoregressive process of the first order, fixed at both ends).
 */
export function bridgeGaps(days: readonly SeasonDay[], today: Day, reference: ReferenceWeather): SeasonDay[] {
  const filled = [...days];
  for (const { first, last } of bridgeableGaps(days, today)) {
    const [before, after] = [anomalyOf(days[first - 1], reference), anomalyOf(days[last + 1], reference)];
    if (before === undefined || after === undefined) continue;
    const steps = last - first + 2;
    for (const [index, { date }] of days.slice(first, last + 1).entries()) {
      const mean = meanOn(date, reference);
      if (mean === undefined) continue;
      const [fromBefore, fromAfter] = weights(index + 1, steps);
      const maxC = mean.maxC + fromBefore * before.maxC + fromAfter * after.maxC;
      const minC = Math.min(maxC, mean.minC + fromBefore * before.minC + fromAfter * after.minC);
      filled[first + index] = { date, source: 'INTERPOLATED', temperatures: { minC, maxC } };
    }
  }
  return filled;
}

/** Shares of the two neighbouring anomalies that are expected `step` days into a gap of `steps` − 1 days. */
export function weights(step: number, steps: number): readonly [fromBefore: number, fromAfter: number] {
  const of = (days: number): number => persistence ** days;
  const norm = 1 - of(2 * steps);
  return [(of(step) - of(2 * steps - step)) / norm, (of(steps - step) - of(steps + step)) / norm];
}

function anomalyOf(day: SeasonDay | undefined, reference: ReferenceWeather): Temperatures | undefined {
  const mean = day && meanOn(day.date, reference);
  if (day?.temperatures === undefined || mean === undefined) return undefined;
  return { minC: day.temperatures.minC - mean.minC, maxC: day.temperatures.maxC - mean.maxC };
}

/** Mean of the reference years for a date. */
function meanOn(date: Day, reference: ReferenceWeather): Temperatures | undefined {
  const days = daysAround(reference, date, { lastYear: referenceYears.last });
  if (days.length === 0) return undefined;
  return { minC: meanOf(days.map(({ minC }) => minC)), maxC: meanOf(days.map(({ maxC }) => maxC)) };
}
