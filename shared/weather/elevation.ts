import type { Temperatures } from './weatherSource.js';

/**
 * How temperatures fall with height, °C per km: days follow the standard atmosphere, nights less, because cold air
 * flows down and gathers (Blandford 2008; Minder 2010; Cullen & Marshall 2011).
 */
export const lapse = { maxC: 6.5, minC: 4.5 } as const;

/** What is added to the temperatures of a grid cell to get those of the field, °C. */
export interface HeightCorrection {
  readonly minC: number;
  readonly maxC: number;
}

export const noCorrection: HeightCorrection = { minC: 0, maxC: 0 };

/** The correction for the difference between two heights; none when one of them is not known. */
export function heightCorrection(
  gridElevationM: number | undefined,
  fieldElevationM: number | undefined,
): HeightCorrection {
  if (gridElevationM === undefined || fieldElevationM === undefined) return noCorrection;
  const higherKm = (gridElevationM - fieldElevationM) / 1000;
  return { minC: higherKm * lapse.minC, maxC: higherKm * lapse.maxC };
}

/** Far up the night would become warmer than the day: it stays this much below it, °C. */
const leastRangeC = 0.1;

/** Temperatures with a correction added. */
export function corrected<Day extends Temperatures>(day: Day, { minC, maxC }: HeightCorrection): Day {
  if (minC === 0 && maxC === 0) return day;
  const warmest = day.maxC + maxC;
  return { ...day, minC: Math.min(day.minC + minC, warmest - leastRangeC), maxC: warmest };
}
