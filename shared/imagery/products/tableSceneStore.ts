import type { Row, Rows } from '../../storage/rows.js';
import { newestFirst } from '../../validation/calendar.js';
import type { Product, ProductKey } from './product.js';
import type { SceneStore, StoredProduct } from './scenePorts.js';
import type { Period } from '../catalogue/searchPeriods.js';

/** `}` is the character behind `|`, with which the day of a key ends. */
const endOf = (day: string): string => `${newestFirst(day)}}`;

/** What a look at the table wants to see stands beside the whole. */
interface ProductRow extends Pick<Product, 'fanOut' | 'seenAt'> {
  readonly json: string;
}

const storedOf = ({ json, etag }: Row<ProductRow>): StoredProduct => ({ product: JSON.parse(json) as Product, etag });

/** Table `scenes`: PartitionKey is the tile, RowKey `<inverse day>|<datatake>|<start of the datastrip>`. */
export class TableSceneStore implements SceneStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find({ tile, scene }: ProductKey): Promise<StoredProduct | undefined> {
    const row = await this.#rows.find<ProductRow>(tile, scene);
    return row === undefined ? undefined : storedOf(row);
  }

  async listDays(tile: string, { from, to }: Period): Promise<readonly StoredProduct[]> {
    const days = { from: newestFirst(to), below: endOf(from) };
    return (await this.#rows.range<ProductRow>(tile, days)).map(storedOf);
  }

  async put(product: Product, etag: string | undefined): Promise<boolean> {
    const { tile, scene, fanOut, seenAt } = product;
    const row: ProductRow = { fanOut, seenAt, json: JSON.stringify(product) };
    const written =
      etag === undefined ? await this.#rows.insert(tile, scene, row) : await this.#rows.update(tile, scene, row, etag);
    return written !== undefined;
  }

  async list(tile: string): Promise<readonly StoredProduct[]> {
    return (await this.#rows.range<ProductRow>(tile, {})).map(storedOf);
  }

  async remove(tile: string, products: readonly Pick<Product, 'scene'>[]): Promise<void> {
    if (products.length === 0) return;
    await this.#rows.deleteMany(
      tile,
      products.map(({ scene }) => scene),
    );
  }
}
