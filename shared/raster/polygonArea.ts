import type { MultiPolygon, Polygon, Position, Ring } from '../geo/geoJson.js';
import { utmProjection, type MapPoint, type Projection } from './utm.js';
import { utmEpsgAt } from './utmZone.js';

const SQUARE_METRES_PER_HECTARE = 10_000;

/**
 * Area enclosed by a ring on its map, whatever its start and winding.
 *
 * @returns square units of the map, never negative; the ring may be open or closed
 */
export function ringArea(ring: readonly MapPoint[]): number {
  const first = ring[0];
  let previous = ring.at(-1);
  if (first === undefined || previous === undefined) return 0;
  let doubled = 0;
  for (const point of ring) {
    // Counted from the first corner: products of full UTM coordinates would cost six digits.
    doubled += (previous[0] - first[0]) * (point[1] - first[1]) - (point[0] - first[0]) * (previous[1] - first[1]);
    previous = point;
  }
  return Math.abs(doubled) / 2;
}

/** Centre of the box around a ring, in degrees. */
function centreOf(ring: Ring): Position {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [longitude, latitude] of ring) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [(west + east) / 2, (south + north) / 2];
}

function partAreaM2(rings: readonly Ring[]): number {
  const outer = rings[0];
  if (outer === undefined || outer.length === 0) return 0;
  const centre = centreOf(outer);
  const projection: Projection = utmProjection(utmEpsgAt(centre));
  const areas = rings.map((ring) => ringArea(ring.map((position) => projection.toMap(position))));
  const holes = areas.slice(1).reduce((sum, area) => sum + area, 0);
  return ((areas[0] ?? 0) - holes) / projection.scaleAt(centre) ** 2;
}

/**
 * Area of a field: planar in the UTM zone of each part's centre, divided by the square of the point scale there.
 *
 * Within 0.01 % of the area on the ellipsoid for parts up to 20 km across. Holes count against their part; parts that
 * overlap count twice.
 *
 * @returns hectares
 */
export function polygonAreaHa(geometry: Polygon | MultiPolygon): number {
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return parts.reduce((sum, rings) => sum + partAreaM2(rings), 0) / SQUARE_METRES_PER_HECTARE;
}
