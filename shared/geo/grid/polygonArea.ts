import { partsOf, type MultiPolygon, type Polygon, type Position, type Ring } from '../shapes/geoJson.js';
import { ringArea } from '../shapes/rings.js';
import { boxAround } from '../shapes/box.js';
import { utmProjection } from './utm.js';
import { utmEpsgAt } from './utmZone.js';

const SQUARE_METRES_PER_HECTARE = 10_000;

/** Centre of the box around a ring, in degrees. */
function centreOf(ring: Ring): Position {
  const [west, south, east, north] = boxAround(ring);
  return [(west + east) / 2, (south + north) / 2];
}

function partAreaM2(rings: readonly Ring[]): number {
  const outer = rings[0];
  if (outer === undefined || outer.length === 0) return 0;
  const centre = centreOf(outer);
  const projection = utmProjection(utmEpsgAt(centre));
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
  return partsOf(geometry).reduce((sum, rings) => sum + partAreaM2(rings), 0) / SQUARE_METRES_PER_HECTARE;
}
