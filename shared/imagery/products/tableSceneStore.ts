import type { Row, Rows } from '../../storage/rows.js';
import { newestFirst } from '../../kit/validation/calendar.js';
import type { Period } from '../../scenes/stac/searchPeriods.js';
import type { Product, ProductKey } from './product.js';

/** A product as read; each write of the product's row changes `etag`. */
export interface StoredProduct {
  readonly product: Product;
  readonly etag: string;
}

/** Columns beside the whole product are for whoever looks at the table by hand. */
interface ProductRow extends Pick<Product, 'fanOut' | 'seenAt'> {
  readonly json: string;
}

const storedOf = ({ json, etag }: Row<ProductRow>): StoredProduct => ({ product: JSON.parse(json) as Product, etag });

/**
 * The products of the last weeks, table `scenes`: PartitionKey is the tile, RowKey
 * `<inverse day>|<datatake>|<start of the datastrip>`.
 */
export class TableSceneStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find({ tile, scene }: ProductKey): Promise<StoredProduct | undefined> {
    const row = await this.#rows.find<ProductRow>(tile, scene);
    return row === undefined ? undefined : storedOf(row);
  }

  /** The products of a tile on these days, newest first. */
  async listDays(tile: string, { from, to }: Period): Promise<readonly StoredProduct[]> {
    // A key's day ends with `|`; `}` is the next character.
    const days = { from: newestFirst(to), below: `${newestFirst(from)}}` };
    return (await this.#rows.range<ProductRow>(tile, days)).map(storedOf);
  }

  /** @param etag of the product that was read; undefined when there was none. @returns false when another writer was first */
  async put(product: Product, etag: string | undefined): Promise<boolean> {
    const { tile, scene, fanOut, seenAt } = product;
    const row: ProductRow = { fanOut, seenAt, json: JSON.stringify(product) };
    const written =
      etag === undefined ? await this.#rows.insert(tile, scene, row) : await this.#rows.update(tile, scene, row, etag);
    return written !== undefined;
  }

  /** Every product of a tile, newest first. */
  async list(tile: string): Promise<readonly StoredProduct[]> {
    return (await this.#rows.range<ProductRow>(tile, {})).map(storedOf);
  }

  /** Removing twice is harmless. */
  async remove(tile: string, products: readonly Pick<Product, 'scene'>[]): Promise<void> {
    if (products.length === 0) return;
    await this.#rows.deleteMany(
      tile,
      products.map(({ scene }) => scene),
    );
  }
}
