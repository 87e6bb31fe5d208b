import type { Row } from './rows.js';

/** Rows by their partition, in the order of their first. */
export function byPartition<T>(rows: readonly Row<T>[]): ReadonlyMap<string, readonly Row<T>[]> {
  const groups = new Map<string, Row<T>[]>();
  for (const row of rows) {
    const group = groups.get(row.partitionKey);
    if (group === undefined) groups.set(row.partitionKey, [row]);
    else group.push(row);
  }
  return groups;
}
