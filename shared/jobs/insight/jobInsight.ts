import type { InsightAttachment, InsightKey, InsightWrite } from '../dataManager/dataManager.js';
import type { Job, JobKey } from '../job.js';
import type { JsonObject } from '../../kit/json/json.js';

/** A file stored beside the record, read at GET /v1/insights/{insightId} by content type. */
export interface InsightFile {
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** The result of a finished job, as it is stored and published. */
export interface Insight {
  readonly insightId: string;
  /** The JSON record; the first property is insightId. */
  readonly record: JsonObject;
  /** Representations that cannot be made from the record alone, such as a picture with pixels. */
  readonly files: readonly InsightFile[];
  readonly publication: Publication;
}

/** What the data manager gets of an insight; it follows from the record alone. */
export interface Publication {
  readonly key: InsightKey;
  readonly insight: InsightWrite;
  readonly attachments: readonly InsightAttachment[];
}

/** A stored insight: its job and its record. */
export interface StoredInsight {
  readonly job: JobKey;
  readonly record: JsonObject;
}

/** The stored insights, by tenant and insight id. */
export interface InsightStore {
  /**
   * Writes the whole insight; writing it again is harmless.
   *
   * @returns false when a later attempt, or the job's end, has written or buried the insight: this attempt has lost the job
   */
  put(job: JobKey & Pick<Job, 'epoch'>, insight: Insight): Promise<boolean>;
  find(tenant: string, insightId: string): Promise<StoredInsight | undefined>;
  findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined>;
  /**
   * Replaces the insight by tombstones, so that attempts of lower epochs cannot write it again; burying it twice is
   * harmless. Such an attempt may still write a file without a tombstone, but not the record, so nobody can read the file.
   */
  bury(tenant: string, insightId: string, epoch: number): Promise<void>;
  /** Removes the insight and its files with all traces; removing it twice is harmless. */
  remove(tenant: string, insightId: string): Promise<void>;
}
