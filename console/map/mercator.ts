import type { Position } from '../../shared/geo/shapes/geoJson.js';

const EARTH_RADIUS_M = 6378137;
const RADIANS = Math.PI / 180;

/** Metres of web mercator (EPSG:3857). */
export type MercatorPoint = readonly [x: number, y: number];

/** Web mercator of a place. */
export function toMercator([longitude, latitude]: Position): [x: number, y: number] {
  return [longitude * RADIANS * EARTH_RADIUS_M, Math.atanh(Math.sin(latitude * RADIANS)) * EARTH_RADIUS_M];
}

/** The place of web mercator coordinates, the inverse of `toMercator`. */
export function fromMercator([x, y]: MercatorPoint): Position {
  return [x / EARTH_RADIUS_M / RADIANS, Math.asin(Math.tanh(y / EARTH_RADIUS_M)) / RADIANS];
}

/** Metres on the ground of one metre of web mercator, at its northing. */
export function groundScaleAt(y: number): number {
  return 1 / Math.cosh(y / EARTH_RADIUS_M);
}
