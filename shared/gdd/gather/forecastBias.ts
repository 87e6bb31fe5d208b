import type { Day } from '../weather/fieldDays.js';
import type { Correction } from '../weather/terrain/elevation.js';
import type { DayValues } from '../days/season.js';
import { sumOf } from '../days/quantiles.js';

/** The bias of a forecast interface, to be added to its days, °C: how much lower than the archive it is. */
export interface ForecastBias extends Correction {
  /** Days that both have. */
  readonly days: number;
}

/** Older days are left out: the bias changes with the weather. */
const mostDays = 25;
/** Counted as days without any difference, because few days prove little. */
const doubt = 4;
const mostC = 4;

/**
 * The bias of a forecast on the days that an archive has too; undefined where these are too few.
 *
 * @param leastDays 5 for past days of the interface itself, 7 for a log of earlier forecasts
 */
export function forecastBias(archive: DayValues, forecast: DayValues, leastDays: number): ForecastBias | undefined {
  const common: Day[] = [...forecast.keys()].filter((date) => archive.has(date)).sort();
  const days = common.slice(-mostDays);
  if (days.length < leastDays) return undefined;
  const biasOf = (which: keyof Correction): number => {
    const differences = days.map((date) => (archive.get(date)?.[which] ?? NaN) - (forecast.get(date)?.[which] ?? NaN));
    return Math.min(Math.max(sumOf(differences) / (days.length + doubt), -mostC), mostC);
  };
  return { minC: biasOf('minC'), maxC: biasOf('maxC'), days: days.length };
}
