import type { ListedItem, ShownItem } from './feedPorts.js';

/** Items of some days, and of the overlap of two polls many times over. */
const MOST = 20_000;

/**
 * Items that this process has taken in, message and all: a poll that meets them again need not ask storage. It saves
 * reads and decides nothing; another process, or this one after a start, looks them up.
 */
export class SeenItems {
  readonly #seen = new Set<string>();

  has(mark: string): boolean {
    return this.#seen.has(mark);
  }

  add(mark: string): void {
    this.#seen.add(mark);
    const [oldest] = this.#seen;
    if (this.#seen.size > MOST && oldest !== undefined) this.#seen.delete(oldest);
  }
}

/** Changes with each change of the item; undefined where the catalogue doesn't tell changes. */
export function markOfShown({ scene, updated }: ShownItem): string | undefined {
  const collection = 'collection' in scene ? scene.collection : '';
  return updated === undefined ? undefined : `${collection}/${scene.id}/${updated}`;
}

export const markOfListed = ({ collection, id, version }: ListedItem): string => `${collection}/${id}/${version}`;
