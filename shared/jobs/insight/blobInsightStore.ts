import type { Job, JobKey } from '../job.js';
import type { Blobs } from '../../storage/blobs.js';
import { bury, readLiving, writeFenced } from '../../storage/fencedBlobs.js';
import type { Insight, InsightFile, InsightStore, StoredInsight } from './jobInsight.js';

/** Blobs `{tenant}/{insightId}/record.json` and one per further representation, named by its content type. */
export class BlobInsightStore implements InsightStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async put(
    { tenant, solution, jobId, epoch }: JobKey & Pick<Job, 'epoch'>,
    { insightId, record, files }: Insight,
  ): Promise<boolean> {
    for (const { contentType, data } of files) {
      const name = fileName(tenant, insightId, contentType);
      if (!(await writeFenced(this.#blobs, name, data, { type: contentType, epoch }))) return false;
    }
    const stored: StoredInsight = { job: { tenant, solution, jobId }, record };
    const bytes = Buffer.from(JSON.stringify(stored));
    return writeFenced(this.#blobs, recordName(tenant, insightId), bytes, { type: 'application/json', epoch });
  }

  async find(tenant: string, insightId: string): Promise<StoredInsight | undefined> {
    const blob = await readLiving(this.#blobs, recordName(tenant, insightId));
    return blob && (JSON.parse(blob.bytes.toString('utf8')) as StoredInsight);
  }

  async findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined> {
    const blob = await readLiving(this.#blobs, fileName(tenant, insightId, contentType));
    return blob && { contentType, data: blob.bytes };
  }

  /** The record is buried last: while it exists, there may be files to bury. */
  async bury(tenant: string, insightId: string, epoch: number): Promise<void> {
    const record = recordName(tenant, insightId);
    const files = (await this.#blobs.list(`${tenant}/${insightId}/`)).filter(({ name }) => name !== record);
    for (const { name } of files) await bury(this.#blobs, name, epoch);
    await bury(this.#blobs, record, epoch);
  }

  async remove(tenant: string, insightId: string): Promise<void> {
    for (const { name } of await this.#blobs.list(`${tenant}/${insightId}/`)) await this.#blobs.delete(name);
  }
}

const recordName = (tenant: string, insightId: string): string => `${tenant}/${insightId}/record.json`;

function fileName(tenant: string, insightId: string, contentType: string): string {
  return `${tenant}/${insightId}/${contentType.replaceAll(/[^a-z0-9]+/g, '-')}`;
}
