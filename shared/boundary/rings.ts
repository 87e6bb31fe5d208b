import type { PlanePoint } from './simplify.js';

const { hypot, max, min } = Math;

/** Rings here are open: the first point isn't repeated at the end. */
type OpenRing = readonly PlanePoint[];

/** Area of a ring, positive when it runs counter-clockwise for y up. */
export function signedArea(ring: OpenRing): number {
  const [originX, originY] = ring[0] ?? [0, 0];
  let doubled = 0;
  let [x, y] = ring.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of ring) {
    // Counted from the first point: products of full coordinates would cost digits.
    doubled += (x - originX) * (nextY - originY) - (nextX - originX) * (y - originY);
    [x, y] = [nextX, nextY];
  }
  return doubled / 2;
}

/** Length of the closed line. */
export function ringLength(ring: OpenRing): number {
  let length = 0;
  let [x, y] = ring.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of ring) {
    length += hypot(nextX - x, nextY - y);
    [x, y] = [nextX, nextY];
  }
  return length;
}

/** Whether a point lies inside a ring (even-odd rule); on the line itself either answer may come. */
export function ringHolds(ring: OpenRing, [x, y]: PlanePoint): boolean {
  let isInside = false;
  let [fromX, fromY] = ring.at(-1) ?? [0, 0];
  for (const [toX, toY] of ring) {
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
    [fromX, fromY] = [toX, toY];
  }
  return isInside;
}

/** Whether a ring of at least three points encloses something and touches itself nowhere. */
export function isSimple(ring: OpenRing): boolean {
  if (ring.length < 3 || signedArea(ring) === 0) return false;
  return ring.every((from, i) => {
    const to = ring[(i + 1) % ring.length] ?? from;
    for (let j = i + 1; j < ring.length; j += 1) {
      const [a, b] = [ring[j] ?? from, ring[(j + 1) % ring.length] ?? from];
      const isNeighbour = j === i + 1 || (i === 0 && j === ring.length - 1);
      if (isNeighbour ? foldsBack(j === i + 1 ? [from, to, b] : [a, from, to]) : segmentsMeet([from, to], [a, b]))
        return false;
    }
    return true;
  });
}

function turnOf(a: PlanePoint, b: PlanePoint, c: PlanePoint): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Whether the line a b c turns back on itself, or stands still. */
function foldsBack([a, b, c]: readonly [PlanePoint, PlanePoint, PlanePoint]): boolean {
  return turnOf(a, b, c) === 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) <= 0;
}

type Segment = readonly [PlanePoint, PlanePoint];

function segmentsMeet([a, b]: Segment, [c, d]: Segment): boolean {
  if (max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0])) return false;
  if (max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1])) return false;
  return turnOf(a, b, c) * turnOf(a, b, d) <= 0 && turnOf(c, d, a) * turnOf(c, d, b) <= 0;
}
