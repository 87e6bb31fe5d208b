import { partsOf, type MultiPolygon, type Polygon, type Position, type Ring } from './geoJson.js';

/** A point inside an area, and how it was found. */
export interface InteriorPoint {
  readonly position: Position;
  readonly how: 'boundary-centroid' | 'point-on-surface';
}

/**
 * A point that lies inside the area: its centroid, or, where that falls into a hole, a bay or between the parts, the
 * middle of the widest stretch of a west–east line through the largest part.
 *
 * Calculated in degrees, which is good enough for something the size of a field. A part across the antimeridian may
 * be written with longitudes of both signs.
 *
 * @returns undefined when the geometry encloses no area
 */
export function interiorPointOf(geometry: Polygon | MultiPolygon): InteriorPoint | undefined {
  const polygons = partsOf(geometry).map(unwrapped);
  const centroid = centroidOf(polygons);
  if (centroid === undefined) return undefined;
  if (polygons.some((rings) => contains(rings, centroid))) {
    return { position: wrapped(centroid), how: 'boundary-centroid' };
  }
  const onSurface = pointOnSurface(polygons);
  return onSurface && { position: wrapped(onSurface), how: 'point-on-surface' };
}

type Rings = readonly Ring[];
interface Moments {
  readonly area: number;
  readonly x: number;
  readonly y: number;
}

/** Puts all longitudes of a part that crosses the antimeridian on one side of it. */
function unwrapped(rings: Rings): Rings {
  const [west, east] = extremesOf(rings, 0);
  if (east - west <= 180) return rings;
  return rings.map((ring) => ring.map(([x, y]): Position => [x < 0 ? x + 360 : x, y]));
}

/** Smallest and largest value of one axis. Loops, for a field may have 100,000 positions. */
function extremesOf(rings: Rings, axis: 0 | 1): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const ring of rings) {
    for (const position of ring) {
      low = Math.min(low, position[axis]);
      high = Math.max(high, position[axis]);
    }
  }
  return [low, high];
}

const wrapped = ([x, y]: Position): Position => [x > 180 ? x - 360 : x, y];

/** Calls `visit` with both ends of each edge; the ring is closed in the data. */
function forEachEdge(ring: Ring, visit: (from: Position, to: Position) => void): void {
  let from: Position | undefined;
  for (const to of ring) {
    if (from !== undefined) visit(from, to);
    from = to;
  }
}

/**
 * Area and first moments of a ring, whatever its direction.
 *
 * @param weight 1, or -1 for a hole
 * @see Bourke (1988), Calculating the area and centroid of a polygon
 */
function momentsOf(ring: Ring, weight: 1 | -1): Moments {
  const [originX, originY] = ring[0] ?? [0, 0];
  let [area, x, y] = [0, 0, 0];
  forEachEdge(ring, ([x0, y0], [x1, y1]) => {
    const cross = (x0 - originX) * (y1 - originY) - (x1 - originX) * (y0 - originY);
    area += cross / 2;
    x += ((x0 + x1 - 2 * originX) * cross) / 6;
    y += ((y0 + y1 - 2 * originY) * cross) / 6;
  });
  const sign = weight * Math.sign(area);
  return { area: area * sign, x: (x + area * originX) * sign, y: (y + area * originY) * sign };
}

const polygonMoments = (rings: Rings): Moments =>
  sumOf(rings.map((ring, index) => momentsOf(ring, index === 0 ? 1 : -1)));

const sumOf = (all: readonly Moments[]): Moments =>
  all.reduce((sum, { area, x, y }) => ({ area: sum.area + area, x: sum.x + x, y: sum.y + y }), { area: 0, x: 0, y: 0 });

function centroidOf(polygons: readonly Rings[]): Position | undefined {
  const { area, x, y } = sumOf(polygons.map(polygonMoments));
  return area > 0 ? [x / area, y / area] : undefined;
}

/** Longitudes at which the rings cross a parallel, west to east. An edge owns its lower end, so no vertex counts twice. */
function crossings(rings: Rings, latitude: number): number[] {
  const found: number[] = [];
  for (const ring of rings) {
    forEachEdge(ring, ([x0, y0], [x1, y1]) => {
      if (y0 > latitude !== y1 > latitude) found.push(x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0));
    });
  }
  return found.sort((a, b) => a - b);
}

/** Even–odd rule: inside when an odd number of edges lies to the east. */
const contains = (rings: Rings, [x, y]: Position): boolean =>
  crossings(rings, y).filter((crossing) => crossing > x).length % 2 === 1;

function pointOnSurface(polygons: readonly Rings[]): Position | undefined {
  const [largest] = polygons
    .map((rings) => ({ rings, area: polygonMoments(rings).area }))
    .toSorted((a, b) => b.area - a.area);
  if (largest === undefined) return undefined;
  const latitude = quietLatitude(largest.rings);
  const across = crossings(largest.rings, latitude);
  let widest: { readonly middle: number; readonly width: number } | undefined;
  for (let index = 0; index + 1 < across.length; index += 2) {
    const [west = 0, east = 0] = across.slice(index, index + 2);
    if (east - west > (widest?.width ?? 0)) widest = { middle: (west + east) / 2, width: east - west };
  }
  return widest && [widest.middle, latitude];
}

/** A parallel near the middle that passes through no vertex. */
function quietLatitude(rings: Rings): number {
  const [low, high] = extremesOf(rings, 1);
  const middle = (low + high) / 2;
  let [below, above] = [low, high];
  for (const ring of rings) {
    for (const [, y] of ring) {
      if (y > middle) above = Math.min(above, y);
      else below = Math.max(below, y);
    }
  }
  return (above + below) / 2;
}
