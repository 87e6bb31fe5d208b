import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import type { Belongings } from '../../customers/purgeCustomer.js';
import { textOfProperties, textProperties } from '../../enrollments/rowText.js';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import { deleteRows, firstRows, listRows, type ReadRow } from '../../storage/tableRows.js';
import { pixelsOfBox, type GeoBox } from '../catalogue/footprint.js';
import type { Interest, InterestKey, InterestSummary } from './interest.js';
import type { InterestStore } from './interestPorts.js';

/** A row of 100 fields has some 25 KB; a transaction takes 4 MiB. */
const ROWS_PER_WRITE = 50;

/** Partition of the list of tiles; no tile has that name. */
const TILES = 'tiles';

const textOfCell = (cell: number): string => String(cell).padStart(2, '0');

/** No customer's name holds `|`. */
const rowKeyOf = ({ cell, customer, enrollmentId, part }: InterestKey): string =>
  [textOfCell(cell), customer, enrollmentId, String(part).padStart(2, '0')].join('|');

function keyOf(tile: string, rowKey: string): InterestKey {
  const [cell = '', customer = '', enrollmentId = '', part = ''] = rowKey.split('|');
  return { tile, cell: Number(cell), customer, enrollmentId, part: Number(part) };
}

function rowOf(interest: Interest) {
  const { tile, customer, firstDate, lastDate, bbox, fields } = interest;
  return {
    partitionKey: tile,
    rowKey: rowKeyOf(interest),
    customer,
    firstDate,
    lastDate,
    bbox: JSON.stringify(bbox),
    fields: fields.length,
    pixels: fields.reduce((sum, field) => sum + pixelsOfBox(field.bbox), 0),
    ...textProperties(JSON.stringify(interest)),
  };
}

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type SummaryRow = {
  readonly lastDate: string;
  readonly firstDate?: string;
  readonly bbox?: string;
  readonly fields?: number;
  readonly pixels?: number;
};
const SUMMARY = ['partitionKey', 'rowKey', 'firstDate', 'lastDate', 'bbox', 'fields', 'pixels'];

/** Entries of before say nothing beside their text: they may lie anywhere in their tile. */
function summaryOf({ rowKey, lastDate, ...row }: ReadRow<SummaryRow>): InterestSummary {
  const { firstDate = '', bbox = '[-180,-90,180,90]', fields = 100, pixels = 0 } = row;
  const { cell } = keyOf('', rowKey);
  return { key: rowKey, cell, firstDate, lastDate, bbox: JSON.parse(bbox) as GeoBox, fields, pixels };
}

const interestOf = (row: Readonly<Record<string, unknown>>): Interest => JSON.parse(textOfProperties(row)) as Interest;

/** The keys by tile: a transaction has one partition. */
function byTile<T extends { readonly tile: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const tiles = new Set(all.map(({ tile }) => tile));
  return new Map([...tiles].map((tile) => [tile, all.filter((entry) => entry.tile === tile)]));
}

/** Table `interest`: PartitionKey is the tile, RowKey `<cell>|<customer>|<enrollment>|<part>`; `tiles` lists the tiles. */
export class TableInterestStore implements InterestStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async write(interests: readonly Interest[]): Promise<void> {
    for (const [tile, ofTile] of byTile(interests)) {
      for (let start = 0; start < ofTile.length; start += ROWS_PER_WRITE) {
        const batch = ofTile.slice(start, start + ROWS_PER_WRITE);
        const actions = batch.map((interest): TransactionAction => ['upsert', rowOf(interest), 'Replace']);
        await fromStorage(() => this.#table.submitTransaction(actions));
      }
      // After its entries: whoever finds the tile empty finds its row changed when an entry has come since.
      await fromStorage(() => this.#table.upsertEntity({ partitionKey: TILES, rowKey: tile }, 'Replace'));
    }
  }

  async remove(keys: readonly InterestKey[]): Promise<void> {
    for (const [tile, ofTile] of byTile(keys)) await deleteRows(this.#table, tile, ofTile.map(rowKeyOf));
  }

  async find(key: InterestKey): Promise<Interest | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity(key.tile, rowKeyOf(key)));
    return row === undefined ? undefined : interestOf(row);
  }

  async listTile(tile: string): Promise<readonly Interest[]> {
    return (await listRows<object>(this.#table, odata`PartitionKey eq ${tile}`)).map(interestOf);
  }

  async summarizeTile(tile: string): Promise<readonly InterestSummary[]> {
    return (await listRows<SummaryRow>(this.#table, odata`PartitionKey eq ${tile}`, SUMMARY)).map(summaryOf);
  }

  async listRange(
    tile: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<readonly Interest[]> {
    const range = odata`PartitionKey eq ${tile} and RowKey ge ${from} and RowKey le ${to}`;
    return (await listRows<object>(this.#table, range)).map(interestOf);
  }

  listCustomer({ tile, cell }: Pick<Interest, 'tile' | 'cell'>, customer: string): Promise<readonly Interest[]> {
    const prefix = `${textOfCell(cell)}|${customer}`;
    // `}` is the character behind `|`.
    return this.listRange(tile, { from: `${prefix}|`, to: `${prefix}}` });
  }

  async listTiles(): Promise<readonly string[]> {
    return (await listRows<object>(this.#table, odata`PartitionKey eq ${TILES}`)).map(({ rowKey }) => rowKey);
  }

  async dropEmptyTile(tile: string): Promise<boolean> {
    const listed = await unlessStatus([404], () => this.#table.getEntity(TILES, tile));
    if (listed === undefined) return false;
    if ((await firstRows<object>(this.#table, odata`PartitionKey eq ${tile}`, 1)).length > 0) return false;
    const { etag } = listed;
    const gone = await unlessStatus([404, 412], () => this.#table.deleteEntity(TILES, tile, { etag }));
    return gone !== undefined;
  }

  listEnded(before: string): Promise<readonly InterestKey[]> {
    return keysOf(this.#table, odata`lastDate lt ${before}`);
  }
}

/** The keys of the rows of all tiles that a filter holds for. */
async function keysOf(table: TableClient, filter: string): Promise<InterestKey[]> {
  return fromStorage(async () => {
    const keys: InterestKey[] = [];
    const queryOptions = { filter, select: ['partitionKey', 'rowKey'] };
    for await (const { partitionKey = '', rowKey = '' } of table.listEntities({ queryOptions })) {
      keys.push(keyOf(partitionKey, rowKey));
    }
    return keys;
  });
}

/** The entries of a customer, for its purge: they lie in the partitions of tiles, so all are looked through. */
export function interestBelongings(name: string, table: TableClient): Belongings {
  const store = new TableInterestStore(table);
  const own = (customer: string): Promise<InterestKey[]> => keysOf(table, odata`customer eq ${customer}`);
  return {
    name,
    count: async (customer) => (await own(customer)).length,
    removeAll: async (customer) => {
      const keys = await own(customer);
      await store.remove(keys);
      return keys.length;
    },
  };
}
