import type { TableClient } from '@azure/data-tables';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import type { IndexProgress, IndexProgressStore } from './indexAll.js';

const KEY = { partitionKey: 'index', rowKey: 'progress' };

/** Table `feed`: PartitionKey `index`, RowKey `progress`. */
export class TableIndexProgressStore implements IndexProgressStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async findProgress(): Promise<IndexProgress | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<IndexProgress>(KEY.partitionKey, KEY.rowKey));
    if (row === undefined) return undefined;
    const { after, completedAt } = row;
    return { ...(after === undefined ? {} : { after }), ...(completedAt === undefined ? {} : { completedAt }) };
  }

  async putProgress(progress: IndexProgress): Promise<void> {
    await fromStorage(() => this.#table.upsertEntity({ ...KEY, ...progress }, 'Replace'));
  }
}
