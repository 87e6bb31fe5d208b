import type { MultiPolygon, Polygon } from '../../geo/geoJson.js';
import { boxAround } from '../../geo/box.js';
import { cornersOf } from '../../raster/grid.js';
import { ringOfBox, type GeoBox } from '../catalogue/footprint.js';

/** The box, or the two boxes on both sides of the antimeridian when it lies across. */
function sidesOf(box: GeoBox): readonly GeoBox[] {
  const [west, south, east, north] = box;
  if (west <= east) return [box];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/**
 * The area to search for fields near each other: one box around all of them, or two where there are western and eastern
 * longitudes, so at the antimeridian (and at Greenwich, where two boxes do no harm).
 */
export function searchArea(boxes: readonly GeoBox[]): Polygon | MultiPolygon {
  const plain = boxes.flatMap(sidesOf);
  const sides = [plain.filter(([west]) => west < 0), plain.filter(([west]) => west >= 0)];
  const rings = sides
    .filter(({ length }) => length > 0)
    .map((side) => [ringOfBox(boxAround(side.flatMap((box) => cornersOf(box))))]);
  const [first] = rings;
  return rings.length === 1 && first !== undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: rings };
}
