import type { TableClient } from '@azure/data-tables';
import { fromStorage } from '../storageErrors.js';

/** A row with its types unconverted, so that a number comes back as the same kind of number. */
export type RawRow = Readonly<Record<string, unknown>> & { readonly partitionKey: string; readonly rowKey: string };

/** Of what the service gives back, not what was stored. */
const NOT_STORED = new Set(['etag', 'timestamp', 'odata.metadata', 'odata.etag']);

/**
 * One table as exports and restores see it: rows as they are stored, whatever they mean. Each method throws
 * `ServiceError` 503 when storage can't be reached.
 */
export class RawRows {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  /** Every row, in the order of the keys; rows that are written meanwhile may be among them. */
  async *all(): AsyncGenerator<RawRow> {
    const rows = this.#table.listEntities({ disableTypeConversion: true });
    for (;;) {
      const next = await fromStorage(() => rows.next());
      if (next.done === true) return;
      yield Object.fromEntries(Object.entries(next.value).filter(([name]) => !NOT_STORED.has(name))) as RawRow;
    }
  }

  async isEmpty(): Promise<boolean> {
    const pages = this.#table.listEntities({ queryOptions: { select: ['rowKey'] } }).byPage({ maxPageSize: 1 });
    for (;;) {
      const next = await fromStorage(() => pages.next());
      if (next.done === true) return true;
      // The platform may answer an empty page that has a successor.
      if ((next.value as readonly unknown[]).length > 0) return false;
    }
  }

  /** Writes rows of one partition, whatever is there: at most 100 and 4 MiB, in one transaction. */
  async put(rows: readonly RawRow[]): Promise<void> {
    await fromStorage(() => this.#table.submitTransaction(rows.map((row) => ['upsert', { ...row }, 'Replace'])));
  }
}
