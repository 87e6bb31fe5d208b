// Everything the storage of a service holds, read with the account's key past the fault proxy.
import { TableClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { QueueServiceClient } from '@azure/storage-queue';
import { readFileSync } from 'node:fs';

const TABLES = [
  'enrollments',
  'fields',
  'fieldDates',
  'customers',
  'limits',
  'tenants',
  'work',
  'interest',
  'scenes',
  'feed',
  'farmParties',
  'farmFarms',
  'farmFields',
  'farmInsights',
];
const JOB_QUEUES = { gdd: 'jobs-gdd', smartBoundary: 'jobs-boundary' };
const QUEUES = ['jobs-gdd', 'jobs-boundary', 'ingest', 'discovery', 'imagery-live', 'imagery-late'];

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.partitionKey, [...(groups.get(row.partitionKey) ?? []), row]);
  return groups;
}

export class StorageView {
  #tables;
  #blobs;
  #queues;

  // Clients are made once: each keeps connections of its own open, and an hour's jobs are read one by one.
  constructor({ settings: { DATA_STORAGE: connection }, caFile }) {
    const options = { tlsOptions: { ca: readFileSync(caFile, 'utf8') } };
    this.#tables = new Map(TABLES.map((name) => [name, TableClient.fromConnectionString(connection, name, options)]));
    this.#blobs = BlobServiceClient.fromConnectionString(connection, options);
    this.#queues = QueueServiceClient.fromConnectionString(connection, options);
  }

  queue(name) {
    return this.#queues.getQueueClient(name);
  }

  /** Sends the message of a job once more. */
  async sendJobAgain({ tenant, solution, jobId }) {
    const kind = solution.split('.')[1];
    const text = Buffer.from(JSON.stringify({ v: 1, kind, id: `${tenant}|${jobId}` })).toString('base64');
    await this.queue(JOB_QUEUES[kind]).sendMessage(text);
  }

  container(name) {
    return this.#blobs.getContainerClient(name);
  }

  /** All rows of a table. @param filter OData, all when left out @param select the columns, all when left out */
  async rows(name, filter, select) {
    const rows = [];
    const queryOptions = { ...(filter === undefined ? {} : { filter }), ...(select === undefined ? {} : { select }) };
    for await (const row of this.#tables.get(name).listEntities({ queryOptions })) rows.push(row);
    return rows;
  }

  /** The jobs as stored, each with the ETag of its row. */
  async jobs() {
    const rows = await this.rows('work', "RowKey ge 'JOB|' and RowKey lt 'JOB}'");
    return rows.map(({ job, etag }) => ({ ...JSON.parse(job), etag }));
  }

  /** The work items of a kind: what is still to be done. */
  async work(kind) {
    return this.rows('work', `RowKey ge 'W|${kind}|' and RowKey lt 'W|${kind}}'`);
  }

  /** All rows by table. */
  async tables() {
    return Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await this.rows(name)])));
  }

  /** Writes rows, whatever is there. */
  async write(name, rows) {
    for (const list of grouped(rows).values()) {
      for (let start = 0; start < list.length; start += 100) {
        const batch = list.slice(start, start + 100);
        await this.#tables.get(name).submitTransaction(batch.map((row) => ['upsert', row, 'Replace']));
      }
    }
  }

  /** Deletes all work of a kind. */
  async forgetWork(kind) {
    for (const { partitionKey, rowKey } of await this.work(kind)) {
      await this.#tables.get('work').deleteEntity(partitionKey, rowKey);
    }
  }

  /** Deletes every row of a partition. */
  async forget(name, partitionKey) {
    for (const { rowKey } of await this.rows(name, `PartitionKey eq '${partitionKey}'`)) {
      await this.#tables.get(name).deleteEntity(partitionKey, rowKey);
    }
  }

  /** Loses every row of every table and every message. @returns how many rows there were */
  async destroy() {
    let lost = 0;
    for (const [name, table] of this.#tables) {
      const rows = await this.rows(name);
      const byPartition = grouped(rows);
      for (const list of byPartition.values()) {
        for (let start = 0; start < list.length; start += 100) {
          const batch = list.slice(start, start + 100);
          await table.submitTransaction(batch.map(({ partitionKey, rowKey }) => ['delete', { partitionKey, rowKey }]));
        }
      }
      lost += rows.length;
    }
    for (const name of QUEUES) {
      await this.queue(name).clearMessages();
      await this.queue(`${name}-poison`).clearMessages();
    }
    return lost;
  }

  /** Names of all blobs of a container of the data account. */
  async blobNames(container) {
    const names = [];
    for await (const { name } of this.container(container).listBlobsFlat()) names.push(name);
    return names;
  }

  async blob(container, name) {
    return this.container(container).getBlobClient(name).downloadToBuffer();
  }

  /** How many messages can be taken now, by queue; a message that a killed host held is hidden for up to 10 minutes. */
  async visibleMessages(suffix = '') {
    const counts = {};
    for (const name of QUEUES) {
      const { peekedMessageItems } = await this.queue(`${name}${suffix}`).peekMessages({ numberOfMessages: 32 });
      counts[name] = peekedMessageItems.length;
    }
    return counts;
  }

  /** Texts of the messages that can be seen now in the queues and their poison queues. */
  async messageTexts() {
    const texts = [];
    for (const name of QUEUES.flatMap((queue) => [queue, `${queue}-poison`])) {
      const { peekedMessageItems } = await this.queue(name).peekMessages({ numberOfMessages: 32 });
      texts.push(...peekedMessageItems.map(({ messageText }) => Buffer.from(messageText, 'base64').toString('utf8')));
    }
    return texts;
  }
}
