import { odata, type TableClient } from '@azure/data-tables';
import { textOfProperties, textProperties } from '../../enrollments/rowText.js';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import { deleteRows, listRows } from '../../storage/tableRows.js';
import { newestFirst } from '../work/imageryWork.js';
import type { Product, ProductKey } from './product.js';
import type { SceneStore, StoredProduct } from './scenePorts.js';
import type { Period } from './searchPeriods.js';

/** `}` is the character behind `|`, with which the day of a key ends. */
const endOf = (day: string): string => `${newestFirst(day)}}`;

function rowOf(product: Product) {
  const { tile, scene, fanOut, seenAt } = product;
  // What a look at the table wants to see stands beside the whole.
  return { partitionKey: tile, rowKey: scene, fanOut, seenAt, ...textProperties(JSON.stringify(product)) };
}

const productOf = (row: Readonly<Record<string, unknown>>): Product => JSON.parse(textOfProperties(row)) as Product;

/** Table `scenes`: PartitionKey is the tile, RowKey `<inverse day>|<datatake>|<start of the datastrip>`. */
export class TableSceneStore implements SceneStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async find({ tile, scene }: ProductKey): Promise<StoredProduct | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity(tile, scene));
    return row === undefined ? undefined : { product: productOf(row), etag: row.etag };
  }

  async listDays(tile: string, { from, to }: Period): Promise<readonly StoredProduct[]> {
    const days = odata`PartitionKey eq ${tile} and RowKey ge ${newestFirst(to)} and RowKey lt ${endOf(from)}`;
    const rows = await listRows<Record<string, unknown>>(this.#table, days);
    return rows.map((row) => ({ product: productOf(row), etag: row.etag }));
  }

  async put(product: Product, etag: string | undefined): Promise<boolean> {
    const row = rowOf(product);
    const answer =
      etag === undefined
        ? await unlessStatus([409], () => this.#table.createEntity(row))
        : await unlessStatus([404, 412], () => this.#table.updateEntity(row, 'Replace', { etag }));
    return answer !== undefined;
  }

  async removeBefore(tile: string, day: string): Promise<number> {
    const filter = odata`PartitionKey eq ${tile} and RowKey ge ${endOf(day)}`;
    return fromStorage(async () => {
      const old: string[] = [];
      const queryOptions = { filter, select: ['rowKey'] };
      for await (const { rowKey = '' } of this.#table.listEntities({ queryOptions })) old.push(rowKey);
      return deleteRows(this.#table, tile, old);
    });
  }
}
