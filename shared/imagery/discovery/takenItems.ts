import { createHash } from 'node:crypto';
import type { ListedItem, ShownItem } from '../catalogue/sceneCatalogue.js';

/** Marks that a cursor keeps, some 120 KB; what is more is looked up. */
const MOST = 5_000;

const markOf = (collection: string, id: string, version: string): string =>
  createHash('sha256').update(`${collection}/${id}/${version}`).digest('base64url').slice(0, 12);

/** Changes with each change of the item; undefined where the catalogue doesn't tell changes. */
export function markOfShown({ scene, updated }: ShownItem): string | undefined {
  return updated === undefined ? undefined : markOf(scene.collection, scene.id, updated);
}

/** Changes with each version of the item. */
export const markOfListed = ({ collection, id, version }: ListedItem): string => markOf(collection, id, version);

/**
 * Items that were taken in, work asked for and all: a poll that meets them again need not ask storage. It saves reads and
 * decides nothing: an item without mark is looked up.
 */
export class TakenItems {
  readonly #before: ReadonlySet<string>;
  readonly #met = new Set<string>();

  constructor(before: readonly string[] = []) {
    this.#before = new Set(before);
  }

  /** Whether an item was taken in, now or in a poll of before. */
  isTaken(mark: string): boolean {
    if (this.#before.has(mark)) this.#met.add(mark);
    return this.#met.has(mark);
  }

  add(mark: string): void {
    this.#met.add(mark);
  }

  /** The marks of this poll. */
  get met(): readonly string[] {
    return [...this.#met].slice(-MOST).sort();
  }

  /** The marks of this poll and, behind them, those of before. */
  get all(): readonly string[] {
    return [...new Set([...this.#met, ...this.#before])].slice(0, MOST).sort();
  }
}
