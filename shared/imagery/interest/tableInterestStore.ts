import type { Belongings } from '../../storage/belongings.js';
import { transactionsOf } from '../../storage/rowFormat.js';
import type { Action, Condition, Row, Rows, Span } from '../../storage/rows.js';
import { addDays } from '../../kit/validation/calendar.js';
import { pixelsOfBox, type GeoBox } from '../../scenes/place/footprint.js';
import type { Interest, InterestKey, InterestSummary } from './interest.js';

/** The partition that lists the tiles; no tile has this name. */
const TILE_LIST = 'tiles';

const textOfCell = (cell: number): string => String(cell).padStart(2, '0');

/** Names of customers have no `|`. */
const rowKeyOf = ({ cell, customer, enrollmentId, part }: InterestKey): string =>
  [textOfCell(cell), customer, enrollmentId, String(part).padStart(2, '0')].join('|');

function keyOf(tile: string, rowKey: string): InterestKey {
  const [cell = '', customer = '', enrollmentId = '', part = ''] = rowKey.split('|');
  return { tile, cell: Number(cell), customer, enrollmentId, part: Number(part) };
}

/** An entry, with its summary in columns of their own: a tile is summed up without reading its fields. */
interface InterestRow extends Pick<Interest, 'customer' | 'firstDate' | 'lastDate'> {
  readonly bbox: string;
  readonly fields: number;
  readonly pixels: number;
  readonly json: string;
}
const SUMMARY = ['firstDate', 'lastDate', 'bbox', 'fields', 'pixels'];

function rowOf(interest: Interest): InterestRow {
  const { customer, firstDate, lastDate, bbox, fields } = interest;
  return {
    customer,
    firstDate,
    lastDate,
    bbox: JSON.stringify(bbox),
    fields: fields.length,
    pixels: fields.reduce((sum, field) => sum + pixelsOfBox(field.bbox), 0),
    json: JSON.stringify(interest),
  };
}

function summaryOf({ rowKey, firstDate, lastDate, bbox, fields, pixels }: Row<InterestRow>): InterestSummary {
  const { cell } = keyOf('', rowKey);
  return { key: rowKey, cell, firstDate, lastDate, bbox: JSON.parse(bbox) as GeoBox, fields, pixels };
}

const interestOf = ({ json }: InterestRow): Interest => JSON.parse(json) as Interest;

/** Groups by tile: a transaction stays in one partition. */
function byTile<T extends { readonly tile: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const tiles = new Set(all.map(({ tile }) => tile));
  return new Map([...tiles].map((tile) => [tile, all.filter((entry) => entry.tile === tile)]));
}

/**
 * Who wants images of which place: the entries of all customers. Table `interest`: PartitionKey is the tile, RowKey
 * `<cell>|<customer>|<enrollment>|<part>`; partition `tiles` lists the tiles.
 */
export class TableInterestStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Replaces what is stored under the same keys. */
  async write(interests: readonly Interest[]): Promise<void> {
    for (const [tile, ofTile] of byTile(interests)) {
      const puts = ofTile.map((interest): Action => ({ put: rowKeyOf(interest), value: rowOf(interest) }));
      for (const some of transactionsOf(puts)) await this.#rows.transact(tile, some);
      // After the entries: `dropEmptyTile` then finds a new ETag when an entry came after its look.
      await this.#rows.put(TILE_LIST, tile, {});
    }
  }

  /** Removing twice is harmless. */
  async remove(keys: readonly InterestKey[]): Promise<void> {
    for (const [tile, ofTile] of byTile(keys)) await this.#rows.deleteMany(tile, ofTile.map(rowKeyOf));
  }

  async find(key: InterestKey): Promise<Interest | undefined> {
    const row = await this.#rows.find<InterestRow>(key.tile, rowKeyOf(key));
    return row === undefined ? undefined : interestOf(row);
  }

  /** The entries of a tile, by cell. @param range keys of `summarizeTile`, both inclusive; all entries when absent */
  listTile(tile: string, range?: { readonly from: string; readonly to: string }): Promise<readonly Interest[]> {
    return this.#list(tile, range === undefined ? {} : { from: range.from, through: range.to });
  }

  /** Summaries of the entries of a tile, in the order of their keys. */
  async summarizeTile(tile: string): Promise<readonly InterestSummary[]> {
    return (await this.#rows.range<InterestRow>(tile, {}, { select: SUMMARY })).map(summaryOf);
  }

  /** The entries of one customer in a cell. */
  listCustomer({ tile, cell }: Pick<Interest, 'tile' | 'cell'>, customer: string): Promise<readonly Interest[]> {
    return this.#list(tile, { prefix: `${textOfCell(cell)}|${customer}|` });
  }

  /** The tiles of which anybody may want images, in order. */
  async listTiles(): Promise<readonly string[]> {
    return (await this.#rows.range(TILE_LIST)).map(({ rowKey }) => rowKey);
  }

  /** Takes a tile without entries out of that list. @returns whether the tile is not in the list now */
  async dropEmptyTile(tile: string): Promise<boolean> {
    const listed = await this.#rows.find(TILE_LIST, tile);
    if (listed === undefined) return true;
    if ((await this.#rows.range(tile, {}, { most: 1, select: [] })).length > 0) return false;
    return this.#rows.delete(TILE_LIST, tile, listed.etag);
  }

  /** Keys of the entries, of all tiles, whose last day is before this day. */
  listEnded(before: string): Promise<readonly InterestKey[]> {
    return keysOf(this.#rows, { column: 'lastDate', atMost: addDays(before, -1) });
  }

  async #list(tile: string, span: Span): Promise<readonly Interest[]> {
    return (await this.#rows.range<InterestRow>(tile, span)).map(interestOf);
  }
}

/** Keys of the entries, of all tiles, that meet a condition. */
async function keysOf(rows: Rows, where: Condition): Promise<InterestKey[]> {
  const keys: InterestKey[] = [];
  for await (const page of rows.scan({}, { where, select: [] })) {
    for (const { partitionKey, rowKey } of page) keys.push(keyOf(partitionKey, rowKey));
  }
  return keys;
}

/** The entries of a customer, for the purge of that customer. They lie in all partitions, so each is searched. */
export function interestBelongings(name: string, rows: Rows): Belongings {
  const store = new TableInterestStore(rows);
  const own = (customer: string): Promise<InterestKey[]> => keysOf(rows, { column: 'customer', equals: customer });
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
