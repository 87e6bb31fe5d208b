import { fieldFaults } from '../../errors/catalogue.js';
import type { Position } from '../geoJson.js';
import { edgesOf, type BoundaryEdges, type FieldParts } from './boundaryEdges.js';
import { partsCrossing, selfCrossing } from './edgeContact.js';
import { FieldFailure } from './fieldFailure.js';
import type { WorkBudget } from './workBudget.js';

/** Extent of each edge along the axis of the sweep (`start` to `end`) and across it (`low` to `high`). */
interface Spans {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Checks that no boundary crosses or overlaps itself and no two parts cross.
 *
 * A sweep line: edges are visited in the order of their beginning along an axis, and each is compared with those that have
 * not ended yet. Along the chosen axis the edges are short, so that few are open at a time.
 *
 * @throws FieldFailure that names the place
 */
export function requireNoCrossing(parts: FieldParts, budget: WorkBudget): void {
  const edges = edgesOf(parts);
  const spans = spansOf(edges);
  const { start } = spans;
  const order = Uint32Array.from({ length: edges.count }, (_, edge) => edge);
  order.sort((a, b) => valueAt(start, a) - valueAt(start, b));
  const open = new Int32Array(edges.count);
  let openCount = 0;
  for (const edge of order) {
    budget.spend(openCount + 1);
    openCount = meet(edge, { edges, spans, open, openCount });
  }
}

interface Sweep {
  readonly edges: BoundaryEdges;
  readonly spans: Spans;
  /** Edges that have not ended, the first `openCount` of the array. */
  readonly open: Int32Array;
  readonly openCount: number;
}

/** Compares an edge with the open ones and drops those that have ended. @returns how many are open afterwards */
function meet(edge: number, { edges, spans: { start, end, low, high }, open, openCount }: Sweep): number {
  const begin = valueAt(start, edge);
  const edgeLow = valueAt(low, edge);
  const edgeHigh = valueAt(high, edge);
  let kept = 0;
  for (let index = 0; index < openCount; index += 1) {
    const other = valueAt(open, index);
    if (valueAt(end, other) < begin) continue;
    open[kept] = other;
    kept += 1;
    if (valueAt(low, other) <= edgeHigh && valueAt(high, other) >= edgeLow) requireApart(edges, other, edge);
  }
  open[kept] = edge;
  return kept + 1;
}

const valueAt = (values: Float64Array | Int32Array, index: number): number => values[index] ?? 0;

function spansOf({ x, y, next, count }: BoundaryEdges): Spans {
  const lengthAlong = (axis: Float64Array): number =>
    next.reduce((sum, end, edge) => sum + Math.abs(valueAt(axis, end) - valueAt(axis, edge)), 0);
  const [along, across] = lengthAlong(x) <= lengthAlong(y) ? [x, y] : [y, x];
  const spanOf = (axis: Float64Array, choose: (a: number, b: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, edge) => choose(valueAt(axis, edge), valueAt(axis, valueAt(next, edge))));
  return {
    start: spanOf(along, Math.min),
    end: spanOf(along, Math.max),
    low: spanOf(across, Math.min),
    high: spanOf(across, Math.max),
  };
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
