import { interiorPointOf } from '../../geo/shapes/interiorPoint.js';
import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import { windowGrid, type Grid } from '../../geo/grid/grid.js';
import { projectParts, windowOfParts } from '../../geo/grid/polygonMask.js';
import { utmEpsgAt } from '../../geo/grid/utmZone.js';

/** The 10 m pixels of a zone, counted from the zone's origin. */
const latticeOf = (epsg: number): Grid => ({
  epsg,
  originX: 0,
  originY: 0,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 0,
  height: 0,
});

/**
 * The grid that all pictures of a field share: 10 m in the UTM zone of a point inside the field, from its box outward to
 * whole multiples of 20 m of the zone's coordinates. It depends on the shape alone.
 *
 * Corners of Sentinel-2 tiles lie on such multiples (of 60 m, counted from the equator), so the pixels of every tile of
 * the zone are pixels of this grid, those of 20 m too.
 *
 * @throws RangeError when the geometry encloses no area
 */
export function fieldGridOf(geometry: MultiPolygon): Grid {
  const inside = interiorPointOf(geometry);
  if (inside === undefined) throw new RangeError('The field encloses no area.');
  const lattice = latticeOf(utmEpsgAt(inside.position));
  return windowGrid(lattice, windowOfParts(lattice, projectParts(geometry, lattice.epsg), 2));
}
