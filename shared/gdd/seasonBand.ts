import type { Day } from '../weather/calendar.js';
import { dayNumber, monthDayOf } from '../validation/calendar.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import type { DegreeDaySeries, KnownDay } from './degreeDaySeries.js';
import type { DegreeDayLimits } from './degreeDays.js';
import type { DayError } from './forecastError.js';
import { dayErrorOf, gapError, runningError, usualSpread, type WeatherSpread } from './forecastError.js';
import { ascending, type Quantiles, quantileType6 } from './quantile.js';

/** Where the running sum stands at the end of each day: in one of ten, five of ten, nine of ten seasons, °C·day. */
export type SeasonBand = readonly Quantiles[];

export interface BandInput {
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
 * The band of a season: days with temperatures are one value with the error of the forecast around it, days that rest
 * on normals are those of each reference year. Half-widths of both add up by their squares. No line of the band falls
 * from one day to the next, nor lies below what is already known to have come: degree-days are never negative.
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
    const { p10, p50, p90 } = widened(quantilesOf(rests, known), errors[index] ?? 0);
    const least = (value: number, line: keyof Quantiles): number => Math.max(value, before[line], certain);
    before = { p10: least(p10, 'p10'), p50: least(p50, 'p50'), p90: least(p90, 'p90') };
    return before;
  });
}

const isCertain = ({ source }: KnownDay): boolean => source === 'OBSERVED' || source === 'PROVISIONAL';

function quantilesOf(rests: readonly number[], known: number): Quantiles {
  if (rests.length === 0) return { p10: known, p50: known, p90: known };
  const ordered = ascending(rests);
  const at = (probability: number): number => known + quantileType6(ordered, probability);
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9) };
}

/** Percentiles with an error of `deviation` around the value. */
export function widened({ p10, p50, p90 }: Quantiles, deviation: number): Quantiles {
  const halfWidth = (half: number): number => Math.sqrt(half ** 2 + (tenPercent * deviation) ** 2);
  return { p10: p50 - halfWidth(p50 - p10), p50, p90: p50 + halfWidth(p90 - p50) };
}

const biasC = { removed: 0.5, unknown: 0.75 } as const;

/** Standard deviation of the running sum at the end of each day, by forecast days and bridged gaps. */
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
  if (reference === undefined) return usualSpread;
  const from = reference.from;
  const minC: number[] = [];
  const maxC: number[] = [];
  const lastYear = Number(from.slice(0, 4)) + Math.floor(reference.minC.length / 365);
  const [first, monthDay] = [dayNumber(from), monthDayOf(date)];
  for (let year = Number(from.slice(0, 4)); year < lastYear; year += 1) {
    const middle = dayNumber(`${year}-${monthDay}`) - first;
    for (let index = Math.max(0, middle - windowDays); index <= middle + windowDays; index += 1) {
      const [low, high] = [reference.minC[index] ?? null, reference.maxC[index] ?? null];
      if (low === null || high === null) continue;
      minC.push(low);
      maxC.push(high);
    }
  }
  return minC.length < 2 * windowDays ? usualSpread : { maxC: deviationOf(maxC), minC: deviationOf(minC) };
}

/** Standard deviation of a sample. */
export function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
}
