import type { Temperatures } from '../weatherSource.js';

/**
 * Lapse rates: how much temperatures fall with height, °C per km. Maxima follow the standard atmosphere; minima fall
 * less, because cold air flows down and gathers (Blandford 2008; Minder 2010; Cullen & Marshall 2011).
 */
const lapse = { maxC: 6.5, minC: 4.5 } as const;

/** Values that are added to the temperatures of a day, °C. */
export interface Correction {
  readonly minC: number;
  readonly maxC: number;
}

/** The correction from the height of a grid cell to that of the field, m; none where a height is not known. */
export function heightCorrection(gridElevationM: number | undefined, fieldElevationM: number | undefined): Correction {
  if (gridElevationM === undefined || fieldElevationM === undefined) return { minC: 0, maxC: 0 };
  const higherKm = (gridElevationM - fieldElevationM) / 1000;
  return { minC: higherKm * lapse.minC, maxC: higherKm * lapse.maxC };
}

/** For a large difference in height, the corrected minimum would exceed the maximum: it stays this far below, °C. */
const leastRangeC = 0.1;

/** A day with a correction added to its temperatures. */
export function corrected<Day extends Temperatures>(day: Day, { minC, maxC }: Correction): Day {
  if (minC === 0 && maxC === 0) return day;
  const warmest = day.maxC + maxC;
  return { ...day, minC: Math.min(day.minC + minC, warmest - leastRangeC), maxC: warmest };
}
