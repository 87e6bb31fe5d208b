import type { Day } from '../weather/calendar.js';
import { dayNumber, monthDayOf } from '../validation/calendar.js';
import { type ReferenceWeather, referenceYears } from '../weather/weatherCache.js';
import type { Temperatures } from '../weather/weatherSource.js';
import { type Gap, gapsUntilToday, longestInterpolatedGap, type SeasonDay } from './season.js';

/** Beyond a week the days on either side say nothing of those between them. */
const longestBridgedGap = 7;
/** Share of a day's anomaly, its distance from the mean of its date, that is left on the next day. */
const persistence = 0.65;

/** Gaps that have temperatures on both sides and are too long for a straight line and short enough for a bridge. */
export const bridgeableGaps = (days: readonly SeasonDay[], today: Day): Gap[] =>
  gapsUntilToday(days, today).filter(({ first, last }) => {
    const length = last - first + 1;
    const isKnownAround = days[first - 1]?.temperatures !== undefined && days[last + 1]?.temperatures !== undefined;
    return isKnownAround && length > longestInterpolatedGap && length <= longestBridgedGap;
  });

/**
 * Fills gaps of four to seven days, today included, by the means of the reference years for each date and what is to be
 * expected of the anomaly between those on either side: an autoregressive process of the first order, tied at both ends.
 */
export function bridgeGaps(days: readonly SeasonDay[], today: Day, reference: ReferenceWeather): SeasonDay[] {
  const filled = [...days];
  for (const { first, last } of bridgeableGaps(days, today)) {
    const [before, after] = [anomalyOf(days[first - 1], reference), anomalyOf(days[last + 1], reference)];
    if (before === undefined || after === undefined) continue;
    const steps = last - first + 2;
    for (const [index, { date }] of days.slice(first, last + 1).entries()) {
      const mean = meanOf(date, reference);
      if (mean === undefined) continue;
      const [fromBefore, fromAfter] = weights(index + 1, steps);
      const maxC = mean.maxC + fromBefore * before.maxC + fromAfter * after.maxC;
      const minC = Math.min(maxC, mean.minC + fromBefore * before.minC + fromAfter * after.minC);
      filled[first + index] = { date, source: 'INTERPOLATED', temperatures: { minC, maxC } };
    }
  }
  return filled;
}

/** How much of the anomaly on either side is expected after so many of all steps between them. */
export function weights(step: number, steps: number): readonly [fromBefore: number, fromAfter: number] {
  const of = (days: number): number => persistence ** days;
  const norm = 1 - of(2 * steps);
  return [(of(step) - of(2 * steps - step)) / norm, (of(steps - step) - of(steps + step)) / norm];
}

function anomalyOf(day: SeasonDay | undefined, reference: ReferenceWeather): Temperatures | undefined {
  const mean = day && meanOf(day.date, reference);
  if (day?.temperatures === undefined || mean === undefined) return undefined;
  return { minC: day.temperatures.minC - mean.minC, maxC: day.temperatures.maxC - mean.maxC };
}

/** Mean of the reference years for a date; 29 February has that of the 28th. */
function meanOf(date: Day, { from, minC, maxC }: ReferenceWeather): Temperatures | undefined {
  const monthDay = monthDayOf(date);
  const sum = { minC: 0, maxC: 0, years: 0 };
  for (let year: number = referenceYears.first; year <= referenceYears.last; year += 1) {
    const index = dayNumber(`${year}-${monthDay}`) - dayNumber(from);
    const [low, high] = [minC[index] ?? null, maxC[index] ?? null];
    if (low === null || high === null) continue;
    sum.minC += low;
    sum.maxC += high;
    sum.years += 1;
  }
  return sum.years === 0 ? undefined : { minC: sum.minC / sum.years, maxC: sum.maxC / sum.years };
}
