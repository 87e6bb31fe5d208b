import { cleaned, isSameMask, maskOfWindow, type CandidateMask } from './candidateMask.js';
import type { Pixel } from '../window/chooseDates.js';
import type { Plane } from '../window/gaussian.js';
import { mergeOrders, mergeTree, regionSums, type MergeTree } from '../regions/mergeTree.js';
import { regionBorders } from '../regions/regionBorders.js';
import { superpixels, type Superpixels } from '../regions/superpixels.js';

/** A possible field. */
export interface Candidate {
  readonly mask: CandidateMask;
  /** Price of the next merge over the price of the candidate's own merge: high for a sharp border. */
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
    for (const node of ancestorsOf(tree, regions.labels[point.row * regions.width + point.column] ?? 0)) {
      if (!isPossible(tree.size[node] ?? 0)) continue;
      const mask = cleaned(nodeMask(regions, tree, node), point, regions);
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

/** The pixels of all superpixels that were merged into a node. */
function nodeMask({ labels, width, height }: Superpixels, { parent }: MergeTree, node: number): CandidateMask {
  const isWithin = new Uint8Array(parent.length);
  isWithin[node] = 1;
  // A parent has a higher number than its children.
  for (let child = node - 1; child >= 0; child -= 1) isWithin[child] = isWithin[parent[child] ?? -1] ?? 0;
  const data = new Uint8Array(labels.length);
  for (let k = 0; k < data.length; k += 1) data[k] = isWithin[labels[k] ?? 0] ?? 0;
  return maskOfWindow({ width, height, data });
}
