import { dot, withoutTwins } from './convex.js';
import type { MapPlace } from './convex.js';

/** Pieces that meet along less than this stay apart. */
const shortestSharedSideM = 20;

/**
 * Two polygons joined along a side of the second that lies wholly on a side of the first; undefined when none does.
 *
 * Both run counter-clockwise, so the shared side runs the other way in each.
 */
export function glued(first: readonly MapPlace[], second: readonly MapPlace[]): MapPlace[] | undefined {
  for (let i = 0; i < first.length; i += 1) {
    const [from, to] = sideOf(first, i);
    for (let j = 0; j < second.length; j += 1) {
      const [end, start] = sideOf(second, j);
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) < shortestSharedSideM) continue;
      if (!liesBetween(start, from, to) || !liesBetween(end, from, to)) continue;
      const walk = [...second.slice(j + 1), ...second.slice(0, j + 1)];
      return withoutTwins([...first.slice(0, i + 1), ...walk, ...first.slice(i + 1)]);
    }
  }
  return undefined;
}

function sideOf(polygon: readonly MapPlace[], k: number): readonly [MapPlace, MapPlace] {
  const from = polygon[k] ?? [0, 0];
  return [from, polygon[(k + 1) % polygon.length] ?? from];
}

/** Whether a place lies on the line through two others, to a millimetre, and between them. */
function liesBetween(place: MapPlace, from: MapPlace, to: MapPlace): boolean {
  const side: MapPlace = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(...side);
  const offset: MapPlace = [place[0] - from[0], place[1] - from[1]];
  const along = dot(offset, side) / length;
  return Math.abs(offset[0] * side[1] - offset[1] * side[0]) / length < 1e-3 && along > -1e-3 && along < length + 1e-3;
}
