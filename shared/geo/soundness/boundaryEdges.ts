import type { Position, Ring } from '../shapes/geoJson.js';

/** Rings of a field's parts, outer ring first, then the holes; every ring is closed. */
export type FieldParts = readonly (readonly Ring[])[];

/**
 * All edges of a field, as arrays: edge i runs from corner i to corner `next[i]`. A field may have 100,000 edges: arrays
 * take less memory than objects.
 */
export interface BoundaryEdges {
  readonly count: number;
  /** Longitude of corner i. */
  readonly x: Float64Array;
  /** Latitude of corner i. */
  readonly y: Float64Array;
  /** Corner behind corner i in its ring. */
  readonly next: Int32Array;
  /** Corner before corner i in its ring. */
  readonly previous: Int32Array;
  /** Which part of the field edge i belongs to. */
  readonly part: Int32Array;
}

/** The edges of a field's rings. */
export function edgesOf(parts: FieldParts): BoundaryEdges {
  const count = parts.flat().reduce((sum, ring) => sum + ring.length - 1, 0);
  const edges = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    next: new Int32Array(count),
    previous: new Int32Array(count),
    part: new Int32Array(count),
  };
  let first = 0;
  for (const [part, rings] of parts.entries()) {
    for (const ring of rings) {
      addRing(edges, ring, { part, first });
      first += ring.length - 1;
    }
  }
  return edges;
}

function addRing(edges: BoundaryEdges, ring: Ring, { part, first }: { readonly part: number; readonly first: number }) {
  const corners = ring.length - 1;
  for (let index = 0; index < corners; index += 1) {
    const corner = first + index;
    const [x, y] = ring[index] ?? [NaN, NaN];
    edges.x[corner] = x;
    edges.y[corner] = y;
    edges.next[corner] = first + ((index + 1) % corners);
    edges.previous[corner] = first + ((index + corners - 1) % corners);
    edges.part[corner] = part;
  }
}

/** A corner as a position; NaN for an index that isn't one. */
export const cornerAt = ({ x, y }: BoundaryEdges, corner: number): Position => [x[corner] ?? NaN, y[corner] ?? NaN];

/**
 * On which side of edge `edge` corner `corner` lies.
 *
 * @returns above 0 left, below 0 right, 0 on the line
 */
export function sideOf(edges: BoundaryEdges, edge: number, corner: number): number {
  const { x, y, next } = edges;
  const end = next[edge] ?? 0;
  const fromX = x[edge] ?? NaN;
  const fromY = y[edge] ?? NaN;
  const alongX = (x[end] ?? NaN) - fromX;
  const alongY = (y[end] ?? NaN) - fromY;
  return alongX * ((y[corner] ?? NaN) - fromY) - alongY * ((x[corner] ?? NaN) - fromX);
}
