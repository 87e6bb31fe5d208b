import { turnOf, type PlanePoint } from '../../geo/shapes/rings.js';
import { framedBy, type Bitmap } from '../window/morphology.js';

const { floor, hypot, max, min } = Math;

/** Steps to the eight neighbours, clockwise on the screen from the east. */
const steps: readonly PlanePoint[] = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
];

/**
 * The outer border pixels of an 8-connected bitmap in walking order, as [column, row]; pixels of a line one pixel wide
 * are listed once in each direction.
 *
 * @see Suzuki & Abe (1985), Topological structural analysis of digitized binary images
 */
export function outerContour(bitmap: Bitmap): PlanePoint[] {
  const { width, data } = framedBy(bitmap, 1);
  const first = data.indexOf(1);
  if (first === -1) return [];
  const offsets = steps.map(([x, y]) => y * width + x);
  const contour: PlanePoint[] = [];
  const opening = nextDirection(data, { at: first, offsets }, 4);
  let [at, direction] = [first, opening];
  do {
    contour.push([(at % width) - 1, floor(at / width) - 1]);
    if (direction === -1) return contour;
    at += offsets[direction] ?? 0;
    direction = nextDirection(data, { at, offsets }, (direction + 4) % 8);
  } while (at !== first || direction !== opening);
  return contour;
}

/** The first inside neighbour clockwise behind the direction `from`; -1 for a lone pixel. */
function nextDirection(
  data: Uint8Array,
  { at, offsets }: { readonly at: number; readonly offsets: readonly number[] },
  from: number,
): number {
  for (let turn = 1; turn <= 8; turn += 1) {
    const direction = (from + turn) % 8;
    if (data[at + (offsets[direction] ?? 0)] === 1) return direction;
  }
  return -1;
}

/** Corners of the smallest convex polygon round the points, counter-clockwise for y up (Andrew's monotone chain). */
export function convexHull(points: readonly PlanePoint[]): PlanePoint[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const lower = chainOf(sorted);
  const upper = chainOf(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chainOf(points: readonly PlanePoint[]): PlanePoint[] {
  const chain: PlanePoint[] = [];
  for (const point of points) {
    for (;;) {
      const [before, last] = [chain.at(-2), chain.at(-1)];
      if (before === undefined || last === undefined || turnOf(before, last, point) > 0) break;
      chain.pop();
    }
    chain.push(point);
  }
  return chain;
}

/** Sides of the smallest rectangle, turned at will, round a convex polygon; one of them lies on an edge of it. */
export function smallestRectangle(hull: readonly PlanePoint[]): readonly [along: number, across: number] {
  let best: readonly [number, number] = [0, 0];
  let smallest = Infinity;
  hull.forEach((from, index) => {
    const to = hull[(index + 1) % hull.length] ?? from;
    const length = hypot(to[0] - from[0], to[1] - from[1]);
    if (length === 0) return;
    const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const along = spreadOf(hull.map((point) => point[0] * x + point[1] * y));
    const across = spreadOf(hull.map((point) => point[1] * x - point[0] * y));
    if (along * across >= smallest) return;
    smallest = along * across;
    best = [along, across];
  });
  return best;
}

function spreadOf(values: readonly number[]): number {
  return max(...values) - min(...values);
}
