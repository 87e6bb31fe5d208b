import type { Job, JobKey } from '../jobs/job.js';
import type { JsonObject } from '../json.js';
import type { Insight, InsightFile } from './insight.js';

/** An insight as stored: whose job made it, and its record. */
export interface StoredInsight {
  readonly job: JobKey;
  readonly record: JsonObject;
}

/** Where insights are kept, by tenant and insight id. */
export interface InsightStore {
  /**
   * Writes the whole insight; writing it again is harmless.
   *
   * @returns false when a later claim of the job, or its end, has written or buried it: then the attempt has lost the job
   */
  put(job: JobKey & Pick<Job, 'epoch'>, insight: Insight): Promise<boolean>;
  find(tenant: string, insightId: string): Promise<StoredInsight | undefined>;
  findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined>;
  /**
   * Takes the insight away and keeps attempts of lower epochs from writing it again; twice is harmless. A file of a
   * representation that was not there yet may still come, but no record that would show it.
   */
  bury(tenant: string, insightId: string, epoch: number): Promise<void>;
  /** Removes the insight and its files with all traces; removing it twice is harmless. */
  remove(tenant: string, insightId: string): Promise<void>;
}
