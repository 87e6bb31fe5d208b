import { TableClient, TableServiceClient, type TableServiceClientOptions } from '@azure/data-tables';
import { BlobServiceClient, newPipeline, StorageSharedKeyCredential, type ContainerClient } from '@azure/storage-blob';
import { QueueServiceClient, newPipeline as newQueuePipeline, type QueueClient } from '@azure/storage-queue';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAzuriteUnderTest, trusting, type AzuriteUnderTest } from '../../local/azuriteUnderTest.js';
import { bundled } from '../../local/bundled.js';

/** Storage operations by kind. */
export interface Operations {
  readonly tableReads: number;
  readonly tableWrites: number;
  readonly blobReads: number;
  readonly blobWrites: number;
}
type Kind = keyof Operations;

const none = (): Record<Kind, number> => ({ tableReads: 0, tableWrites: 0, blobReads: 0, blobWrites: 0 });
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
const ACCOUNT = 'fielddata';
/** As in the settings of the emulator under test. */
const KEY = Buffer.alloc(64, 7).toString('base64');

/** The storage emulator of the local environment; every request to it is counted, a transaction as one. */
export class CountedStorage {
  /** Requests of all kinds since the beginning, those to queues among them. */
  requests = 0;
  readonly #azurite: AzuriteUnderTest;
  readonly #directory: string;
  readonly #blobs: BlobServiceClient;
  readonly #queues: QueueServiceClient;
  #counted = none();

  private constructor(azurite: AzuriteUnderTest, directory: string) {
    this.#azurite = azurite;
    this.#directory = directory;
    const credential = new StorageSharedKeyCredential(ACCOUNT, KEY);
    const pipeline = newPipeline(credential, trusting(azurite.ca));
    pipeline.factories.push({
      create: (next) => ({
        sendRequest: (request) => {
          this.#count(isRead(request.method) ? 'blobReads' : 'blobWrites');
          return next.sendRequest(request);
        },
      }),
    });
    const queuePipeline = newQueuePipeline(credential, trusting(azurite.ca));
    queuePipeline.factories.push({
      create: (next) => ({
        sendRequest: (request) => {
          this.requests += 1;
          return next.sendRequest(request);
        },
      }),
    });
    this.#queues = new QueueServiceClient(`${azurite.urls.queue}/${ACCOUNT}`, queuePipeline);
    this.#blobs = new BlobServiceClient(`${azurite.urls.blob}/${ACCOUNT}`, pipeline);
  }

  static async start(): Promise<CountedStorage> {
    const directory = mkdtempSync(join(tmpdir(), 'operations-'));
    const azurite = await startAzuriteUnderTest(await bundled('azuriteProcess'), { directory, inMemory: true });
    return new CountedStorage(azurite, directory);
  }

  async stop(): Promise<void> {
    await this.#azurite.stop();
    rmSync(this.#directory, { recursive: true });
  }

  /** A new table. */
  async table(name: string): Promise<TableClient> {
    const connection = this.#azurite.connectionString(ACCOUNT);
    const options: TableServiceClientOptions = {
      tlsOptions: { ca: this.#azurite.ca },
      additionalPolicies: [
        {
          position: 'perRetry',
          policy: {
            name: 'count',
            sendRequest: (request, next) => {
              this.#count(isRead(request.method) ? 'tableReads' : 'tableWrites');
              return next(request);
            },
          },
        },
      ],
    };
    await TableServiceClient.fromConnectionString(connection, options).createTable(name);
    return TableClient.fromConnectionString(connection, name, options);
  }

  /** A new container. */
  async container(name: string): Promise<ContainerClient> {
    const container = this.#blobs.getContainerClient(name);
    await container.createIfNotExists();
    return container;
  }

  /** A new queue. */
  async queue(name: string): Promise<QueueClient> {
    const queue = this.#queues.getQueueClient(name);
    await queue.create();
    return queue;
  }

  /** What a piece of work asks of tables and blobs. */
  async costOf(work: () => Promise<unknown>): Promise<Operations> {
    this.#counted = none();
    await work();
    return { ...this.#counted };
  }

  #count(kind: Kind): void {
    this.#counted[kind] += 1;
    this.requests += 1;
  }
}
