import type { JobKey } from '../jobs/job.js';
import type { Blobs } from '../storage/blobs.js';
import type { Insight, InsightFile } from './insight.js';
import type { InsightStore, StoredInsight } from './insightPorts.js';

/** Blobs `{tenant}/{insightId}/record.json` and one per further representation, named by its content type. */
export class BlobInsightStore implements InsightStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async put({ tenant, solution, jobId }: JobKey, { insightId, record, files }: Insight): Promise<void> {
    for (const { contentType, data } of files) {
      await this.#blobs.write(fileName(tenant, insightId, contentType), data, { type: contentType });
    }
    const stored: StoredInsight = { job: { tenant, solution, jobId }, record };
    const bytes = Buffer.from(JSON.stringify(stored));
    await this.#blobs.write(recordName(tenant, insightId), bytes, { type: 'application/json' });
  }

  async find(tenant: string, insightId: string): Promise<StoredInsight | undefined> {
    const blob = await this.#blobs.read(recordName(tenant, insightId));
    return blob && (JSON.parse(blob.bytes.toString('utf8')) as StoredInsight);
  }

  async findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined> {
    const blob = await this.#blobs.read(fileName(tenant, insightId, contentType));
    return blob && { contentType, data: blob.bytes };
  }

  async remove(tenant: string, insightId: string): Promise<void> {
    for (const { name } of await this.#blobs.list(`${tenant}/${insightId}/`)) await this.#blobs.delete(name);
  }
}

const recordName = (tenant: string, insightId: string): string => `${tenant}/${insightId}/record.json`;

function fileName(tenant: string, insightId: string, contentType: string): string {
  return `${tenant}/${insightId}/${contentType.replaceAll(/[^a-z0-9]+/g, '-')}`;
}
