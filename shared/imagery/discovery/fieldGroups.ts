import type { ReadyField } from '../../enrollments/field.js';
import type { MultiPolygon, Polygon, Position, Ring } from '../../geo/geoJson.js';
import { utmProjection } from '../../raster/utm.js';
import type { GeoBox } from '../catalogue/footprint.js';

/** Fields near each other: one search finds the scenes of all of them. */
export interface FieldGroup {
  /** Zone and square of 100 km, e.g. 32615-4-45. */
  readonly id: string;
  readonly fields: readonly ReadyField[];
}

const SQUARE_M = 100_000;

/** Middle of a box; beyond 180° for one across the antimeridian. */
function middleOf([west, south, east, north]: GeoBox): Position {
  const plainEast = east < west ? east + 360 : east;
  return [(west + plainEast) / 2, (south + north) / 2];
}

function squareOf({ shape: { bbox, epsg } }: ReadyField): string {
  const [x, y] = utmProjection(epsg).toMap(middleOf(bbox));
  return `${epsg}-${Math.floor(x / SQUARE_M)}-${Math.floor(y / SQUARE_M)}`;
}

/** Puts fields into groups by the square of 100 km in their zone, which is about one Sentinel-2 tile. */
export function fieldGroups(fields: readonly ReadyField[]): readonly FieldGroup[] {
  const groups = new Map<string, ReadyField[]>();
  for (const field of fields) {
    const id = squareOf(field);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [field]);
    else group.push(field);
  }
  return [...groups].map(([id, members]) => ({ id, fields: members })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function ringOf([west, south, east, north]: GeoBox): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The field's box, or one on each side of the antimeridian when it reaches across. */
function boxesOf({ shape: { bbox } }: ReadyField): readonly GeoBox[] {
  const [west, south, east, north] = bbox;
  if (west <= east) return [bbox];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/**
 * The area to search for a group: a box around its fields, or two for fields on both sides of the antimeridian (and of
 * Greenwich, where two boxes are as good as one).
 */
export function searchArea(fields: readonly ReadyField[]): Polygon | MultiPolygon {
  const boxes = fields.flatMap(boxesOf);
  const sides = [boxes.filter(([west]) => west < 0), boxes.filter(([west]) => west >= 0)];
  const rings = sides.filter(({ length }) => length > 0).map((side) => [ringOf(around(side))]);
  const [first] = rings;
  return rings.length === 1 && first !== undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: rings };
}

function around(boxes: readonly GeoBox[]): GeoBox {
  return boxes.reduce(([west, south, east, north], box) => [
    Math.min(west, box[0]),
    Math.min(south, box[1]),
    Math.max(east, box[2]),
    Math.max(north, box[3]),
  ]);
}
