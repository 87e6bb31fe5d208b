import { odata, type TableClient } from '@azure/data-tables';
import type { ContainerClient } from '@azure/storage-blob';
import { fromStorage } from '../storage/storageErrors.js';
import { deleteRows, listRows } from '../storage/tableRows.js';
import type { Belongings } from './purgeCustomer.js';

/** The rows of a table whose partition is the customer. */
export function tableBelongings(name: string, table: TableClient): Belongings {
  const keysOf = async (customer: string): Promise<string[]> => {
    const rows = await listRows<object>(table, odata`PartitionKey eq ${customer}`);
    return rows.map(({ rowKey }) => rowKey);
  };
  return {
    name,
    count: async (customer) => (await keysOf(customer)).length,
    removeAll: async (customer) => deleteRows(table, customer, await keysOf(customer)),
  };
}

/** The blobs of a container below a folder named after the customer. */
export function blobBelongings(name: string, container: ContainerClient): Belongings {
  const namesOf = (customer: string): Promise<string[]> =>
    fromStorage(async () => {
      const names: string[] = [];
      for await (const blob of container.listBlobsFlat({ prefix: `${customer}/` })) names.push(blob.name);
      return names;
    });
  return {
    name,
    count: async (customer) => (await namesOf(customer)).length,
    removeAll: async (customer) => {
      // From the last name to the first: with a hierarchical namespace a folder must be empty, and it precedes its files.
      const names = (await namesOf(customer)).toReversed();
      for (const blob of names) await fromStorage(() => container.getBlobClient(blob).deleteIfExists());
      return names.length;
    },
  };
}
