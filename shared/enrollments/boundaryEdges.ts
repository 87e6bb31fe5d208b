import type { Position, Ring } from '../geo/geoJson.js';

/** Rings of a field's parts, outer ring first, then the holes; every ring is closed. */
export type FieldParts = readonly (readonly Ring[])[];

/** One edge of a boundary, with its place in it. */
export interface Edge {
  readonly part: number;
  /** Unique over all rings of the field. */
  readonly ring: number;
  readonly from: Position;
  readonly to: Position;
  /** Corner before `from` and corner behind `to`: where the boundary comes from and goes to. */
  readonly before: Position;
  readonly behind: Position;
  /** Place in the ring, and how many edges the ring has. */
  readonly index: number;
  readonly count: number;
}

/** All edges of a field. */
export function edgesOf(parts: FieldParts): Edge[] {
  const edges: Edge[] = [];
  let number = 0;
  for (const [part, rings] of parts.entries()) {
    for (const ring of rings) {
      addRing(edges, ring, { part, ring: number });
      number += 1;
    }
  }
  return edges;
}

function addRing(edges: Edge[], ring: Ring, place: Pick<Edge, 'part' | 'ring'>): void {
  const count = ring.length - 1;
  const corner = (index: number): Position => ring[(index + count) % count] ?? [NaN, NaN];
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [corner(index), corner(index + 1)];
    edges.push({ ...place, from, to, before: corner(index - 1), behind: corner(index + 2), index, count });
  }
}

/** Whether one edge follows the other in their ring. */
export function areNeighbours(a: Edge, b: Edge): boolean {
  if (a.ring !== b.ring) return false;
  const apart = Math.abs(a.index - b.index);
  return apart === 1 || apart === a.count - 1;
}

/**
 * On which side of the line from `a` to `b` the point lies.
 *
 * @returns above 0 left, below 0 right, 0 on the line
 */
export const sideOf = (a: Position, b: Position, point: Position): number =>
  (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);

export const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];

/** Whether a point that lies on the edge's line lies between its ends, the ends counted in. */
export const isBetween = ({ from, to }: Edge, [x, y]: Position): boolean =>
  x >= Math.min(from[0], to[0]) &&
  x <= Math.max(from[0], to[0]) &&
  y >= Math.min(from[1], to[1]) &&
  y <= Math.max(from[1], to[1]);
