import type { KnownDay } from './degreeDaySeries.js';
import type { DegreeDayLimits } from './degreeDays.js';
import { sensitivity } from './forecastError.js';
import type { WeatherUse } from './gatherSeason.js';

export interface PlaceInput {
  readonly days: readonly KnownDay[];
  readonly uses: readonly WeatherUse[];
  /** Height of the field, where it is known. */
  readonly elevationM: number | undefined;
  readonly limits: DegreeDayLimits;
}

/** The lapse rate differs from place to place and from month to month by so much, °C per km, one standard deviation. */
const lapseErrorCPerKm = 1.5;
/** By so much a cell differs from a station in it, °C: cells of 50 km, and of 11 km and less. */
export const cellErrorC = { coarse: 1, fine: 0.5 } as const;
/** Size of the errors that a day's sensitivity is looked at with, °C. */
const step = { maxC: 1.5, minC: 1.5 } as const;

/**
 * One standard deviation, °C·day, by which the sum of the field may differ from that of its grid cell: by the
 * difference in height and by the cell itself. Both are the same in every year and no matter of chance within one.
 */
export function placeUncertainty({ days, uses, elevationM, limits }: PlaceInput): number {
  const use = uses.find(({ product }) => product === 'archive') ?? uses[0];
  if (use === undefined) return 0;
  const { gridElevationM = elevationM, heightOf } = use.origin;
  const higherM = (gridElevationM ?? 0) - (elevationM ?? gridElevationM ?? 0);
  const perDegree = perDegreeOf(days, limits);
  // Values at the height of their cell come from the coarse grids alone.
  const cell = (heightOf === 'cell' ? cellErrorC.coarse : cellErrorC.fine) * perDegree;
  return Math.hypot(heightUncertainty(higherM, perDegree), cell);
}

/** The part of it that comes from a difference in height, °C·day. @param perDegree what a degree on all days is worth */
export const heightUncertainty = (higherM: number, perDegree: number): number =>
  (lapseErrorCPerKm * Math.abs(higherM) * perDegree) / 1000;

/** What a degree on all days is worth, °C·day; days without temperatures are taken for as warm as the others. */
export function perDegreeOf(days: readonly KnownDay[], limits: DegreeDayLimits): number {
  const shares = days.flatMap(({ temperatures }) => {
    if (temperatures === undefined) return [];
    const { maxC, minC } = sensitivity(temperatures, step, limits);
    return [maxC + minC];
  });
  if (shares.length === 0) return days.length;
  return (shares.reduce((sum, share) => sum + share, 0) / shares.length) * days.length;
}
