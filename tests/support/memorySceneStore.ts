import type { Product, ProductKey } from '../../shared/imagery/discovery/product.js';
import type { SceneStore, StoredProduct } from '../../shared/imagery/discovery/scenePorts.js';
import type { Period } from '../../shared/imagery/discovery/searchPeriods.js';

const keyOf = ({ tile, scene }: ProductKey): string => `${tile} ${scene}`;

/** A table takes rows of 1 MiB, two bytes a character, and refuses larger ones. */
const MOST_BYTES = 1024 * 1024;

/** Products in memory. */
export class MemorySceneStore implements SceneStore {
  readonly rows = new Map<string, StoredProduct>();
  #writes = 0;

  get products(): readonly Product[] {
    return [...this.rows.values()].map(({ product }) => product);
  }

  find(key: ProductKey): Promise<StoredProduct | undefined> {
    return Promise.resolve(this.rows.get(keyOf(key)));
  }

  listDays(tile: string, { from, to }: Period): Promise<readonly StoredProduct[]> {
    const found = [...this.rows.values()].filter(({ product }) => product.tile === tile);
    const inside = found.filter(({ product: { day } }) => day >= from && day <= to);
    return Promise.resolve(inside.toSorted((a, b) => (a.product.scene < b.product.scene ? -1 : 1)));
  }

  put(product: Product, etag: string | undefined): Promise<boolean> {
    if (2 * JSON.stringify(product).length > MOST_BYTES) return Promise.reject(new Error('EntityTooLarge'));
    if (this.rows.get(keyOf(product))?.etag !== etag) return Promise.resolve(false);
    this.rows.set(keyOf(product), { product, etag: String((this.#writes += 1)) });
    return Promise.resolve(true);
  }

  removeBefore(tile: string, day: string): Promise<number> {
    const old = this.products.filter((product) => product.tile === tile && product.day < day);
    for (const product of old) this.rows.delete(keyOf(product));
    return Promise.resolve(old.length);
  }
}
