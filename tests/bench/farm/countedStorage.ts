import { TableClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { randomId } from '../../../shared/kit/ids.js';
import { AzureBlobs } from '../../../shared/storage/azure/azureBlobs.js';
import { AzureRows } from '../../../shared/storage/azure/azureRows.js';
import type { Blobs } from '../../../shared/storage/blobs.js';
import type { DataContainerName, TableName } from '../../../shared/storage/names.js';
import type { Rows } from '../../../shared/storage/rows.js';

/** Storage of the running service whose operations are counted. */
export interface CountedStorage {
  readonly rows: (table: TableName) => Rows;
  readonly blobs: (container: DataContainerName) => Blobs;
  /** Operations since the last time that this was asked. */
  readonly operations: () => number;
}

/** Each request to a table counts, and each call of a container. */
export function countedStorage(settings: Readonly<Record<string, string>>): CountedStorage {
  let count = 0;
  const counting = {
    name: 'count',
    sendRequest: async <Q, A>(request: Q, next: (request: Q) => Promise<A>): Promise<A> => {
      count += 1;
      return next(request);
    },
  };
  const connection = settings['DATA_STORAGE'] ?? '';
  const account = BlobServiceClient.fromConnectionString(connection);
  return {
    rows: (table) => {
      const additionalPolicies = [{ position: 'perRetry' as const, policy: counting }];
      return new AzureRows(TableClient.fromConnectionString(connection, table, { additionalPolicies }), randomId);
    },
    blobs: (container) =>
      new Proxy(new AzureBlobs(account.getContainerClient(container)), {
        get: (blobs, name) => {
          const method: unknown = Reflect.get(blobs, name, blobs);
          if (typeof method !== 'function') return method;
          return (...given: unknown[]) => {
            count += 1;
            return method.apply(blobs, given) as unknown;
          };
        },
      }),
    operations: () => {
      const counted = count;
      count = 0;
      return counted;
    },
  };
}
