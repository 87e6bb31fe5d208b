import type { ContainerClient } from '@azure/storage-blob';
import { readBlob } from '../storage/readBlob.js';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import type { JobKey } from '../jobs/job.js';
import type { Insight, InsightFile } from './insight.js';
import type { InsightStore, StoredInsight } from './insightPorts.js';

/** Blobs `{tenant}/{insightId}/record.json` and one per further representation, named by its content type. */
export class BlobInsightStore implements InsightStore {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async put({ tenant, solution, jobId }: JobKey, { insightId, record, files }: Insight): Promise<void> {
    for (const { contentType, data } of files) {
      await this.#write(fileName(tenant, insightId, contentType), data, contentType);
    }
    const stored: StoredInsight = { job: { tenant, solution, jobId }, record };
    await this.#write(recordName(tenant, insightId), Buffer.from(JSON.stringify(stored)), 'application/json');
  }

  async find(tenant: string, insightId: string): Promise<StoredInsight | undefined> {
    const data = await this.#read(recordName(tenant, insightId));
    return data === undefined ? undefined : (JSON.parse(data.toString('utf8')) as StoredInsight);
  }

  async findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined> {
    const data = await this.#read(fileName(tenant, insightId, contentType));
    return data === undefined ? undefined : { contentType, data };
  }

  async remove(tenant: string, insightId: string): Promise<void> {
    await fromStorage(async () => {
      for await (const { name } of this.#container.listBlobsFlat({ prefix: `${tenant}/${insightId}/` })) {
        await this.#container.getBlobClient(name).deleteIfExists();
      }
    });
  }

  async #write(name: string, data: Uint8Array, blobContentType: string): Promise<void> {
    const blob = this.#container.getBlockBlobClient(name);
    await fromStorage(() => blob.uploadData(data, { blobHTTPHeaders: { blobContentType } }));
  }

  async #read(name: string): Promise<Buffer | undefined> {
    const blob = this.#container.getBlockBlobClient(name);
    return unlessStatus([404], () => readBlob(blob));
  }
}

const recordName = (tenant: string, insightId: string): string => `${tenant}/${insightId}/record.json`;

function fileName(tenant: string, insightId: string, contentType: string): string {
  return `${tenant}/${insightId}/${contentType.replaceAll(/[^a-z0-9]+/g, '-')}`;
}
