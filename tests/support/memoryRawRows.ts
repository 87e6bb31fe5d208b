import type { RawRow, RawRows } from '../../shared/storage/azure/rawRows.js';
import type { MemoryRows } from './memoryRows.js';

/** A table in memory as exports and restores see it. */
export function memoryRawRows(rows: MemoryRows): RawRows {
  const raw: Pick<RawRows, keyof RawRows> = {
    async *all() {
      for (const { etag: _etag, ...row } of rows.all<RawRow>()) yield await Promise.resolve(row as unknown as RawRow);
    },
    isEmpty: () => Promise.resolve(rows.all().length === 0),
    put: async (all) => {
      for (const { partitionKey, rowKey, ...columns } of all) await rows.put(partitionKey, rowKey, columns);
    },
  };
  return raw as RawRows;
}
