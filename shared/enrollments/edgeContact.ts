import type { Position } from '../geo/geoJson.js';
import { areNeighbours, isBetween, isSame, sideOf, type Edge } from './boundaryEdges.js';

/**
 * Whether two edges make the boundary cross or overlap itself.
 *
 * Touching in a point is no fault, be it a corner on a corner or on an edge: only when the boundary goes through to
 * the other side there. Running along itself is a fault.
 */
export function isCrossing(a: Edge, b: Edge): boolean {
  if (areNeighbours(a, b)) return foldsBack(a, b);
  const sides = [sideOf(a.from, a.to, b.from), sideOf(a.from, a.to, b.to)] as const;
  const others = [sideOf(b.from, b.to, a.from), sideOf(b.from, b.to, a.to)] as const;
  if (sides[0] === 0 && sides[1] === 0) return overlaps(a, b) || contactsOf(a, b).some((at) => goesThrough(a, b, at));
  if (areOpposite(sides) && areOpposite(others)) return true;
  return contactsOf(a, b).some((at) => goesThrough(a, b, at));
}

/** Whether two edges of different parts cross in a point inside both; touching and running along are no fault there. */
export function isOverlapOfParts(a: Edge, b: Edge): boolean {
  const sides = [sideOf(a.from, a.to, b.from), sideOf(a.from, a.to, b.to)] as const;
  const others = [sideOf(b.from, b.to, a.from), sideOf(b.from, b.to, a.to)] as const;
  return areOpposite(sides) && areOpposite(others);
}

const areOpposite = ([one, other]: readonly [number, number]): boolean =>
  (one > 0 && other < 0) || (one < 0 && other > 0);

/** Two edges that follow each other and lie upon each other: a spike. */
function foldsBack(a: Edge, b: Edge): boolean {
  const [first, second] = isSame(a.to, b.from) ? [a, b] : [b, a];
  if (!isSame(first.to, second.from) || sideOf(first.from, first.to, second.to) !== 0) return false;
  const [x, y] = [first.to[0] - first.from[0], first.to[1] - first.from[1]];
  return x * (second.to[0] - second.from[0]) + y * (second.to[1] - second.from[1]) < 0;
}

/** For edges on one line: whether they share more than a point. */
function overlaps(a: Edge, b: Edge): boolean {
  const axis = Math.abs(a.to[0] - a.from[0]) >= Math.abs(a.to[1] - a.from[1]) ? 0 : 1;
  const low = Math.max(Math.min(a.from[axis], a.to[axis]), Math.min(b.from[axis], b.to[axis]));
  const high = Math.min(Math.max(a.from[axis], a.to[axis]), Math.max(b.from[axis], b.to[axis]));
  return high > low;
}

/** The corners of one edge that lie on the other. */
function contactsOf(a: Edge, b: Edge): Position[] {
  const on = (edge: Edge, point: Position): boolean =>
    sideOf(edge.from, edge.to, point) === 0 && isBetween(edge, point);
  return [...[b.from, b.to].filter((point) => on(a, point)), ...[a.from, a.to].filter((point) => on(b, point))];
}

/** Whether the boundary, touching itself in a point, goes through there: its two ways through that point interleave. */
function goesThrough(a: Edge, b: Edge, at: Position): boolean {
  const [wayIn, wayOut] = wayThrough(a, at);
  const [otherIn, otherOut] = wayThrough(b, at);
  const first = sector(at, { from: wayIn, to: wayOut }, otherIn);
  const second = sector(at, { from: wayIn, to: wayOut }, otherOut);
  return first * second < 0;
}

/** Where the boundary comes from and goes to at a point of an edge. */
function wayThrough(edge: Edge, at: Position): readonly [Position, Position] {
  if (isSame(edge.from, at)) return [edge.before, edge.to];
  if (isSame(edge.to, at)) return [edge.from, edge.behind];
  return [edge.from, edge.to];
}

/**
 * Where a direction from `at` points, seen from the way `from` → `at` → `to`.
 *
 * @returns 1 to the right of the way, −1 to the left, 0 along it
 */
function sector(at: Position, way: { readonly from: Position; readonly to: Position }, point: Position): number {
  const direction = ([x, y]: Position): number => Math.atan2(y - at[1], x - at[0]);
  const start = direction(way.from);
  const turn = (angle: number): number => (angle - start + 4 * Math.PI) % (2 * Math.PI);
  const end = turn(direction(way.to));
  const angle = turn(direction(point));
  if (angle === 0 || angle === end) return 0;
  return angle < end ? 1 : -1;
}
