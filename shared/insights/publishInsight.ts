import type { DataManager } from '../dataManager/dataManager.js';
import type { TenantDataManager } from '../dataManager/tenantDataManager.js';
import { AttemptLost } from '../jobs/attempt.js';
import type { Job, JsonObject } from '../jobs/job.js';
import type { Insight, Publication } from './insight.js';
import type { InsightStore } from './insightPorts.js';
import { publicationOf } from './publicationOf.js';

export interface PublishInsight {
  /**
   * Writes the insight where callers read it, then into the tenant's data manager. Repeating it is harmless.
   *
   * @throws AttemptLost when a later claim of the job, or its end, has written before
   */
  publish(job: Job, insight: Insight, signal: AbortSignal): Promise<void>;
  /** The record of the insight that is kept with us. */
  findKept(job: Job, insightId: string): Promise<JsonObject | undefined>;
  /**
   * Publishes an insight that is kept with us already, as `publish` does.
   *
   * @returns false when there is none
   */
  publishKept(job: Job, insightId: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Takes back what `publish` has written, as far as it came, for a job that was cancelled or has failed.
   *
   * @param isWanted asked before each delete; once it says no, nothing more is deleted
   */
  withdraw(job: Job, insightId: string, isWanted: () => Promise<boolean>): Promise<void>;
  /** Takes back what is kept with us of an insight that the data manager does not let go. */
  abandon(job: Job, insightId: string): Promise<void>;
}

export interface PublishInsightPorts {
  readonly insights: InsightStore;
  readonly dataManagerFor: (tenant: string) => Promise<Pick<TenantDataManager, 'dataManager'>>;
}

/** Publication of a finished job's insight: our blob, then measurements, then attachments. */
export const publishInsight = ({ insights, dataManagerFor }: PublishInsightPorts): PublishInsight => ({
  publish: async (job, insight, signal) => {
    if (!(await insights.put(job, insight))) throw new AttemptLost();
    await tell((await dataManagerFor(job.tenant)).dataManager, insight.publication, signal);
  },
  findKept: async ({ tenant }, insightId) => (await insights.find(tenant, insightId))?.record,
  publishKept: async ({ tenant }, insightId, signal) => {
    const stored = await insights.find(tenant, insightId);
    const publication = stored && publicationOf(stored.record);
    if (publication === undefined) return false;
    await tell((await dataManagerFor(tenant)).dataManager, publication, signal);
    return true;
  },
  withdraw: async ({ tenant, epoch }, insightId, isWanted) => {
    const stored = await insights.find(tenant, insightId);
    const publication = stored && publicationOf(stored.record);
    if (publication !== undefined) {
      const { key, attachments } = publication;
      const { dataManager } = await dataManagerFor(tenant);
      for (const { id } of attachments) if (await isWanted()) await dataManager.removeInsightAttachment(key, id);
      if (await isWanted()) await dataManager.removeInsight(key);
    }
    // Our record is written first and taken back last: as long as it is there, there may be something to take back.
    if (await isWanted()) await insights.bury(tenant, insightId, epoch);
  },
  abandon: ({ tenant, epoch }, insightId) => insights.bury(tenant, insightId, epoch),
});

async function tell(
  dataManager: DataManager,
  { key, insight, attachments }: Publication,
  signal: AbortSignal,
): Promise<void> {
  await dataManager.putInsight(key, insight, signal);
  for (const attachment of attachments) await dataManager.putInsightAttachment(key, attachment, signal);
}
