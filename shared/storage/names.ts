/** Names of everything that infrastructure creates and code uses; infra/azure and infra/local create exactly these. */

export const tableNames = [
  'work',
  'enrollments',
  'fields',
  'fieldDates',
  'customers',
  'limits',
  'tenants',
  'interest',
  'scenes',
  'feed',
  'farmParties',
  'farmFarms',
  'farmFields',
  'farmInsights',
  'webhooks',
  'notices',
  'audit',
] as const;
export type TableName = (typeof tableNames)[number];

/** Each has a poison queue beside it, named by `poisonQueueOf`. */
export const queueNames = [
  'jobs-gdd',
  'jobs-boundary',
  'ingest',
  'discovery',
  'imagery-live',
  'imagery-late',
  'notices',
  'visits',
] as const;
export type QueueName = (typeof queueNames)[number];

/** Where the host puts a message that failed too often. */
export type PoisonQueueName = `${QueueName}-poison`;
export const poisonQueueOf = (queue: QueueName): PoisonQueueName => `${queue}-poison`;

/** Blob containers of the data account. */
export const dataContainerNames = ['enrollment-inputs', 'insights', 'weather-cache', 'farm-data'] as const;
export type DataContainerName = (typeof dataContainerNames)[number];

/** Blob container of the backup account, which lies in another region. */
export const backupContainerName = 'backups';
/** Another one of the backup account: who was purged and what was erased, kept for longer than any export. */
export const tombstoneContainerName = 'tombstones';

/** Blob container of the imagery account. */
export const imageryContainerName = 'imagery';

/** Below it lies all imagery of a customer: `{customer}/field-imagery/…`. */
export const IMAGERY_FOLDER = 'field-imagery';

/** Prefix of the connection settings of the data account: the triggers and the clients share it. */
export const dataConnection = 'DATA_STORAGE';
