import type { TableClient } from '@azure/data-tables';
import { unlessStatus } from '../../storage/storageErrors.js';
import type { FeedStore, StoredCursor } from './feedPorts.js';
import type { FeedCursor } from './feedWindow.js';

const CURSOR = 'cursor';

/** Table `feed`: PartitionKey is the catalogue, RowKey `cursor`. */
export class TableFeedStore implements FeedStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async findCursor(catalogue: string): Promise<StoredCursor | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<FeedCursor>(catalogue, CURSOR));
    if (row === undefined) return undefined;
    const { readTo, lastChangeAt, isSilent, etag } = row;
    return { cursor: { readTo, lastChangeAt, ...(isSilent === undefined ? {} : { isSilent }) }, etag };
  }

  async putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined> {
    const row = { partitionKey: catalogue, rowKey: CURSOR, ...cursor };
    const answer =
      etag === undefined
        ? await unlessStatus([409], () => this.#table.createEntity(row))
        : await unlessStatus([404, 412], () => this.#table.updateEntity(row, 'Replace', { etag }));
    return answer?.etag;
  }
}
