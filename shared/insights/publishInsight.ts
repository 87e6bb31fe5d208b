import type { DataManager } from '../dataManager/dataManager.js';
import type { Job } from '../jobs/job.js';
import type { Insight } from './insight.js';
import type { InsightStore } from './insightPorts.js';

export interface PublishInsight {
  /** Writes the insight where callers read it, then into the tenant's data manager. Repeating it is harmless. */
  publish(job: Job, insight: Insight, signal: AbortSignal): Promise<void>;
  /** Takes back what `publish` has written, as far as it came, for a job that was cancelled or has failed. */
  withdraw(job: Job, insightId: string): Promise<void>;
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
  withdraw: async ({ tenant }, insightId) => {
    const stored = await insights.find(tenant, insightId);
    if (stored === undefined) return;
    // Our blob is written first and removed last: as long as it is there, there may be something to take back.
    if (stored.publishedAs !== undefined) await dataManagerOf(tenant).withdrawInsight(stored.publishedAs);
    await insights.remove(tenant, insightId);
  },
});
