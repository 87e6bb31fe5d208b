import type { PlanePoint } from './rings.js';

/** The smallest box around points, in their own unit: west, south, east, north. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** The box around points; infinite, the wrong way round, where there are none. */
export function boxAround(points: Iterable<PlanePoint>): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

/**
 * The box around positions in degrees that may lie on both sides of the antimeridian, as GeoJSON has it: west is then greater
 * than east.
 *
 * @see RFC 7946, section 5.2
 */
export function geoBoxAround(positions: readonly PlanePoint[]): Box {
  const box = boxAround(positions);
  if (box[2] - box[0] <= 180) return box;
  const [west, south, east, north] = boxAround(positions.map(([x, y]): PlanePoint => [x < 0 ? x + 360 : x, y]));
  // Parts all around the globe lie in the box that does not cross the line.
  if (east - west >= box[2] - box[0]) return box;
  return [west, south, east > 180 ? east - 360 : east, north];
}

/** Whether two boxes in degrees share a point, also across the antimeridian. */
export function doBoxesMeet(one: Box, other: Box): boolean {
  if (one[1] > other[3] || other[1] > one[3]) return false;
  return halvesOf(one).some(([west, east]) => halvesOf(other).some(([from, to]) => west <= to && from <= east));
}

/** The longitudes of a box: two ranges where it crosses the antimeridian. */
function halvesOf([west, , east]: Box): readonly (readonly [number, number])[] {
  if (west <= east) return [[west, east]];
  return [
    [west, 180],
    [-180, east],
  ];
}
