import type { Rows } from '../../storage/rows.js';
import type { FeedCursor } from './feedWindow.js';

/** A cursor as read; each write changes `etag`. */
export interface StoredCursor {
  readonly cursor: FeedCursor;
  readonly etag: string;
}

const CURSOR = 'cursor';

/** Column `readTo` is for whoever looks at the table by hand. */
interface CursorRow {
  readonly readTo: string;
  readonly json: string;
}

/** How far each catalogue is read, table `feed`: PartitionKey is the catalogue, RowKey `cursor`. */
export class TableFeedStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async findCursor(catalogue: string): Promise<StoredCursor | undefined> {
    const row = await this.#rows.find<CursorRow>(catalogue, CURSOR);
    return row === undefined ? undefined : { cursor: JSON.parse(row.json) as FeedCursor, etag: row.etag };
  }

  /**
   * @param etag of the cursor that was read; undefined when there was none
   * @returns the new etag; undefined when another writer was first
   */
  putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined> {
    const row: CursorRow = { readTo: cursor.readTo, json: JSON.stringify(cursor) };
    return etag === undefined
      ? this.#rows.insert(catalogue, CURSOR, row)
      : this.#rows.update(catalogue, CURSOR, row, etag);
  }
}
