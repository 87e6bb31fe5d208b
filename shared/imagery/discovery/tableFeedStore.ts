import type { Rows } from '../../storage/rows.js';
import type { FeedStore, StoredCursor } from './feedPorts.js';
import type { FeedCursor } from './feedWindow.js';

const CURSOR = 'cursor';

interface CursorRow {
  /** What a look at the table wants to see stands beside the whole. */
  readonly readTo: string;
  readonly json: string;
}

/** Table `feed`: PartitionKey is the catalogue, RowKey `cursor`. */
export class TableFeedStore implements FeedStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async findCursor(catalogue: string): Promise<StoredCursor | undefined> {
    const row = await this.#rows.find<CursorRow>(catalogue, CURSOR);
    return row === undefined ? undefined : { cursor: JSON.parse(row.json) as FeedCursor, etag: row.etag };
  }

  putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined> {
    const row: CursorRow = { readTo: cursor.readTo, json: JSON.stringify(cursor) };
    return etag === undefined
      ? this.#rows.insert(catalogue, CURSOR, row)
      : this.#rows.update(catalogue, CURSOR, row, etag);
  }
}
