import type { MultiPolygon, Point, Polygon } from './geoJson.js';

/** Whether two geometries have a point in common. */
export const doMeet = (one: Point | Polygon | MultiPolygon, other: Point | Polygon | MultiPolygon): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
