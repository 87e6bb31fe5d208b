import { fieldFaults } from '../../kit/errors/catalogue.js';
import type { Position } from '../shapes/geoJson.js';
import { edgesOf, type BoundaryEdges, type FieldParts } from './boundaryEdges.js';
import { partsCrossing, selfCrossing } from './edgeContact.js';
import { sweepEdges } from './edgeSweep.js';
import { FieldFailure } from './fieldFailure.js';
import type { WorkBudget } from './workBudget.js';

/**
 * Checks that no boundary crosses or overlaps itself and no two parts cross.
 *
 * @throws FieldFailure that names the place
 */
export function requireNoCrossing(parts: FieldParts, budget: WorkBudget): void {
  const edges = edgesOf(parts);
  sweepEdges(
    edges,
    (a, b) => {
      requireApart(edges, a, b);
    },
    (steps) => {
      budget.spend(steps);
    },
  );
}

function requireApart(edges: BoundaryEdges, a: number, b: number): void {
  if (edges.part[a] === edges.part[b]) {
    const place = selfCrossing(edges, a, b);
    if (place === undefined) return;
    const text = `The boundary crosses or overlaps itself at ${placeText(place)}; repair it there.`;
    throw new FieldFailure(fieldFaults.selfCrossing, text);
  }
  const place = partsCrossing(edges, a, b);
  if (place === undefined) return;
  throw new FieldFailure(
    fieldFaults.overlappingParts,
    `Two parts of the field cross at ${placeText(place)}; join them.`,
  );
}

/** A position in words, to about 0.1 m. */
export const placeText = ([longitude, latitude]: Position): string =>
  `longitude ${longitude.toFixed(6)}, latitude ${latitude.toFixed(6)}`;
