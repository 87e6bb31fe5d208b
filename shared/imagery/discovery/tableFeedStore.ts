import type { Rows } from '../../storage/rows.js';
import type { FeedStore, StoredCursor } from './feedPorts.js';
import type { FeedCursor } from './feedWindow.js';

const CURSOR = 'cursor';

/** Table `feed`: PartitionKey is the catalogue, RowKey `cursor`. */
export class TableFeedStore implements FeedStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async findCursor(catalogue: string): Promise<StoredCursor | undefined> {
    const row = await this.#rows.find<FeedCursor>(catalogue, CURSOR);
    if (row === undefined) return undefined;
    const { readTo, lastChangeAt, isSilent, etag } = row;
    return { cursor: { readTo, lastChangeAt, ...(isSilent === undefined ? {} : { isSilent }) }, etag };
  }

  putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined> {
    return etag === undefined
      ? this.#rows.insert(catalogue, CURSOR, cursor)
      : this.#rows.update(catalogue, CURSOR, cursor, etag);
  }
}
