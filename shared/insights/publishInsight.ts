import type { DataManager } from '../dataManager/dataManager.js';
import type { Job } from '../jobs/job.js';
import type { Insight } from './insight.js';
import type { InsightStore } from './insightPorts.js';
import { publicationOf } from './publicationOf.js';

export interface PublishInsight {
  /** Writes the insight where callers read it, then into the tenant's data manager. Repeating it is harmless. */
  publish(job: Job, insight: Insight, signal: AbortSignal): Promise<void>;
  /**
   * Takes back what `publish` has written, as far as it came, for a job that was cancelled or has failed.
   *
   * @param isWanted asked before each delete; once it says no, nothing more is deleted
   */
  withdraw(job: Job, insightId: string, isWanted: () => Promise<boolean>): Promise<void>;
}

export interface PublishInsightPorts {
  readonly insights: InsightStore;
  readonly dataManagerOf: (tenant: string) => DataManager;
}

/** Publication of a finished job's insight: our blob, then measurements, then attachments. */
export const publishInsight = ({ insights, dataManagerOf }: PublishInsightPorts): PublishInsight => ({
  publish: async (job, insight, signal) => {
    const { key, insight: write, attachments } = insight.publication;
    await insights.put(job, insight);
    const dataManager = dataManagerOf(job.tenant);
    await dataManager.putInsight(key, write, signal);
    for (const attachment of attachments) await dataManager.putInsightAttachment(key, attachment, signal);
  },
  withdraw: async ({ tenant }, insightId, isWanted) => {
    const stored = await insights.find(tenant, insightId);
    const publication = stored && publicationOf(stored.record);
    if (publication !== undefined) {
      const { key, attachments } = publication;
      const dataManager = dataManagerOf(tenant);
      for (const { id } of attachments) if (await isWanted()) await dataManager.removeInsightAttachment(key, id);
      if (await isWanted()) await dataManager.removeInsight(key);
    }
    // Our record is written first and removed last: as long as it is there, there may be something to take back.
    if (await isWanted()) await insights.remove(tenant, insightId);
  },
});
