import { fieldFaults } from '../errors/catalogue.js';
import type { Position } from '../geo/geoJson.js';
import { edgesOf, type Edge, type FieldParts } from './boundaryEdges.js';
import { isCrossing, isOverlapOfParts } from './edgeContact.js';
import { FieldFailure } from './fieldFailure.js';
import type { WorkBudget } from './workBudget.js';

/** An edge with the span it covers on the axis of the sweep and across it. */
interface Span {
  readonly edge: Edge;
  readonly start: number;
  readonly end: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Checks that no boundary crosses or overlaps itself and no two parts cross.
 *
 * Edges are met in the order in which they begin along an axis, each compared with those not yet ended; the axis is
 * the one along which the edges are short, so that few are open at a time.
 *
 * @throws FieldFailure that names the place
 */
export function requireNoCrossing(parts: FieldParts, budget: WorkBudget): void {
  let open: Span[] = [];
  for (const span of spansOf(edgesOf(parts))) {
    budget.spend(open.length + 1);
    open = open.filter(({ end }) => end >= span.start);
    for (const other of open) {
      if (other.low <= span.high && other.high >= span.low) requireApart(other.edge, span.edge);
    }
    open.push(span);
  }
}

function spansOf(edges: readonly Edge[]): Span[] {
  const lengthAlong = (axis: 0 | 1): number =>
    edges.reduce((sum, { from, to }) => sum + Math.abs(to[axis] - from[axis]), 0);
  const along = lengthAlong(0) <= lengthAlong(1) ? 0 : 1;
  const across = along === 0 ? 1 : 0;
  return edges
    .map((edge) => ({
      edge,
      start: Math.min(edge.from[along], edge.to[along]),
      end: Math.max(edge.from[along], edge.to[along]),
      low: Math.min(edge.from[across], edge.to[across]),
      high: Math.max(edge.from[across], edge.to[across]),
    }))
    .sort((a, b) => a.start - b.start);
}

function requireApart(a: Edge, b: Edge): void {
  if (a.part !== b.part) {
    if (!isOverlapOfParts(a, b)) return;
    throw new FieldFailure(
      fieldFaults.overlappingParts,
      `Two parts of the field cross near ${placeText(a.to)}; join them.`,
    );
  }
  if (!isCrossing(a, b)) return;
  throw new FieldFailure(
    fieldFaults.selfCrossing,
    `The boundary crosses or overlaps itself near ${placeText(a.to)}; repair it there.`,
  );
}

/** A place as people look it up: longitude first, about 0.1 m. */
export const placeText = ([longitude, latitude]: Position): string =>
  `longitude ${longitude.toFixed(6)}, latitude ${latitude.toFixed(6)}`;
