import type { MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import { boxAround } from '../../geo/shapes/box.js';
import { cornersOf } from '../../geo/grid/grid.js';
import { areaOfBoxes, sidesOf, type GeoBox } from '../../scenes/place/footprint.js';

/**
 * The area to search for fields near each other: one box around all of them, or two where there are western and eastern
 * longitudes, so at the antimeridian (and at Greenwich, where two boxes do no harm).
 */
export function searchArea(boxes: readonly GeoBox[]): Polygon | MultiPolygon {
  const plain = boxes.flatMap(sidesOf);
  const sides = [plain.filter(([west]) => west < 0), plain.filter(([west]) => west >= 0)];
  const filled = sides.filter(({ length }) => length > 0);
  return areaOfBoxes(filled.map((side) => boxAround(side.flatMap((box) => cornersOf(box)))));
}
