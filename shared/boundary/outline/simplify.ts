import type { PlanePoint } from '../../geo/shapes/rings.js';

const { hypot, max, min } = Math;

/**
 * The corners of a ring (its first point not repeated) that the Douglas–Peucker method keeps.
 *
 * Two points far apart are kept first, so that the result does not depend on where the ring begins.
 * @param tolerance largest distance of a dropped point from the simplified side, in the points' unit
 * @see Douglas & Peucker (1973), Algorithms for the reduction of the number of points
 */
export function simplifiedRing(ring: readonly PlanePoint[], tolerance: number): PlanePoint[] {
  if (ring.length < 4) return [...ring];
  const start = farthestFrom(ring, farthestFrom(ring, 0));
  const turned = [...ring.slice(start), ...ring.slice(0, start + 1)];
  const middle = farthestFrom(turned, 0);
  const isKept = new Uint8Array(turned.length);
  isKept[0] = 1;
  isKept[middle] = 1;
  keepBetween(turned, [0, middle], { tolerance, isKept });
  keepBetween(turned, [middle, turned.length - 1], { tolerance, isKept });
  return turned.filter((_, index) => isKept[index] === 1);
}

function farthestFrom(points: readonly PlanePoint[], index: number): number {
  const [x, y] = points[index] ?? [0, 0];
  let farthest = index;
  let most = -1;
  points.forEach((point, k) => {
    const distance = (point[0] - x) ** 2 + (point[1] - y) ** 2;
    if (distance <= most) return;
    most = distance;
    farthest = k;
  });
  return farthest;
}

function keepBetween(
  points: readonly PlanePoint[],
  section: readonly [number, number],
  { tolerance, isKept }: { readonly tolerance: number; readonly isKept: Uint8Array },
): void {
  const open = [section];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
    const a = points[from] ?? [0, 0];
    const b = points[to] ?? a;
    let farthest = -1;
    let most = tolerance;
    for (let k = from + 1; k < to; k += 1) {
      const distance = distanceToSegment(points[k] ?? a, a, b);
      if (distance <= most) continue;
      farthest = k;
      most = distance;
    }
    if (farthest === -1) continue;
    isKept[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
}

/** Distance of a point from the segment a b. */
export function distanceToSegment(point: PlanePoint, a: PlanePoint, b: PlanePoint): number {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  const squared = x * x + y * y;
  const along = squared === 0 ? 0 : ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / squared;
  const clamped = min(1, max(0, along));
  return hypot(point[0] - a[0] - clamped * x, point[1] - a[1] - clamped * y);
}
