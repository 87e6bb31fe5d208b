import type { TableClient, TransactionAction } from '@azure/data-tables';
import { fromStorage, unlessStatus } from './storageErrors.js';

/** A row as read: the keys, the mark of this reading and its properties. */
export type ReadRow<T extends object> = T & { readonly rowKey: string; readonly etag: string };

/** Most operations of one transaction on the platform. */
export const TRANSACTION_LIMIT = 100;

/**
 * All rows of a filter; read before use, so that a caller may change what it walks over.
 *
 * @param select properties to read, the keys among them; all when absent
 */
export async function listRows<T extends object>(
  table: TableClient,
  filter: string,
  select?: string[],
): Promise<ReadRow<T>[]> {
  const queryOptions = { filter, ...(select === undefined ? {} : { select }) };
  return fromStorage(async () => {
    const rows: ReadRow<T>[] = [];
    for await (const row of table.listEntities<T>({ queryOptions })) {
      rows.push({ ...row, rowKey: row.rowKey ?? '', etag: row.etag });
    }
    return rows;
  });
}

/** At most `count` rows of a filter, in the order of their keys: one query, as long as the platform fills its pages. */
export async function firstRows<T extends object>(
  table: TableClient,
  filter: string,
  count: number,
): Promise<ReadRow<T>[]> {
  return fromStorage(async () => {
    const rows: ReadRow<T>[] = [];
    // The platform may answer an empty page that has a successor.
    const pages = table.listEntities<T>({ queryOptions: { filter } }).byPage({ maxPageSize: count });
    for await (const page of pages) {
      for (const row of page) rows.push({ ...row, rowKey: row.rowKey ?? '', etag: row.etag });
      if (rows.length >= count) break;
    }
    return rows.slice(0, count);
  });
}

/** Deletes rows of one partition, as many in one transaction as the platform takes. @returns how many were asked for */
export async function deleteRows(
  table: TableClient,
  partitionKey: string,
  rowKeys: readonly string[],
): Promise<number> {
  for (let start = 0; start < rowKeys.length; start += TRANSACTION_LIMIT) {
    const batch = rowKeys.slice(start, start + TRANSACTION_LIMIT);
    const actions = batch.map((rowKey): TransactionAction => ['delete', { partitionKey, rowKey }]);
    const answer = await unlessStatus([404], () => table.submitTransaction(actions));
    if (answer !== undefined) continue;
    // One row that is gone already makes the platform refuse them all.
    for (const rowKey of batch) await unlessStatus([404], () => table.deleteEntity(partitionKey, rowKey));
  }
  return rowKeys.length;
}
