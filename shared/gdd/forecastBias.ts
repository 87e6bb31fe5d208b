import type { Day } from '../weather/calendar.js';
import type { DayValues } from './season.js';

/** What a forecast interface tells too low by, as the days show that the archive has too. */
export interface ForecastBias {
  /** °C, added to every day that is taken from the forecast interface. */
  readonly minC: number;
  readonly maxC: number;
  /** Days that both have. */
  readonly days: number;
}

/** More days say no more: the bias changes with the weather. */
const mostDays = 25;
/** As if so many days without any difference had been seen too: few days prove little. */
const doubt = 4;
const mostC = 4;

/**
 * The bias of a forecast by the days that an archive has too; undefined where they are too few.
 *
 * @param leastDays 5 for days that the interface itself tells of the past, 7 for a log of earlier forecasts
 */
export function forecastBias(archive: DayValues, forecast: DayValues, leastDays: number): ForecastBias | undefined {
  const common: Day[] = [...forecast.keys()].filter((date) => archive.has(date)).sort();
  const days = common.slice(-mostDays);
  if (days.length < leastDays) return undefined;
  const biasOf = (which: 'minC' | 'maxC'): number => {
    const sum = days.reduce((total, date) => total + differenceOn(date, which), 0);
    return Math.min(Math.max(sum / (days.length + doubt), -mostC), mostC);
  };
  const differenceOn = (date: Day, which: 'minC' | 'maxC'): number =>
    (archive.get(date)?.[which] ?? NaN) - (forecast.get(date)?.[which] ?? NaN);
  return { minC: biasOf('minC'), maxC: biasOf('maxC'), days: days.length };
}
