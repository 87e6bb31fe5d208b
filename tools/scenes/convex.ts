const { hypot, max, min } = Math;

/** A place on the map in metres. */
export type MapPlace = readonly [x: number, y: number];

/** Corners of a convex polygon, counter-clockwise, the first not repeated. */
export type Convex = readonly MapPlace[];

/** Everything to the left of a line: normal · place ≤ offset, the normal pointing out. */
export interface HalfPlane {
  readonly normal: MapPlace;
  readonly offset: number;
}

export const dot = (a: MapPlace, b: MapPlace): number => a[0] * b[0] + a[1] * b[1];

/** The part of a polygon in a half-plane; empty when there is none. */
export function clipped(polygon: Convex, { normal, offset }: HalfPlane): Convex {
  const inside: MapPlace[] = [];
  let before = polygon.at(-1);
  if (before === undefined) return [];
  let depthBefore = dot(before, normal) - offset;
  for (const place of polygon) {
    const depth = dot(place, normal) - offset;
    if (depth > 0 !== depthBefore > 0) {
      const share = depthBefore / (depthBefore - depth);
      inside.push([before[0] + share * (place[0] - before[0]), before[1] + share * (place[1] - before[1])]);
    }
    if (depth <= 0) inside.push(place);
    before = place;
    depthBefore = depth;
  }
  return inside.length < 3 ? [] : inside;
}

/** Both sides of a line through a place. */
export function cutAt(polygon: Convex, place: MapPlace, normal: MapPlace): readonly [behind: Convex, ahead: Convex] {
  const offset = dot(place, normal);
  return [
    clipped(polygon, { normal, offset }),
    clipped(polygon, { normal: [-normal[0], -normal[1]], offset: -offset }),
  ];
}

/** Square metres, positive for counter-clockwise corners. */
export function areaOf(polygon: readonly MapPlace[]): number {
  const [originX, originY] = polygon[0] ?? [0, 0];
  let doubled = 0;
  let [x, y] = polygon.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of polygon) {
    doubled += (x - originX) * (nextY - originY) - (nextX - originX) * (y - originY);
    [x, y] = [nextX, nextY];
  }
  return doubled / 2;
}

/** The corners without those that repeat the one before, to a millimetre. */
export function withoutTwins(places: readonly MapPlace[]): MapPlace[] {
  return places.filter((place, k) => {
    const before = places.at(k - 1) ?? place;
    return hypot(place[0] - before[0], place[1] - before[1]) > 1e-3;
  });
}

/** Middle of the corners. */
export function middleOf(polygon: readonly MapPlace[]): MapPlace {
  const sum = polygon.reduce<MapPlace>(([x, y], place) => [x + place[0], y + place[1]], [0, 0]);
  return [sum[0] / polygon.length, sum[1] / polygon.length];
}

/** The polygon without a rim of this width; empty when nothing is left. */
export function inset(polygon: Convex, widthM: number): Convex {
  if (widthM <= 0) return polygon;
  let rest = polygon;
  polygon.forEach((from, k) => {
    const to = polygon[(k + 1) % polygon.length] ?? from;
    const length = hypot(to[0] - from[0], to[1] - from[1]);
    if (length === 0) return;
    const normal: MapPlace = [(to[1] - from[1]) / length, (from[0] - to[0]) / length];
    rest = clipped(rest, { normal, offset: dot(from, normal) - widthM });
  });
  return rest;
}

/** The smallest rectangle round a polygon: unit vectors along its long and its short side, and their lengths. */
export interface Frame {
  readonly along: MapPlace;
  readonly across: MapPlace;
  readonly lengthM: number;
  readonly widthM: number;
  readonly centre: MapPlace;
}

/** The smallest rectangle round a convex polygon lies on one of its sides. */
export function frameOf(polygon: Convex): Frame {
  let best: Frame | undefined;
  polygon.forEach((from, k) => {
    const to = polygon[(k + 1) % polygon.length] ?? from;
    const length = hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1e-6) return;
    const frame = frameAlong(polygon, [(to[0] - from[0]) / length, (to[1] - from[1]) / length]);
    if (best === undefined || frame.lengthM * frame.widthM < best.lengthM * best.widthM) best = frame;
  });
  return best ?? frameAlong(polygon, [1, 0]);
}

function frameAlong(polygon: Convex, side: MapPlace): Frame {
  const other: MapPlace = [-side[1], side[0]];
  const first = spanOf(polygon, side);
  const second = spanOf(polygon, other);
  const centre: MapPlace = [
    first.middle * side[0] + second.middle * other[0],
    first.middle * side[1] + second.middle * other[1],
  ];
  return first.length >= second.length
    ? { along: side, across: other, lengthM: first.length, widthM: second.length, centre }
    : { along: other, across: side, lengthM: second.length, widthM: first.length, centre };
}

function spanOf(polygon: Convex, direction: MapPlace): { readonly length: number; readonly middle: number } {
  const places = polygon.map((place) => dot(place, direction));
  const [low, high] = [min(...places), max(...places)];
  return { length: high - low, middle: (low + high) / 2 };
}
