import { boxAround, doBoxesMeet, geoBoxAround, type Box } from './box.js';
import { EdgeGrid, type Edge } from './edgeGrid.js';
import { partsOf, type MultiPolygon, type Point, type Polygon, type Position, type Ring } from './geoJson.js';
import { ringHolds, turnOf } from './rings.js';

type Geometry = Point | Polygon | MultiPolygon;

/** A geometry that others are compared with again and again. */
export interface ComparedArea {
  readonly geometry: Geometry;
  /** Degrees; west is greater than east across the antimeridian. */
  readonly box: Box;
}

export const comparedArea = (geometry: Geometry): ComparedArea => ({
  geometry,
  box: geoBoxAround(positionsOf(geometry)),
});

/**
 * Whether a geometry has a point in common with an area: an edge crosses or touches an edge, or one holds a point of the other.
 *
 * Calculated in degrees. Both must be sound: rings that are closed and cross nothing.
 */
export function doMeet(one: Geometry, { geometry: other, box }: ComparedArea): boolean {
  if (!doBoxesMeet(geoBoxAround(positionsOf(one)), box)) return false;
  if (one.type === 'Point') return holds(other, one.coordinates);
  if (other.type === 'Point') return holds(one, other.coordinates);
  return doEdgesMeet(one, other) || doPartsHold(one, other) || doPartsHold(other, one);
}

/** All positions of a geometry. */
export const positionsOf = (geometry: Geometry): readonly Position[] =>
  geometry.type === 'Point' ? [geometry.coordinates] : partsOf(geometry).flat(2);

/** Whether an area holds a point of each part of the other: without crossing edges a part lies inside or outside whole. */
const doPartsHold = (area: Polygon | MultiPolygon, other: Polygon | MultiPolygon): boolean =>
  partsOf(other).some(([outer]) => outer?.[0] !== undefined && holds(area, outer[0]));

/** Whether a point lies in a geometry or on its edge. */
function holds(geometry: Geometry, point: Position): boolean {
  if (geometry.type === 'Point') return geometry.coordinates[0] === point[0] && geometry.coordinates[1] === point[1];
  return partsOf(geometry).some(
    ([outer = [], ...holes]) =>
      isOn(outer, point) ||
      (ringHolds(outer, point) && holes.every((hole) => isOn(hole, point) || !ringHolds(hole, point))),
  );
}

const isOn = (ring: Ring, point: Position): boolean =>
  ring.some((to, index) => {
    const from = ring[index - 1];
    return from !== undefined && isWithin([from, to], point) && turnOf(from, to, point) === 0;
  });

const isWithin = ([from, to]: Edge, [x, y]: Position): boolean =>
  Math.min(from[0], to[0]) <= x &&
  x <= Math.max(from[0], to[0]) &&
  Math.min(from[1], to[1]) <= y &&
  y <= Math.max(from[1], to[1]);

/** Only edges near the other geometry are compared. */
function doEdgesMeet(one: Polygon | MultiPolygon, other: Polygon | MultiPolygon): boolean {
  const others = edgesIn(other, boxAround(positionsOf(one)));
  if (others.length === 0) return false;
  const box = boxAround(others.flat());
  const grid = new EdgeGrid(others, box);
  return edgesIn(one, box).some((edge) => grid.meets(edge));
}

function edgesIn(area: Polygon | MultiPolygon, [west, south, east, north]: Box): readonly Edge[] {
  const found: Edge[] = [];
  for (const ring of partsOf(area).flat()) {
    let from = ring[0];
    for (const to of ring) {
      if (from === undefined || from === to) continue;
      const [x, y] = from;
      const [nextX, nextY] = to;
      const isAcross = Math.max(x, nextX) >= west && Math.min(x, nextX) <= east;
      if (isAcross && Math.max(y, nextY) >= south && Math.min(y, nextY) <= north) found.push([from, to]);
      from = to;
    }
  }
  return found;
}
