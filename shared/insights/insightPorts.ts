import type { JobKey, JsonObject } from '../jobs/job.js';
import type { Insight, InsightFile } from './insight.js';

/** An insight as stored: whose job made it, and its record. */
export interface StoredInsight {
  readonly job: JobKey;
  readonly record: JsonObject;
}

/** Where insights are kept, by tenant and insight id. */
export interface InsightStore {
  /** Writes the whole insight; writing it again is harmless. */
  put(job: JobKey, insight: Insight): Promise<void>;
  find(tenant: string, insightId: string): Promise<StoredInsight | undefined>;
  findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined>;
  /** Removes the insight and its files; removing it twice is harmless. */
  remove(tenant: string, insightId: string): Promise<void>;
}
