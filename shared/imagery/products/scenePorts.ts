import type { Period } from '../catalogue/searchPeriods.js';
import type { Product, ProductKey } from './product.js';

/** A product as read; whoever writes it meanwhile changes `etag`. */
export interface StoredProduct {
  readonly product: Product;
  readonly etag: string;
}

/** The products of the last weeks, by tile. */
export interface SceneStore {
  find(key: ProductKey): Promise<StoredProduct | undefined>;
  /** The products of a tile on these days, newest first. */
  listDays(tile: string, days: Period): Promise<readonly StoredProduct[]>;
  /** @param etag of the reading it rests on; undefined when there was none. @returns false when somebody else wrote */
  put(product: Product, etag: string | undefined): Promise<boolean>;
  /** Every product of a tile, newest first. */
  list(tile: string): Promise<readonly StoredProduct[]>;
  /** Removing twice is harmless. */
  remove(tile: string, products: readonly Pick<Product, 'scene'>[]): Promise<void>;
}
