import type { ContainerClient } from '@azure/storage-blob';
import { limiter } from '../kit/limiter.js';
import type { Rows } from './rows.js';
import { fromStorage } from './storageErrors.js';

/** One kind of thing that belongs to customers. */
export interface Belongings {
  /** For people, such as `images`. */
  readonly name: string;
  readonly count: (customer: string) => Promise<number>;
  /** Deletes all of them; can be repeated. @returns how many */
  readonly removeAll: (customer: string) => Promise<number>;
}

/** The rows of a customer's partition. @param partitionOf the name of that partition; the customer when absent */
export function rowBelongings(
  name: string,
  rows: Rows,
  partitionOf = (customer: string): string => customer,
): Belongings {
  const keysOf = async (customer: string): Promise<string[]> =>
    (await rows.range(partitionOf(customer), {}, { select: [] })).map(({ rowKey }) => rowKey);
  return {
    name,
    count: async (customer) => (await keysOf(customer)).length,
    removeAll: async (customer) => {
      const keys = await keysOf(customer);
      await rows.deleteMany(partitionOf(customer), keys);
      return keys.length;
    },
  };
}

/** Deletions under way at once. */
const PARALLEL = 16;

/** The blobs of a container in the folder of the customer. */
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
      const names = await namesOf(customer);
      const deleting = limiter(PARALLEL);
      const remove = (blob: string) => fromStorage(() => container.getBlobClient(blob).deleteIfExists());
      for (const level of deepestFirst(names)) {
        await Promise.all(level.map((blob) => deleting(() => remove(blob))));
      }
      return names.length;
    },
  };
}

/** With a hierarchical namespace folders are listed like files, and a folder must be empty to be deleted. */
function deepestFirst(names: readonly string[]): readonly (readonly string[])[] {
  const levels = new Map<number, string[]>();
  for (const blob of names) {
    const depth = blob.split('/').length;
    const level = levels.get(depth);
    if (level === undefined) levels.set(depth, [blob]);
    else level.push(blob);
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level);
}
