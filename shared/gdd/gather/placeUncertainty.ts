import type { DegreeDayLimits } from '../days/degreeDays.js';
import { sensitivity } from '../outlook/forecastError.js';
import type { WeatherUse } from './gatherSeason.js';
import type { KnownDay } from '../days/season.js';
import { meanOf } from '../days/quantiles.js';

interface PlaceInput {
  readonly days: readonly KnownDay[];
  readonly uses: readonly WeatherUse[];
  /** Height of the field, m, where it is known. */
  readonly elevationM: number | undefined;
  readonly limits: DegreeDayLimits;
}

/** Variation of the lapse rate between places and months, °C per km, one standard deviation. */
const lapseErrorCPerKm = 1.5;
/** Difference between a cell and a station in it, °C: for cells of 50 km, and of 11 km and less. */
export const cellErrorC = { coarse: 1, fine: 0.5 } as const;
/** Range around the temperatures in which a day's sensitivity is taken, °C. */
const step = { maxC: 1.5, minC: 1.5 } as const;

/**
 * One standard deviation of the difference between the sums of the field and of its grid cell, °C·day: from the
 * difference in height and from the size of the cell. Both are the same in every year.
 */
export function placeUncertainty({ days, uses, elevationM, limits }: PlaceInput): number {
  const use = uses.find(({ product }) => product === 'archive') ?? uses[0];
  if (use === undefined) return 0;
  const { gridElevationM = elevationM, heightOf } = use.origin;
  const higherM = (gridElevationM ?? 0) - (elevationM ?? gridElevationM ?? 0);
  const perDegree = perDegreeOf(days, limits);
  // Only the coarse grids have values at the height of their cell.
  const cell = (heightOf === 'cell' ? cellErrorC.coarse : cellErrorC.fine) * perDegree;
  return Math.hypot(heightUncertainty(higherM, perDegree), cell);
}

/** The part from a difference in height, °C·day. @param perDegree degree-days for a degree more on all days */
export const heightUncertainty = (higherM: number, perDegree: number): number =>
  (lapseErrorCPerKm * Math.abs(higherM) * perDegree) / 1000;

/** Degree-days for a degree more on all days, °C·day; days without temperatures count as the mean of the others. */
export function perDegreeOf(days: readonly KnownDay[], limits: DegreeDayLimits): number {
  const shares = days.flatMap(({ temperatures }) => {
    if (temperatures === undefined) return [];
    const { maxC, minC } = sensitivity(temperatures, step, limits);
    return [maxC + minC];
  });
  return shares.length === 0 ? days.length : meanOf(shares) * days.length;
}
