import type { Position } from '../../shared/geo/shapes/geoJson.js';

const DECIMALS = 5;

const part = (value: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(DECIMALS)}° ${value < 0 ? negative : positive}`;

/** A place as people read it: `41.51423° N 92.95997° W`. */
export const placeText = ([longitude, latitude]: Position): string =>
  `${part(latitude, 'N', 'S')} ${part(longitude, 'E', 'W')}`;

/** A place as the input has it: latitude first, as maps are read. */
export const typedPlace = ([longitude, latitude]: Position): string =>
  `${latitude.toFixed(DECIMALS)}, ${longitude.toFixed(DECIMALS)}`;

const NUMBER = String.raw`([+-]?\d+(?:\.\d+)?)\s*°?\s*([NSEW]?)`;
const PLACE = new RegExp(String.raw`^\s*${NUMBER}[\s,;]+${NUMBER}\s*$`, 'i');

const signed = (digits: string, side: string): number => Number(digits) * (/[SW]/i.test(side) ? -1 : 1);

/**
 * Reads a place that was typed: latitude, then longitude, in degrees; with letters in either order.
 *
 * @returns what is wrong as a text when it is none
 */
export function placeOfText(text: string): Position | string {
  const match = PLACE.exec(text);
  if (match === null) return 'Type latitude and longitude in degrees, such as 41.5142, -92.9600.';
  const [, first = '', firstSide = '', second = '', secondSide = ''] = match;
  const isTurned = /[EW]/i.test(firstSide) || /[NS]/i.test(secondSide);
  const [one, other] = [signed(first, firstSide), signed(second, secondSide)];
  const [latitude, longitude] = isTurned ? [other, one] : [one, other];
  if (Math.abs(latitude) > 90) return `Latitude ${latitude} is beyond 90 degrees; latitude comes first.`;
  if (Math.abs(longitude) > 180) return `Longitude ${longitude} is beyond 180 degrees.`;
  return [longitude, latitude];
}
