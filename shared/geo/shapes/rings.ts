const { abs, hypot, max, min } = Math;

/** A point of a plane, in any unit. */
export type PlanePoint = readonly [x: number, y: number];

/** A ring whose first point is not repeated at the end. */
type OpenRing = readonly PlanePoint[];

/** Area of a ring (open or closed) in square units of its plane, positive when it runs counter-clockwise for y up. */
export function signedArea(ring: OpenRing): number {
  const [originX, originY] = ring[0] ?? [0, 0];
  let doubled = 0;
  let [x, y] = ring.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of ring) {
    // Relative to the first point: products of full UTM coordinates would lose six digits.
    doubled += (x - originX) * (nextY - originY) - (nextX - originX) * (y - originY);
    [x, y] = [nextX, nextY];
  }
  return doubled / 2;
}

/** Area of a ring (open or closed) in square units of its plane, whatever its start and direction; never negative. */
export function ringArea(ring: OpenRing): number {
  return abs(signedArea(ring));
}

/** Length of a ring, its closing side included. */
export function ringLength(ring: OpenRing): number {
  let length = 0;
  let [x, y] = ring.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of ring) {
    length += hypot(nextX - x, nextY - y);
    [x, y] = [nextX, nextY];
  }
  return length;
}

/** Whether a point lies inside a ring (even-odd rule); for a point on the line either answer is possible. */
export function ringHolds(ring: OpenRing, [x, y]: PlanePoint): boolean {
  let isInside = false;
  let [fromX, fromY] = ring.at(-1) ?? [0, 0];
  for (const [toX, toY] of ring) {
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
    [fromX, fromY] = [toX, toY];
  }
  return isInside;
}

/** Whether a ring has at least three points, encloses an area and does not touch itself. */
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

/** Twice the area of the triangle a b c, positive when it turns counter-clockwise for y up. */
export function turnOf(a: PlanePoint, b: PlanePoint, c: PlanePoint): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Whether the line a b c turns back on itself, or stands still. */
function foldsBack([a, b, c]: readonly [PlanePoint, PlanePoint, PlanePoint]): boolean {
  return turnOf(a, b, c) === 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) <= 0;
}

type Segment = readonly [PlanePoint, PlanePoint];

/** Whether two segments have a point in common. */
export function segmentsMeet([a, b]: Segment, [c, d]: Segment): boolean {
  if (max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0])) return false;
  if (max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1])) return false;
  return turnOf(a, b, c) * turnOf(a, b, d) <= 0 && turnOf(c, d, a) * turnOf(c, d, b) <= 0;
}
