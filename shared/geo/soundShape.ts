import { polygonAreaHa } from '../raster/polygonArea.js';
import { boxAround } from '../raster/grid.js';
import { partsOf, type MultiPolygon, type Point, type Polygon, type Position } from './geoJson.js';

/** A geometry with what it spans and covers. */
export interface SoundGeometry {
  readonly geometry: Point | Polygon | MultiPolygon;
  /** Degrees: west, south, east, north. */
  readonly box: readonly [number, number, number, number];
  /** Hectares; 0 for a point. */
  readonly areaHa: number;
}

/** A geometry of a caller, once it is sound; else a text that says what is wrong with it. */
export function soundGeometry(value: unknown): SoundGeometry | string {
  const geometry = value as Point | Polygon | MultiPolygon;
  if (!['Point', 'Polygon', 'MultiPolygon'].includes(geometry.type))
    return 'It must be a Point, Polygon or MultiPolygon.';
  if (geometry.type === 'Point') {
    const [longitude, latitude] = geometry.coordinates;
    return { geometry, box: [longitude, latitude, longitude, latitude], areaHa: 0 };
  }
  const positions: Position[] = partsOf(geometry).flat(2);
  return {
    geometry,
    box: boxAround(positions),
    areaHa: polygonAreaHa({ type: 'MultiPolygon', coordinates: partsOf(geometry) }),
  };
}
