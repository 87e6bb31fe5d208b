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
  const [west, east] = extremesOf(rings.flatMap((ring) => ring.map(([longitude]) => longitude)));
  if (east - west <= 180) return rings;
  return rings.map((ring) => ring.map(([x, y]): Position => [x < 0 ? x + 360 : x, y]));
}

/** Smallest and largest value. Not `Math.min(...values)`: a call takes a limited number of arguments. */
function extremesOf(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

const wrapped = ([x, y]: Position): Position => [x > 180 ? x - 360 : x, y];

/** The edges of a ring as pairs of positions; the ring is closed in the data. */
function* edgesOf(ring: Ring): Generator<readonly [Position, Position]> {
  let previous: Position | undefined;
  for (const position of ring) {
    if (previous !== undefined) yield [previous, position];
    previous = position;
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
  for (const [[x0, y0], [x1, y1]] of edgesOf(ring)) {
    const cross = (x0 - originX) * (y1 - originY) - (x1 - originX) * (y0 - originY);
    area += cross / 2;
    x += ((x0 + x1 - 2 * originX) * cross) / 6;
    y += ((y0 + y1 - 2 * originY) * cross) / 6;
  }
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
    for (const [[x0, y0], [x1, y1]] of edgesOf(ring)) {
      if (y0 > latitude !== y1 > latitude) found.push(x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0));
    }
  }
  return found.sort((a, b) => a - b);
}

/** Even–odd rule: inside when an odd number of edges lies to the east. */
const contains = (rings: Rings, [x, y]: Position): boolean =>
  crossings(rings, y).filter((crossing) => crossing > x).length % 2 === 1;

function pointOnSurface(polygons: readonly Rings[]): Position | undefined {
  const largest = polygons.toSorted((a, b) => polygonMoments(b).area - polygonMoments(a).area)[0];
  if (largest === undefined) return undefined;
  const latitude = quietLatitude(largest.flatMap((ring) => ring.map(([, y]) => y)));
  const across = crossings(largest, latitude);
  let widest: { readonly middle: number; readonly width: number } | undefined;
  for (let index = 0; index + 1 < across.length; index += 2) {
    const [west = 0, east = 0] = across.slice(index, index + 2);
    if (east - west > (widest?.width ?? 0)) widest = { middle: (west + east) / 2, width: east - west };
  }
  return widest && [widest.middle, latitude];
}

/** A parallel near the middle that passes through no vertex. */
function quietLatitude(latitudes: readonly number[]): number {
  const [low, high] = extremesOf(latitudes);
  const middle = (low + high) / 2;
  const above = latitudes.filter((y) => y > middle).reduce((nearest, y) => Math.min(nearest, y), high);
  const below = latitudes.filter((y) => y <= middle).reduce((nearest, y) => Math.max(nearest, y), low);
  return (above + below) / 2;
}
