import { TableClient } from '@azure/data-tables';
import type { TokenCredential } from '@azure/identity';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { QueueServiceClient, type QueueClient } from '@azure/storage-queue';
import type { Config } from '../settings/config.js';
import { randomId } from '../../kit/ids.js';
import { AzureBlobs } from '../../storage/azure/azureBlobs.js';
import { AzureMessages } from '../../storage/azure/azureMessages.js';
import { AzureRows } from '../../storage/azure/azureRows.js';
import type { Blobs } from '../../storage/blobs.js';
import { workLimits, type TimeLimits } from '../../storage/timeLimits.js';
import {
  backupContainerName,
  imageryContainerName,
  tombstoneContainerName,
  type DataContainerName,
  type TableName,
} from '../../storage/names.js';
import type { Messages } from '../../storage/messages.js';
import type { Rows } from '../../storage/rows.js';

/** Clients of the data account by what they are for. */
export interface DataStorage {
  readonly table: (name: TableName) => TableClient;
  readonly rows: (name: TableName) => Rows;
  readonly queue: (name: string) => QueueClient;
  readonly messages: (name: string) => Messages;
  readonly container: (name: DataContainerName) => ContainerClient;
  readonly blobs: (name: DataContainerName) => Blobs;
}

type StorageConfig = Pick<
  Config,
  'DATA_STORAGE__tableServiceUri' | 'DATA_STORAGE__queueServiceUri' | 'DATA_STORAGE__blobServiceUri'
>;

/** Clients of the data account, with how long their calls may take. */
export function dataStorage(config: StorageConfig, credential: TokenCredential, limits: TimeLimits): DataStorage {
  const { tryMs, tries } = limits;
  const retryOptions = { maxTries: tries, tryTimeoutInMs: tryMs, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 };
  const queues = new QueueServiceClient(config.DATA_STORAGE__queueServiceUri, credential, { retryOptions });
  const account = new BlobServiceClient(config.DATA_STORAGE__blobServiceUri, credential, { retryOptions });
  const table = (name: TableName): TableClient =>
    new TableClient(config.DATA_STORAGE__tableServiceUri, name, credential, {
      retryOptions: { maxRetries: tries - 1, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
      additionalPolicies: [
        {
          position: 'perRetry',
          policy: {
            name: 'tryTimeout',
            sendRequest: (request, next) => {
              request.timeout = tryMs;
              return next(request);
            },
          },
        },
      ],
    });
  return {
    table,
    rows: (name) => new AzureRows(table(name), randomId),
    queue: (name) => queues.getQueueClient(name),
    messages: (name) => new AzureMessages(queues.getQueueClient(name)),
    container: (name) => account.getContainerClient(name),
    blobs: (name) => new AzureBlobs(account.getContainerClient(name)),
  };
}

/** A container of which large files are written and read; these take their time. */
function containerForWork(blobServiceUri: string, name: string, credential: TokenCredential): ContainerClient {
  const { tryMs, tries } = workLimits;
  const account = new BlobServiceClient(blobServiceUri, credential, {
    retryOptions: { maxTries: tries, tryTimeoutInMs: tryMs, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  });
  return account.getContainerClient(name);
}

/** The container of images. */
export const imageryStorage = (
  { IMAGERY_STORAGE__blobServiceUri }: Pick<Config, 'IMAGERY_STORAGE__blobServiceUri'>,
  credential: TokenCredential,
): Blobs => new AzureBlobs(containerForWork(IMAGERY_STORAGE__blobServiceUri, imageryContainerName, credential));

/** The container of exports. */
export const backupStorage = (
  { BACKUP_STORAGE__blobServiceUri }: Pick<Config, 'BACKUP_STORAGE__blobServiceUri'>,
  credential: TokenCredential,
): ContainerClient => containerForWork(BACKUP_STORAGE__blobServiceUri, backupContainerName, credential);

/** The container of tombstones, beside the exports. */
export const tombstoneStorage = (
  { BACKUP_STORAGE__blobServiceUri }: Pick<Config, 'BACKUP_STORAGE__blobServiceUri'>,
  credential: TokenCredential,
): Blobs => new AzureBlobs(containerForWork(BACKUP_STORAGE__blobServiceUri, tombstoneContainerName, credential));

/** How storage is reached. */
export const azureStorage = {
  data: dataStorage,
  imagery: imageryStorage,
  backups: backupStorage,
  tombstones: tombstoneStorage,
};
