import type { Plane } from '../window/gaussian.js';
import type { Superpixels } from './superpixels.js';

const { ceil, imul, log2, max, min } = Math;

/** Adjacent regions: border b lies between first[b] and second[b]. */
export interface RegionBorders {
  readonly count: number;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Pixel sides between the two regions. */
  readonly length: Float64Array;
  /** Sum over those sides of the larger edge value of their two pixels. */
  readonly strength: Float64Array;
}

/** Every border of the superpixels, in the order in which the window's rows, then its columns, first show it. */
export function regionBorders({ width, labels, count }: Superpixels, { data }: Plane): RegionBorders {
  const borders = new BorderTable(count);
  const look = (k: number, other: number): void => {
    const [a, b] = [labels[k] ?? 0, labels[other] ?? 0];
    if (a !== b) borders.add(min(a, b), max(a, b), max(data[k] ?? 0, data[other] ?? 0));
  };
  for (let k = 0; k < labels.length; k += 1) {
    if ((k + 1) % width !== 0) look(k, k + 1);
    if (k + width < labels.length) look(k, k + width);
  }
  return borders.done();
}

/** Borders by their pair of regions: an open-addressing hash table over flat arrays. */
class BorderTable {
  readonly #regions: number;
  /** Index of a border, -1 where free; a planar map has fewer than 3 borders a region. */
  readonly #slots: Int32Array;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #length: Float64Array;
  readonly #strength: Float64Array;
  #count = 0;

  constructor(regions: number) {
    this.#regions = regions;
    const most = 3 * regions;
    this.#slots = new Int32Array(2 ** ceil(log2(2 * most + 2))).fill(-1);
    this.#first = new Int32Array(most);
    this.#second = new Int32Array(most);
    this.#length = new Float64Array(most);
    this.#strength = new Float64Array(most);
  }

  add(first: number, second: number, strength: number): void {
    const border = this.#borderOf(first, second);
    this.#length[border] = (this.#length[border] ?? 0) + 1;
    this.#strength[border] = (this.#strength[border] ?? 0) + strength;
  }

  #borderOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = imul(first * this.#regions + second, 0x9e3779b1) & mask;
    for (;;) {
      const border = this.#slots[slot] ?? -1;
      if (border === -1) break;
      if (this.#first[border] === first && this.#second[border] === second) return border;
      slot = (slot + 1) & mask;
    }
    const border = this.#count;
    this.#slots[slot] = border;
    this.#first[border] = first;
    this.#second[border] = second;
    this.#count += 1;
    return border;
  }

  done(): RegionBorders {
    const count = this.#count;
    return {
      count,
      first: this.#first.subarray(0, count),
      second: this.#second.subarray(0, count),
      length: this.#length.subarray(0, count),
      strength: this.#strength.subarray(0, count),
    };
  }
}
