import { createHash } from 'node:crypto';
import type { ListedItem, ShownItem } from '../../scenes/stac/sceneCatalogue.js';

/** Hashes that a cursor keeps, some 120 KB. */
const MOST = 5_000;

const hashOf = (collection: string, id: string, version: string): string =>
  createHash('sha256').update(`${collection}/${id}/${version}`).digest('base64url').slice(0, 12);

/** Hash of an item that changes with each change of it; undefined where the catalogue doesn't tell changes. */
export function hashOfShown({ scene, updated }: ShownItem): string | undefined {
  return updated === undefined ? undefined : hashOf(scene.collection, scene.id, updated);
}

/** Hash of an item that changes with each version of it. */
export const hashOfListed = ({ collection, id, version }: ListedItem): string => hashOf(collection, id, version);

/**
 * A cache of the items that were taken in and whose work was asked for: a poll that meets such an item again need not read
 * its product. An item that is missing here is looked up.
 */
export class TakenItems {
  readonly #before: ReadonlySet<string>;
  readonly #met = new Set<string>();

  constructor(before: readonly string[] = []) {
    this.#before = new Set(before);
  }

  /** Whether an item was taken in, in this poll or an earlier one. */
  isTaken(hash: string): boolean {
    if (this.#before.has(hash)) this.#met.add(hash);
    return this.#met.has(hash);
  }

  add(hash: string): void {
    this.#met.add(hash);
  }

  /** The hashes of this poll. */
  get met(): readonly string[] {
    return [...this.#met].slice(-MOST).sort();
  }

  /** The hashes of this poll and, as far as there is room, of earlier ones. */
  get all(): readonly string[] {
    return [...new Set([...this.#met, ...this.#before])].slice(0, MOST).sort();
  }
}
