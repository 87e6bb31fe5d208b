/** Unit of a job's temperatures and sums. */
export type TemperatureUnit = 'C' | 'F';

/** °C of a temperature in °F, exact where the result is a whole number. */
export const celsiusOf = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;

/** A temperature in °C, converted to a unit. */
export const temperatureIn = (unit: TemperatureUnit, celsius: number): number =>
  unit === 'F' ? (celsius * 9) / 5 + 32 : celsius;

/** A sum in °C·day, converted to a unit: as a difference, without the zero point of the scale. */
export const degreeDaysIn = (unit: TemperatureUnit, celsiusDays: number): number =>
  unit === 'F' ? (celsiusDays * 9) / 5 : celsiusDays;

/**
 * Rounds half up by decimal digits: 2.675 gives 2.68, although the nearest binary number lies below it. Sums have rounding
 * errors in their last bits, so 9 decimals count as exact.
 */
export const roundHalfUp = (value: number, decimals = 2): number =>
  Math.round(Number(`${value.toFixed(9)}e${decimals}`)) / 10 ** decimals + 0;

/** Converts °C·day to the figure in the record. */
export type Say = (celsiusDays: number) => number;

/** Converts °C·day to the unit of the job, rounded to two decimals. */
export const sayer =
  (unit: TemperatureUnit): Say =>
  (celsiusDays) =>
    roundHalfUp(degreeDaysIn(unit, celsiusDays));
