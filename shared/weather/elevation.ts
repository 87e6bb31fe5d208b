import type { Temperatures } from './weatherSource.js';

/** Temperature falls by 6.5 °C per kilometre in the ICAO standard atmosphere. */
const lapseCPerM = 0.0065;
/** Smaller differences are within the uncertainty of the grids. */
const toleratedM = 100;

/**
 * How much is added to a temperature of a grid cell to get that of the field, °C: 0 when the heights differ by 100 m
 * or less, or one of them is not known.
 */
export function elevationCorrectionC(gridElevationM: number | undefined, fieldElevationM: number | undefined): number {
  if (gridElevationM === undefined || fieldElevationM === undefined) return 0;
  const higherM = gridElevationM - fieldElevationM;
  return Math.abs(higherM) > toleratedM ? higherM * lapseCPerM : 0;
}

/** Temperatures with a correction added to both. */
export const corrected = <Day extends Temperatures>(day: Day, correctionC: number): Day => ({
  ...day,
  minC: day.minC + correctionC,
  maxC: day.maxC + correctionC,
});
