import type { Temperatures } from '../weather/weatherSource.js';
import { celsiusOf, roundHalfUp, temperatureIn, type TemperatureUnit } from './temperature.js';

/**
 * Method by which the two temperatures of a day give degree-days.
 *
 * CLIP limits both temperatures to the range, then takes the mean (McMaster & Wilhelm 1997, method 2, with a
 * horizontal upper cut-off). AVERAGE takes the mean first, then limits it (their method 1).
 *
 * @see McMaster, G. S. & Wilhelm, W. W. (1997), Agric. For. Meteorol. 87, 291–300, doi 10.1016/S0168-1923(97)00027-0
 */
export type DegreeDayMethod = 'CLIP' | 'AVERAGE';

/** A method with its limits in °F, the unit of their sources. */
export interface DegreeDayDefinition {
  readonly method: DegreeDayMethod;
  readonly lowerF: number;
  /** Absent when heat has no upper limit. */
  readonly upperF?: number;
}

/** A method with its limits in °C. */
export interface DegreeDayLimits {
  readonly method: DegreeDayMethod;
  readonly lowerC: number;
  /** +Infinity when heat has no upper limit. */
  readonly upperC: number;
}

/** The definition in °C, converted exactly: 60 °F is 140/9 °C and not 15.5. */
export const limitsOf = ({ method, lowerF, upperF }: DegreeDayDefinition): DegreeDayLimits => ({
  method,
  lowerC: celsiusOf(lowerF),
  upperC: upperF === undefined ? Infinity : celsiusOf(upperF),
});

/**
 * Growing degree-days of one day.
 *
 * @returns °C·day, never negative, not rounded
 */
export function degreeDaysOf({ minC, maxC }: Temperatures, { method, lowerC, upperC }: DegreeDayLimits): number {
  if (method === 'AVERAGE') return Math.max(0, Math.min((maxC + minC) / 2, upperC) - lowerC);
  const clamp = (celsius: number): number => Math.max(lowerC, Math.min(upperC, celsius));
  return (clamp(maxC) + clamp(minC)) / 2 - lowerC;
}

/** The definition in words, such as `CLIP 50/86 °F` or `AVERAGE 15.56 °C`. */
export function nameOfDefinition(definition: DegreeDayDefinition, unit: TemperatureUnit): string {
  const { method, lowerC, upperC } = limitsOf(definition);
  const limits = [lowerC, upperC].filter(Number.isFinite).map((limit) => roundHalfUp(temperatureIn(unit, limit)));
  return `${method} ${limits.join('/')} °${unit}`;
}
