import type { Position } from '../shapes/geoJson.js';
import { cornerAt, sideOf, type BoundaryEdges } from './boundaryEdges.js';

/**
 * The point where two edges make a boundary cross or overlap itself, or undefined.
 *
 * A corner may touch another corner or an edge, unless the boundary passes to the other side there. Two edges that share
 * more than a point are a fault.
 */
export function selfCrossing(edges: BoundaryEdges, a: number, b: number): Position | undefined {
  if (edges.next[a] === b) return foldsBack(edges, a, b) ? cornerAt(edges, b) : undefined;
  if (edges.next[b] === a) return foldsBack(edges, b, a) ? cornerAt(edges, a) : undefined;
  const sides = sidesOf(edges, a, b);
  if (sides.areClear) return sides.doCross ? meetingPoint(edges, a, b) : undefined;
  if (sides.areOnOneLine && overlaps(edges, a, b)) return cornerAt(edges, b);
  const corner = contactsOf(edges, a, b).find((contact) => goesThrough(edges, [a, b], contact));
  return corner === undefined ? undefined : cornerAt(edges, corner);
}

/** The point inside both edges where those of two parts cross; touching and overlapping edges are no fault here. */
export function partsCrossing(edges: BoundaryEdges, a: number, b: number): Position | undefined {
  return sidesOf(edges, a, b).doCross ? meetingPoint(edges, a, b) : undefined;
}

interface Sides {
  /** No end of one edge lies on the line of the other. */
  readonly areClear: boolean;
  readonly doCross: boolean;
  readonly areOnOneLine: boolean;
}

function sidesOf(edges: BoundaryEdges, a: number, b: number): Sides {
  const first = sideOf(edges, a, b);
  const second = sideOf(edges, a, edges.next[b] ?? 0);
  const third = sideOf(edges, b, a);
  const fourth = sideOf(edges, b, edges.next[a] ?? 0);
  return {
    areClear: first !== 0 && second !== 0 && third !== 0 && fourth !== 0,
    doCross: areOpposite(first, second) && areOpposite(third, fourth),
    areOnOneLine: first === 0 && second === 0,
  };
}

const areOpposite = (one: number, other: number): boolean => (one > 0 && other < 0) || (one < 0 && other > 0);

function meetingPoint(edges: BoundaryEdges, a: number, b: number): Position {
  const from = cornerAt(edges, b);
  const to = cornerAt(edges, edges.next[b] ?? 0);
  const [before, behind] = [sideOf(edges, a, b), sideOf(edges, a, edges.next[b] ?? 0)];
  const share = before / (before - behind);
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** Whether the second edge runs back along the first, at whose end it begins: a spike. */
function foldsBack(edges: BoundaryEdges, first: number, second: number): boolean {
  const end = edges.next[second] ?? 0;
  if (sideOf(edges, first, end) !== 0) return false;
  const [start, turn, back] = [cornerAt(edges, first), cornerAt(edges, second), cornerAt(edges, end)];
  return (turn[0] - start[0]) * (back[0] - turn[0]) + (turn[1] - start[1]) * (back[1] - turn[1]) < 0;
}

/** For edges on one line: whether they share more than a point. */
function overlaps(edges: BoundaryEdges, a: number, b: number): boolean {
  const [aFrom, aTo] = endsOf(edges, a);
  const [bFrom, bTo] = endsOf(edges, b);
  const axis = Math.abs(aTo[0] - aFrom[0]) >= Math.abs(aTo[1] - aFrom[1]) ? 0 : 1;
  const low = Math.max(Math.min(aFrom[axis], aTo[axis]), Math.min(bFrom[axis], bTo[axis]));
  const high = Math.min(Math.max(aFrom[axis], aTo[axis]), Math.max(bFrom[axis], bTo[axis]));
  return high > low;
}

const endsOf = (edges: BoundaryEdges, edge: number): readonly [Position, Position] => [
  cornerAt(edges, edge),
  cornerAt(edges, edges.next[edge] ?? 0),
];

/** The corners of one edge that lie on the other. */
function contactsOf(edges: BoundaryEdges, a: number, b: number): number[] {
  const isOn = (edge: number, corner: number): boolean => {
    const [[fromX, fromY], [toX, toY]] = endsOf(edges, edge);
    const [x, y] = cornerAt(edges, corner);
    const isBeside = x < Math.min(fromX, toX) || x > Math.max(fromX, toX);
    return sideOf(edges, edge, corner) === 0 && !isBeside && y >= Math.min(fromY, toY) && y <= Math.max(fromY, toY);
  };
  return [
    ...[b, edges.next[b] ?? 0].filter((corner) => isOn(a, corner)),
    ...[a, edges.next[a] ?? 0].filter((corner) => isOn(b, corner)),
  ];
}

/** Whether the boundary crosses itself where it touches itself in a corner: its two ways through the point interleave. */
function goesThrough(edges: BoundaryEdges, [a, b]: readonly [number, number], corner: number): boolean {
  const at = cornerAt(edges, corner);
  const direction = ([x, y]: Position): number => Math.atan2(y - at[1], x - at[0]);
  const [start, end] = wayThrough(edges, a, at).map(direction) as [number, number];
  const [sideIn, sideOut] = wayThrough(edges, b, at).map((point) => sideOfWay(start, end, direction(point)));
  return (sideIn ?? 0) * (sideOut ?? 0) < 0;
}

/** Where the boundary comes from and goes to at a point of an edge. */
function wayThrough(edges: BoundaryEdges, edge: number, at: Position): readonly [Position, Position] {
  const [from, to] = endsOf(edges, edge);
  if (isSame(from, at)) return [cornerAt(edges, edges.previous[edge] ?? 0), to];
  if (isSame(to, at)) return [from, cornerAt(edges, edges.next[edges.next[edge] ?? 0] ?? 0)];
  return [from, to];
}

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];

/**
 * On which side of the way that comes from direction `start` and goes on to direction `end` a direction points.
 *
 * @returns 1 or −1, 0 along the way
 */
function sideOfWay(start: number, end: number, direction: number): number {
  const turn = (angle: number): number => (angle - start + 4 * Math.PI) % (2 * Math.PI);
  const [turnToEnd, turnToDirection] = [turn(end), turn(direction)];
  if (turnToDirection === 0 || turnToDirection === turnToEnd) return 0;
  return turnToDirection < turnToEnd ? 1 : -1;
}
