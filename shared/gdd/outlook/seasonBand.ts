import type { Day } from '../weather/fieldDays.js';
import type { ReferenceWeather } from '../weather/cache/weatherCache.js';
import type { DegreeDaySeries } from '../days/degreeDaySeries.js';
import type { DegreeDayLimits } from '../days/degreeDays.js';
import { type DayError, dayErrorOf, gapError, runningError, usualSpread, type WeatherSpread } from './forecastError.js';
import { daysAround } from '../days/referenceDays.js';
import type { KnownDay } from '../days/season.js';
import {
  ascending,
  deviationOf,
  mappedQuantiles,
  type Quantiles,
  quantilesOf,
  quantileType6,
} from '../days/quantiles.js';

/** The running sum at the end of each day in one of ten, five of ten and nine of ten seasons, °C·day. */
export type SeasonBand = readonly Quantiles[];

interface BandInput {
  readonly days: readonly KnownDay[];
  readonly series: DegreeDaySeries;
  readonly limits: DegreeDayLimits;
  readonly reference: ReferenceWeather | undefined;
  /** Whether the bias of the forecast was removed by comparison with the archive. */
  readonly isBiasRemoved: boolean;
}

/** Half of the interval that holds 80 % of a normal distribution, in standard deviations. */
const tenPercent = 1.28155;

/**
 * The band of a season. Days with temperatures have one value with the error of the forecast around it; days that rest
 * on normals have the values of the last thirty complete years. The half-widths of both are added by their squares. No
 * line of the band falls from one day to the next or lies below the sum of the certain days: degree-days are never
 * negative.
 */
export function seasonBand(input: BandInput): SeasonBand {
  const { series } = input;
  const errors = errorsOf(input);
  let [known, certain] = [0, 0];
  let before: Quantiles = { p10: 0, p50: 0, p90: 0 };
  const rests = series.rests.map(() => 0);
  return input.days.map((day, index) => {
    if (day.temperatures !== undefined) known += series.daily[index] ?? 0;
    else for (const [year, rest] of series.rests.entries()) rests[year] = (rests[year] ?? 0) + (rest[index] ?? 0);
    if (isCertain(day)) certain += series.daily[index] ?? 0;
    const sums = quantilesOf(ascending(rests.length === 0 ? [0] : rests), quantileType6);
    const lines = widened(
      mappedQuantiles(sums, (rest) => known + rest),
      errors[index] ?? 0,
    );
    const least = before;
    before = mappedQuantiles(lines, (value, line) => Math.max(value, least[line], certain));
    return before;
  });
}

const isCertain = ({ source }: KnownDay): boolean => source === 'OBSERVED' || source === 'PROVISIONAL';

/** Percentiles with an error of `deviation` around the value. */
export function widened({ p10, p50, p90 }: Quantiles, deviation: number): Quantiles {
  const halfWidth = (half: number): number => Math.sqrt(half ** 2 + (tenPercent * deviation) ** 2);
  return { p10: p50 - halfWidth(p50 - p10), p50, p90: p50 + halfWidth(p90 - p50) };
}

/** Remaining bias of a forecast model, one standard deviation, °C. */
const biasC = { removed: 0.5, unknown: 0.75 } as const;

/** Standard deviation of the running sum at the end of each day, from forecast days and bridged gaps, °C·day. */
function errorsOf({ days, limits, reference, isBiasRemoved }: BandInput): number[] {
  const none: DayError = { size: 0, perDegree: 0 };
  const forecast = days.map(({ date, temperatures, lead }) =>
    temperatures === undefined || lead === undefined
      ? none
      : dayErrorOf({ temperatures, lead, spread: spreadAround(date, reference) }, limits),
  );
  const running = runningError(forecast, isBiasRemoved ? biasC.removed : biasC.unknown);
  let gaps = 0;
  return running.map((error, index) => {
    gaps += gapVariance(days, index);
    return Math.sqrt(error ** 2 + gaps);
  });
}

/** The error of a bridged gap counts at its last day. */
function gapVariance(days: readonly KnownDay[], index: number): number {
  if (days[index]?.source !== 'INTERPOLATED' || days[index + 1]?.source === 'INTERPOLATED') return 0;
  const before = days.slice(0, index + 1).findLastIndex(({ source }) => source !== 'INTERPOLATED');
  return gapError(index - before) ** 2;
}

const windowDays = 10;

/** Spread of the reference years within ten days of a date. */
export function spreadAround(date: Day, reference: ReferenceWeather | undefined): WeatherSpread {
  const days = reference === undefined ? [] : daysAround(reference, date, { before: windowDays, after: windowDays });
  if (days.length < 2 * windowDays) return usualSpread;
  return { maxC: deviationOf(days.map(({ maxC }) => maxC)), minC: deviationOf(days.map(({ minC }) => minC)) };
}
