import type { BoundaryEdges } from './boundaryEdges.js';

/** Extent of each edge along the axis of the sweep (`start` to `end`) and across it (`low` to `high`). */
interface Spans {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Has pairs of edges compared: all that come near each other, and few others.
 *
 * A sweep line: edges are visited in the order of their beginning along an axis, and each is compared with those that have
 * not ended yet. Along the chosen axis the edges are short, so that few are open at a time.
 *
 * @param compare is handed two edges whose extents meet
 * @param spend told how many steps each edge costs
 */
export function sweepEdges(
  edges: BoundaryEdges,
  compare: (a: number, b: number) => void,
  spend: (steps: number) => void = () => undefined,
): void {
  const spans = spansOf(edges);
  const { start } = spans;
  const order = Uint32Array.from({ length: edges.count }, (_, edge) => edge);
  order.sort((a, b) => valueAt(start, a) - valueAt(start, b));
  const open = new Int32Array(edges.count);
  let openCount = 0;
  for (const edge of order) {
    spend(openCount + 1);
    openCount = meet(edge, { spans, open, openCount, compare });
  }
}

interface Sweep {
  readonly spans: Spans;
  /** Edges that have not ended, the first `openCount` of the array. */
  readonly open: Int32Array;
  readonly openCount: number;
  readonly compare: (a: number, b: number) => void;
}

/** Compares an edge with the open ones and drops those that have ended. @returns how many are open afterwards */
function meet(edge: number, { spans: { start, end, low, high }, open, openCount, compare }: Sweep): number {
  const begin = valueAt(start, edge);
  const edgeLow = valueAt(low, edge);
  const edgeHigh = valueAt(high, edge);
  let kept = 0;
  for (let index = 0; index < openCount; index += 1) {
    const other = valueAt(open, index);
    if (valueAt(end, other) < begin) continue;
    open[kept] = other;
    kept += 1;
    if (valueAt(low, other) <= edgeHigh && valueAt(high, other) >= edgeLow) compare(other, edge);
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
