import type { Plane } from '../window/gaussian.js';
import { MinHeap } from './minHeap.js';
import type { RegionBorders } from './regionBorders.js';
import type { Superpixels } from './superpixels.js';

const { max, sqrt } = Math;

/** The exponents with which the price of a merge depends on the colour difference and on the size. */
export interface MergeOrder {
  readonly difference: 1 | 0.5;
  readonly size: 1 | 0.5;
}

/** The three orders whose trees give the candidates. */
export const mergeOrders: readonly MergeOrder[] = [
  { difference: 1, size: 0.5 },
  { difference: 1, size: 1 },
  { difference: 0.5, size: 0.5 },
];

/** Nodes 0…regions-1 are the superpixels, later ones the merges in their order. */
export interface MergeTree {
  /** The node of the merge into which a node went; -1 for none. */
  readonly parent: Int32Array;
  /** Price of the merge that made the node; 0 for a superpixel. */
  readonly cost: Float64Array;
  /** Pixels of a node. */
  readonly size: Float64Array;
}

/** Pixels and channel sums of every superpixel. */
export interface RegionSums {
  readonly channels: number;
  readonly size: Float64Array;
  /** [region][channel] */
  readonly sums: Float64Array;
}

/** Adds up the channels over every superpixel. */
export function regionSums({ labels, count }: Superpixels, channels: readonly Plane[]): RegionSums {
  const size = new Float64Array(count);
  const sums = new Float64Array(count * channels.length);
  for (const label of labels) size[label] = (size[label] ?? 0) + 1;
  channels.forEach(({ data }, channel) => {
    for (let k = 0; k < labels.length; k += 1) {
      const at = (labels[k] ?? 0) * channels.length + channel;
      sums[at] = (sums[at] ?? 0) + (data[k] ?? 0);
    }
  });
  return { channels: channels.length, size, sums };
}

const raised = (value: number, exponent: 1 | 0.5): number => (exponent === 1 ? value : sqrt(value));

/** The tree of all merges when the two regions with the cheapest border are merged until no border is left. */
export function mergeTree(regions: RegionSums, borders: RegionBorders, order: MergeOrder): MergeTree {
  return new Merger(regions, borders, order).run();
}

/**
 * The state of one run. The borders of a region are a linked list of half-edges: half-edge 2b belongs to first[b], 2b+1 to
 * second[b]. A queued price is stale when its border is gone or has a newer version.
 */
class Merger {
  readonly #order: MergeOrder;
  readonly #channels: number;
  readonly #size: Float64Array;
  readonly #sums: Float64Array;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #length: Float64Array;
  readonly #strength: Float64Array;
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #version: Int32Array;
  readonly #isAlive: Uint8Array;
  /** While two regions merge: the first region's border to each neighbour, else -1. */
  readonly #borderWith: Int32Array;
  /** The tree node of each region. */
  readonly #node: Int32Array;
  readonly #heap: MinHeap;
  readonly #tree: MergeTree;

  constructor({ channels, size, sums }: RegionSums, borders: RegionBorders, order: MergeOrder) {
    const regions = size.length;
    const nodes = max(1, 2 * regions - 1);
    const none = (length: number): Int32Array => new Int32Array(length).fill(-1);
    this.#order = order;
    this.#channels = channels;
    [this.#size, this.#sums] = [size.slice(), sums.slice()];
    [this.#first, this.#second] = [borders.first.slice(), borders.second.slice()];
    [this.#length, this.#strength] = [borders.length.slice(), borders.strength.slice()];
    [this.#head, this.#next] = [none(regions), none(2 * borders.count)];
    this.#version = new Int32Array(borders.count);
    this.#isAlive = new Uint8Array(borders.count).fill(1);
    this.#borderWith = none(regions);
    this.#node = Int32Array.from({ length: regions }, (_, region) => region);
    this.#heap = new MinHeap(4 * borders.count + 1);
    const treeSize = new Float64Array(nodes);
    treeSize.set(size);
    this.#tree = {
      parent: none(nodes),
      cost: new Float64Array(nodes),
      size: treeSize,
    };
  }

  run(): MergeTree {
    for (let border = 0; border < this.#first.length; border += 1) {
      this.#link(2 * border, this.#first[border] ?? 0);
      this.#link(2 * border + 1, this.#second[border] ?? 0);
      this.#queue(border);
    }
    let node = this.#size.length;
    while (this.#heap.length > 0) {
      const { price, order: border, payload: version } = this.#heap;
      this.#heap.pop();
      if (this.#isAlive[border] !== 1 || this.#version[border] !== version) continue;
      this.#join(border, node, price);
      node += 1;
    }
    return this.#tree;
  }

  #link(half: number, region: number): void {
    this.#next[half] = this.#head[region] ?? -1;
    this.#head[region] = half;
  }

  #queue(border: number): void {
    this.#heap.push(this.#price(border), border, this.#version[border] ?? 0);
  }

  /** (difference + 0.005)^α · (mean edge + 0.02) · (harmonic size / border length)^γ */
  #price(border: number): number {
    const [a, b] = [this.#first[border] ?? 0, this.#second[border] ?? 0];
    const [sizeA, sizeB] = [this.#size[a] ?? 1, this.#size[b] ?? 1];
    const length = this.#length[border] ?? 1;
    let squared = 0;
    for (let k = 0; k < this.#channels; k += 1) {
      const meanA = (this.#sums[a * this.#channels + k] ?? 0) / sizeA;
      squared += (meanA - (this.#sums[b * this.#channels + k] ?? 0) / sizeB) ** 2;
    }
    const difference = sqrt(squared / this.#channels) + 0.005;
    const edge = (this.#strength[border] ?? 0) / length + 0.02;
    const size = (sizeA * sizeB) / (sizeA + sizeB) / length;
    return raised(difference, this.#order.difference) * edge * raised(size, this.#order.size);
  }

  /** Merges the border's second region into its first, as tree node `node`. */
  #join(border: number, node: number, price: number): void {
    const [kept, gone] = [this.#first[border] ?? 0, this.#second[border] ?? 0];
    this.#isAlive[border] = 0;
    this.#grow(node, price, [kept, gone]);
    this.#size[kept] = (this.#size[kept] ?? 0) + (this.#size[gone] ?? 0);
    for (let k = 0; k < this.#channels; k += 1) {
      const at = kept * this.#channels + k;
      this.#sums[at] = (this.#sums[at] ?? 0) + (this.#sums[gone * this.#channels + k] ?? 0);
    }
    const own = this.#head[kept] ?? -1;
    const inherited = this.#head[gone] ?? -1;
    this.#head[kept] = -1;
    this.#head[gone] = -1;
    this.#keep(own, kept);
    this.#inherit(inherited, gone, kept);
    this.#reprice(kept);
  }

  #grow(node: number, price: number, [kept, gone]: readonly [number, number]): void {
    const [a, b] = [this.#node[kept] ?? 0, this.#node[gone] ?? 0];
    const { parent, cost, size } = this.#tree;
    parent[a] = node;
    parent[b] = node;
    cost[node] = price;
    size[node] = (size[a] ?? 0) + (size[b] ?? 0);
    this.#node[kept] = node;
  }

  #otherSide(border: number, region: number): number {
    return (this.#second[border] === region ? this.#first[border] : this.#second[border]) ?? 0;
  }

  /** Puts the living borders of a list on the region's list and notes the neighbour of each. */
  #keep(list: number, region: number): void {
    for (let half = list; half !== -1;) {
      const following = this.#next[half] ?? -1;
      const border = half >> 1;
      if (this.#isAlive[border] === 1) {
        this.#borderWith[this.#otherSide(border, region)] = border;
        this.#link(half, region);
      }
      half = following;
    }
  }

  /** Moves the borders of a merged region; a border to a common neighbour is added to the border that is there. */
  #inherit(list: number, gone: number, kept: number): void {
    for (let half = list; half !== -1;) {
      const following = this.#next[half] ?? -1;
      const border = half >> 1;
      if (this.#isAlive[border] === 1) this.#moveOver(border, half, { gone, kept });
      half = following;
    }
  }

  #moveOver(border: number, half: number, { gone, kept }: { readonly gone: number; readonly kept: number }): void {
    const other = this.#otherSide(border, gone);
    const known = this.#borderWith[other] ?? -1;
    if (known !== -1) {
      this.#length[known] = (this.#length[known] ?? 0) + (this.#length[border] ?? 0);
      this.#strength[known] = (this.#strength[known] ?? 0) + (this.#strength[border] ?? 0);
      this.#isAlive[border] = 0;
      return;
    }
    if (this.#first[border] === gone) this.#first[border] = kept;
    else this.#second[border] = kept;
    this.#borderWith[other] = border;
    this.#link(half, kept);
  }

  #reprice(region: number): void {
    for (let half = this.#head[region] ?? -1; half !== -1; half = this.#next[half] ?? -1) {
      const border = half >> 1;
      this.#borderWith[this.#otherSide(border, region)] = -1;
      this.#version[border] = (this.#version[border] ?? 0) + 1;
      this.#queue(border);
    }
  }
}
