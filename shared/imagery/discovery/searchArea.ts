import type { MultiPolygon, Polygon, Ring } from '../../geo/geoJson.js';
import type { GeoBox } from '../catalogue/footprint.js';

function ringOf([west, south, east, north]: GeoBox): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The box, or one on each side of the antimeridian when it reaches across. */
function sidesOf(box: GeoBox): readonly GeoBox[] {
  const [west, south, east, north] = box;
  if (west <= east) return [box];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

const around = (boxes: readonly GeoBox[]): GeoBox =>
  boxes.reduce(([west, south, east, north], box) => [
    Math.min(west, box[0]),
    Math.min(south, box[1]),
    Math.max(east, box[2]),
    Math.max(north, box[3]),
  ]);

/**
 * The area to search for fields near each other: a box around theirs, or two for fields on both sides of the antimeridian
 * (and of Greenwich, where two boxes are as good as one).
 */
export function searchArea(boxes: readonly GeoBox[]): Polygon | MultiPolygon {
  const plain = boxes.flatMap(sidesOf);
  const sides = [plain.filter(([west]) => west < 0), plain.filter(([west]) => west >= 0)];
  const rings = sides.filter(({ length }) => length > 0).map((side) => [ringOf(around(side))]);
  const [first] = rings;
  return rings.length === 1 && first !== undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: rings };
}
