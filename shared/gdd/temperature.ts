export type TemperatureUnit = 'C' | 'F';

/** °C of a temperature in °F, exact where the result is a whole number. */
export const celsiusOf = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;

/** A temperature of °C in the unit asked for. */
export const temperatureIn = (unit: TemperatureUnit, celsius: number): number =>
  unit === 'F' ? (celsius * 9) / 5 + 32 : celsius;

/** A sum of °C·day in the unit asked for: a difference, so the zero points of the scales don't matter. */
export const degreeDaysIn = (unit: TemperatureUnit, celsiusDays: number): number =>
  unit === 'F' ? (celsiusDays * 9) / 5 : celsiusDays;

/**
 * Rounds half up by decimal digits: 2.675 is 2.68, although the nearest binary number lies below it. Sums carry
 * noise in their last bits, so 9 decimals are taken for exact.
 */
export const roundHalfUp = (value: number, decimals = 2): number =>
  Math.round(Number(`${value.toFixed(9)}e${decimals}`)) / 10 ** decimals + 0;

/** Degree-days of °C as a reader gets them. */
export type Say = (celsiusDays: number) => number;

/** Degree-days of °C in the unit of the job, rounded for the reader. */
export const sayer =
  (unit: TemperatureUnit): Say =>
  (celsiusDays) =>
    roundHalfUp(degreeDaysIn(unit, celsiusDays));
