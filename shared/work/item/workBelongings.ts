import type { Belongings } from '../../storage/belongings.js';
import type { Rows } from '../../storage/rows.js';
import { workPartitions, workPrefix } from './workStore.js';

/** The work of one kind whose ids begin with the customer. */
export function workBelongings(name: string, rows: Rows, kind: string): Belongings {
  const keysOf = async (partition: string, customer: string): Promise<string[]> => {
    const found = await rows.range(partition, { prefix: workPrefix(kind, `${customer}|`) }, { select: [] });
    return found.map(({ rowKey }) => rowKey);
  };
  return {
    name,
    count: async (customer) =>
      (await Promise.all(workPartitions.map((partition) => keysOf(partition, customer)))).flat().length,
    removeAll: async (customer) => {
      let removed = 0;
      for (const partition of workPartitions) {
        const rowKeys = await keysOf(partition, customer);
        await rows.deleteMany(partition, rowKeys);
        removed += rowKeys.length;
      }
      return removed;
    },
  };
}
