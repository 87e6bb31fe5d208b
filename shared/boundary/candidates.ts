import { cleaned, isSameMask, maskOfWindow, type CandidateMask } from './candidateMask.js';
import type { Pixel } from './chooseDates.js';
import type { Plane } from './gaussian.js';
import { mergeOrders, mergeTree, regionSums, type MergeTree } from './mergeTree.js';
import { regionBorders } from './regionBorders.js';
import { superpixels, type Superpixels } from './superpixels.js';

/** One proposed field. */
export interface Candidate {
  readonly mask: CandidateMask;
  /** Price of the next merge over the price of the merge that made it: how sharply it ends. */
  readonly persistence: number;
}

const fewestPixels = 20;
/** 200 ha in a window of 256 pixels, 400 ha in one of 512. */
const mostPixelsPerWindowSide = 20_000 / 256;

/** A window cut into regions, and the trees of their merges: the candidates are nodes of these. */
export interface Segmentation {
  readonly regions: Superpixels;
  readonly trees: readonly MergeTree[];
}

/** Superpixels of the edge map and their merge trees. */
export function segmented(channels: readonly Plane[], edges: Plane): Segmentation {
  const regions = superpixels(edges);
  const borders = regionBorders(regions, edges);
  const sums = regionSums(regions, channels);
  return { regions, trees: mergeOrders.map((order) => mergeTree(sums, borders, order)) };
}

/** The distinct, cleaned ancestors of the point's superpixel in all trees, none below 20 pixels. */
export function candidatesAt({ regions, trees }: Segmentation, point: Pixel): Candidate[] {
  const largest = mostPixelsPerWindowSide * Math.max(regions.width, regions.height, 256);
  const isPossible = (size: number): boolean => size >= fewestPixels && size <= largest;
  const found: Candidate[] = [];
  for (const tree of trees) {
    const order = depthFirst(tree, regions.count);
    for (const node of ancestorsOf(tree, regions.labels[point.row * regions.width + point.column] ?? 0)) {
      if (!isPossible(tree.size[node] ?? 0)) continue;
      const mask = cleaned(nodeMask(regions, order, node), point, regions);
      if (!isPossible(mask.size) || found.some((known) => isSameMask(known.mask, mask))) continue;
      found.push({ mask, persistence: persistenceOf(tree, node) });
    }
  }
  return found;
}

/** A superpixel and everything it was merged into, the smallest first. */
function ancestorsOf({ parent }: MergeTree, superpixel: number): number[] {
  const nodes: number[] = [];
  for (let node = superpixel; node !== -1; node = parent[node] ?? -1) nodes.push(node);
  return nodes;
}

function persistenceOf({ parent, cost }: MergeTree, node: number): number {
  const above = parent[node] ?? -1;
  return above === -1 ? 1 : (cost[above] ?? 0) / ((cost[node] ?? 0) + 1e-4);
}

/** Where the superpixels of every node lie in depth-first order: positions start[node]…end[node]-1. */
interface DepthFirst {
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/** Children come before their parents in the node numbers, so one pass from the root downwards places them all. */
function depthFirst(tree: MergeTree, regions: number): DepthFirst {
  const leaves = leafCounts(tree, regions);
  const start = new Int32Array(leaves.length);
  for (let node = leaves.length - 1; node >= regions; node -= 1) {
    const [a, b] = childrenOf(tree, node);
    const from = start[node] ?? 0;
    start[a] = from;
    start[b] = from + (leaves[a] ?? 0);
  }
  return { start, end: start.map((from, node) => from + (leaves[node] ?? 0)) };
}

function leafCounts(tree: MergeTree, regions: number): Int32Array {
  const leaves = new Int32Array(tree.parent.length).fill(1, 0, regions);
  for (let node = regions; node < leaves.length; node += 1) {
    const [a, b] = childrenOf(tree, node);
    leaves[node] = (leaves[a] ?? 0) + (leaves[b] ?? 0);
  }
  return leaves;
}

function childrenOf({ children }: MergeTree, node: number): readonly [number, number] {
  return [children[0][node] ?? 0, children[1][node] ?? 0];
}

function nodeMask({ labels, width, height }: Superpixels, { start, end }: DepthFirst, node: number): CandidateMask {
  const [from, to] = [start[node] ?? 0, end[node] ?? 0];
  const data = new Uint8Array(labels.length);
  for (let k = 0; k < labels.length; k += 1) {
    const position = start[labels[k] ?? 0] ?? 0;
    if (position >= from && position < to) data[k] = 1;
  }
  return maskOfWindow({ width, height, data });
}
