import { TableServiceClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { QueueServiceClient } from '@azure/storage-queue';
import {
  backupContainerName,
  dataContainerNames,
  imageryContainerName,
  poisonQueueOf,
  queueNames,
  tableNames,
  tombstoneContainerName,
} from '../../../shared/storage/names.js';

/** Creates what infra/azure creates on Azure: tables, queues with their poison queues, and containers. */
export async function provision(connections: Readonly<Record<'data' | 'imagery' | 'backups', string>>): Promise<void> {
  const tables = TableServiceClient.fromConnectionString(connections.data);
  const queues = QueueServiceClient.fromConnectionString(connections.data);
  const blobs = BlobServiceClient.fromConnectionString(connections.data);
  const imagery = BlobServiceClient.fromConnectionString(connections.imagery);
  const backups = BlobServiceClient.fromConnectionString(connections.backups);
  await Promise.all([
    ...tableNames.map((name) => tables.createTable(name)),
    ...queueNames
      .flatMap((name) => [name, poisonQueueOf(name)])
      .map((name) => queues.getQueueClient(name).createIfNotExists()),
    ...dataContainerNames.map((name) => blobs.getContainerClient(name).createIfNotExists()),
    imagery.getContainerClient(imageryContainerName).createIfNotExists(),
    ...[backupContainerName, tombstoneContainerName].map((name) =>
      backups.getContainerClient(name).createIfNotExists(),
    ),
  ]);
}
