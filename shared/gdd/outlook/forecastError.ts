import type { Temperatures } from '../weather/weatherSource.js';
import { type DegreeDayLimits, degreeDaysOf } from '../days/degreeDays.js';

/** Standard deviations of the minimum and the maximum of a date from year to year, °C. */
export interface WeatherSpread {
  readonly maxC: number;
  readonly minC: number;
}

/** For places without reference years: a mid-latitude summer. */
export const usualSpread: WeatherSpread = { maxC: 5.4, minC: 4.5 };

/**
 * Error of a raw forecast as a share of the weather's own spread, by lead in days: measured on 8,025 forecasts of ten
 * places at leads 1, 3 and 7, interpolated between. Beyond a week a forecast is hardly better than the normals.
 */
const errorShare = [0.33, 0.36, 0.42, 0.48, 0.58, 0.68, 0.77, 0.86, 0.9, 0.95] as const;
/** Correlation of the errors of minimum and maximum of one day, by lead. */
const minMaxCorrelation = [0, 0, 0.08, 0.17, 0.32, 0.45, 0.56, 0.6] as const;
/** Correlation of the errors of a day and the next. */
const dayCorrelation = 0.4;
const leastErrorC = 1.5;

const at = (table: readonly number[], lead: number): number =>
  table[Math.min(Math.max(Math.round(lead), 0), table.length - 1)] ?? NaN;

/** Degree-days for a degree more by day and by night, 0–0.5 for CLIP, within an error around the temperatures. */
export function sensitivity({ maxC, minC }: Temperatures, error: WeatherSpread, limits: DegreeDayLimits) {
  const sum = (day: Temperatures): number => degreeDaysOf(day, limits);
  const change = (low: Temperatures, high: Temperatures, step: number): number => (sum(high) - sum(low)) / (2 * step);
  return {
    maxC: change({ minC, maxC: maxC - error.maxC }, { minC, maxC: maxC + error.maxC }, error.maxC),
    minC: change({ minC: minC - error.minC, maxC }, { minC: minC + error.minC, maxC }, error.minC),
  };
}

interface ForecastDay {
  readonly temperatures: Temperatures;
  /** Days from the one on which the forecast was made. */
  readonly lead: number;
  readonly spread: WeatherSpread;
}

/** The error of a forecast day. */
export interface DayError {
  /** Standard deviation of the day's degree-days, °C·day. */
  readonly size: number;
  /** Degree-days for a degree of lasting bias, °C·day. */
  readonly perDegree: number;
}

/** The error of one forecast day in degree-days. */
export function dayErrorOf({ temperatures, lead, spread }: ForecastDay, limits: DegreeDayLimits): DayError {
  const share = at(errorShare, lead);
  const error = {
    maxC: Math.max(leastErrorC, share * spread.maxC),
    minC: Math.max(leastErrorC, share * spread.minC),
  };
  const counts = sensitivity(temperatures, error, limits);
  const [high, low] = [counts.maxC * error.maxC, counts.minC * error.minC];
  const size = Math.sqrt(high ** 2 + low ** 2 + 2 * at(minMaxCorrelation, lead) * high * low);
  return { size, perDegree: counts.maxC + counts.minC };
}

/**
 * Standard deviation of the running sum of forecast days, °C·day: errors of neighbouring days are alike, and a bias of
 * the model lasts through all of them.
 *
 * @param biasC remaining bias of the model: 0.5 °C where it was removed by comparison, else 0.75
 */
export function runningError(errors: readonly DayError[], biasC: number): number[] {
  let [variance, carried, perDegree] = [0, 0, 0];
  return errors.map(({ size, perDegree: more }) => {
    variance += size ** 2 + 2 * size * carried;
    carried = dayCorrelation * (carried + size);
    perDegree += more;
    return Math.sqrt(variance + (biasC * perDegree) ** 2);
  });
}

/** By days of the gap, °C·day; measured on Milwaukee 1991–2025. */
const gapErrors = [0, 2.0, 4.4, 6.4, 8.3, 10.3, 11.6, 13.0] as const;

/** Standard deviation of the sum over a bridged gap of 1 to 7 days, °C·day. */
export const gapError = (days: number): number => at(gapErrors, days);
