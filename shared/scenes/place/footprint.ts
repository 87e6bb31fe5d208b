import type { MultiPolygon, Polygon, Position, Ring } from '../../geo/shapes/geoJson.js';
import { boxAround } from '../../geo/shapes/box.js';
import { cornersOf } from '../../geo/grid/grid.js';

/** [west, south, east, north] in degrees; west > east for a box across the antimeridian. */
export type GeoBox = readonly [west: number, south: number, east: number, north: number];

const METRES_PER_DEGREE = 111_320;

/** About how many 10 m pixels a box has. */
export function pixelsOfBox([west, south, east, north]: GeoBox): number {
  const width = ((east - west + 360) % 360) * METRES_PER_DEGREE * Math.cos((south * Math.PI) / 180);
  return Math.ceil(width / 10) * Math.ceil(((north - south) * METRES_PER_DEGREE) / 10);
}

/** The same box with west ≤ east: across the antimeridian its east exceeds 180. */
export const continuousBox = ([west, south, east, north]: GeoBox): GeoBox => [
  west,
  south,
  east < west ? east + 360 : east,
  north,
];

/** A longitude moved by whole turns to where it lies nearest to another. */
const near = (longitude: number, middle: number): number => longitude + 360 * Math.round((middle - longitude) / 360);

/** The box around boxes that lie near each other; west > east across the antimeridian. */
export function boxAroundBoxes(boxes: readonly GeoBox[]): GeoBox {
  const [first = 0] = boxes[0] ?? [];
  // Longitudes near that of the first box, so that a cell on the antimeridian gets a small box.
  const corners = boxes.flatMap(cornersOf).map(([x, y]) => [near(x, first), y] as const);
  const [west, south, east, north] = boxAround(corners);
  const usual = (longitude: number): number =>
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  return [usual(west), south, usual(east), north];
}

/** A box as a closed ring, counterclockwise. */
export const ringOfBox = ([west, south, east, north]: GeoBox): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** The box, or the two boxes on both sides of the antimeridian when it lies across. */
export function sidesOf(box: GeoBox): readonly GeoBox[] {
  const [west, south, east, north] = box;
  if (west <= east) return [box];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/** Boxes that lie across nothing as an area: a Polygon where there is one. */
export function areaOfBoxes(boxes: readonly GeoBox[]): Polygon | MultiPolygon {
  const parts = boxes.map((box) => [ringOfBox(box)]);
  const [first] = parts;
  return parts.length === 1 && first !== undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: parts };
}

/** Edges of a ring, its longitudes near that of the middle of a box. */
function* edgesNear(ring: Ring, middle: number): Generator<readonly [Position, Position]> {
  let previous: Position | undefined;
  for (const [longitude, latitude] of ring) {
    // Each point near the one before: some rings jump from 180 to -180 at the antimeridian, some exceed 180.
    const here: Position = [near(longitude, previous?.[0] ?? middle), latitude];
    if (previous !== undefined) yield [previous, here];
    previous = here;
  }
}

/** Whether a line has a point inside or on a box (Liang & Barsky 1984). */
function meets([[x0, y0], [x1, y1]]: readonly [Position, Position], [west, south, east, north]: GeoBox): boolean {
  let [first, last] = [0, 1];
  for (const [step, room] of [
    [x0 - x1, x0 - west],
    [x1 - x0, east - x0],
    [y0 - y1, y0 - south],
    [y1 - y0, north - y0],
  ] as const) {
    if (step === 0) {
      if (room < 0) return false;
      continue;
    }
    const at = room / step;
    if (step < 0) first = Math.max(first, at);
    else last = Math.min(last, at);
  }
  return first <= last;
}

/** Whether a point lies inside of rings, of which all but the first are holes. */
function isInside(rings: readonly Ring[], [x, y]: Position): boolean {
  let isOdd = false;
  for (const ring of rings) {
    for (const [[x0, y0], [x1, y1]] of edgesNear(ring, x)) {
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isOdd = !isOdd;
    }
  }
  return isOdd;
}

/** How much of a box an outline covers: all of it, some, or none. */
export type Cover = 'all' | 'some' | 'none';

/** How much of a box lies in an outline; edges are straight in degrees. A box that only several parts together cover is `some`. */
export function coverOf(outline: Polygon | MultiPolygon, box: GeoBox): Cover {
  const plain = continuousBox(box);
  const centre: Position = [(plain[0] + plain[2]) / 2, (plain[1] + plain[3]) / 2];
  const parts = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  let found: Cover = 'none';
  for (const rings of parts) {
    const isCut = rings.some((ring) => [...edgesNear(ring, centre[0])].some((edge) => meets(edge, plain)));
    if (isCut) found = 'some';
    else if (isInside(rings, centre)) return 'all';
  }
  return found;
}
