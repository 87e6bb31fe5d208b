import { odata, type TableClient } from '@azure/data-tables';
import type { Clock } from '../clock.js';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import { listRows, type ReadRow } from '../storage/tableRows.js';
import { INGEST_SLOTS, type IngestSlots } from './ingestSlots.js';

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type SlotRow = {
  readonly owner: string;
  /** ISO instant. */
  readonly until: string;
};

/**
 * Rows of table `limits`: PartitionKey `ingest_<tenant>`, RowKey 0 to 4. A row is taken by its creation or, when it
 * has run out, by a write that names the row as it was read: of many who try one wins.
 */
export class TableIngestSlotStore implements IngestSlots {
  readonly #table: TableClient;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(table: TableClient, clock: Pick<Clock, 'now'>) {
    this.#table = table;
    this.#clock = clock;
  }

  async take(tenant: string, owner: string, until: number): Promise<boolean> {
    const rows = new Map((await this.#rows(tenant)).map((row) => [row.rowKey, row]));
    const entity = (rowKey: string) => ({ ...keyOf(tenant, rowKey), owner, until: new Date(until).toISOString() });
    for (const rowKey of this.#inOrder(rows, owner)) {
      const row = rows.get(rowKey);
      const isMine =
        row === undefined
          ? await unlessStatus([409], () => this.#table.createEntity(entity(rowKey)))
          : await unlessStatus([404, 412], () =>
              this.#table.updateEntity(entity(rowKey), 'Replace', { etag: row.etag }),
            );
      if (isMine !== undefined) return true;
    }
    return false;
  }

  async release(tenant: string, owner: string): Promise<void> {
    for (const { rowKey, etag, owner: holder } of await this.#rows(tenant)) {
      if (holder !== owner) continue;
      const { partitionKey } = keyOf(tenant, rowKey);
      await unlessStatus([404, 412], () => this.#table.deleteEntity(partitionKey, rowKey, { etag }));
    }
  }

  /** The rows worth a try: the owner's own alone when it has one, else those that are free. */
  #inOrder(rows: ReadonlyMap<string, ReadRow<SlotRow>>, owner: string): readonly string[] {
    const keys = Array.from({ length: INGEST_SLOTS }, (_, index) => String(index));
    const own = keys.filter((key) => rows.get(key)?.owner === owner);
    if (own.length > 0) return own.slice(0, 1);
    const now = this.#clock.now().toISOString();
    return keys.filter((key) => (rows.get(key)?.until ?? '') <= now);
  }

  #rows(tenant: string): Promise<ReadRow<SlotRow>[]> {
    const { partitionKey } = keyOf(tenant, '');
    return fromStorage(() => listRows<SlotRow>(this.#table, odata`PartitionKey eq ${partitionKey}`));
  }
}

const keyOf = (tenant: string, rowKey: string) => ({ partitionKey: `ingest_${tenant}`, rowKey });
