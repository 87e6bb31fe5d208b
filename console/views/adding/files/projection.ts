import type { Position } from '../../../../shared/geo/shapes/geoJson.js';
import type { PlanePoint } from '../../../../shared/geo/shapes/rings.js';
import { nearMapOf, otherMap, toDegrees } from '../../../../shared/farm/shapefile/mapProjection.js';

type ToPosition = (point: PlanePoint) => Position;

/**
 * Longitude and latitude of a point, by what a .prj file says of its map: of maps that the service does not know by a
 * library, which is loaded for them alone.
 *
 * @throws ImportFault for maps that are not taken
 */
export async function positionsBy(prj: string): Promise<ToPosition> {
  const code = nearMapOf(prj);
  if (code !== undefined) return toDegrees(code);
  const { default: proj4 } = await import('proj4');
  try {
    const { inverse } = proj4(prj);
    inverse([0, 0]);
    return ([x, y]) => {
      const [longitude = NaN, latitude = NaN] = inverse([x, y]);
      return [longitude, latitude];
    };
  } catch {
    throw otherMap('describes a map that is not known', prj);
  }
}
