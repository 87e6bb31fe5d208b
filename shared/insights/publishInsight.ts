import type { DataManager } from '../dataManager/dataManager.js';
import type { TenantDataManager } from '../dataManager/tenantDataManager.js';
import type { Job } from '../jobs/job.js';
import type { JsonObject } from '../json.js';
import type { Insight, Publication } from './insight.js';
import type { InsightStore } from './insightPorts.js';
import { publicationOf } from './publicationOf.js';

/** The attempt that publishes. */
export interface Publisher {
  readonly signal: AbortSignal;
  /** Makes sure that the job is still the attempt's: the data manager knows no fencing token. */
  hold(): Promise<void>;
}

export interface PublishInsight {
  /**
   * Writes the insight where callers read it, then into the tenant's data manager. Repeating it is harmless.
   *
   * @returns false when a later claim of the job, or its end, has written before: nothing was published then
   */
  publish(job: Job, insight: Insight, attempt: Publisher): Promise<boolean>;
  /** The record of the insight that is kept with us. */
  findKept(job: Job, insightId: string): Promise<JsonObject | undefined>;
  /**
   * Publishes an insight that is kept with us already, as `publish` does.
   *
   * @returns false when there is none
   */
  publishKept(job: Job, insightId: string, attempt: Publisher): Promise<boolean>;
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
  publish: async (job, insight, attempt) => {
    if (!(await insights.put(job, insight))) return false;
    await tell((await dataManagerFor(job.tenant)).dataManager, insight.publication, attempt);
    return true;
  },
  findKept: async ({ tenant }, insightId) => (await insights.find(tenant, insightId))?.record,
  publishKept: async ({ tenant }, insightId, attempt) => {
    const stored = await insights.find(tenant, insightId);
    const publication = stored && publicationOf(stored.record);
    if (publication === undefined) return false;
    await tell((await dataManagerFor(tenant)).dataManager, publication, attempt);
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
  attempt: Publisher,
): Promise<void> {
  await attempt.hold();
  await dataManager.putInsight(key, insight, attempt.signal);
  for (const attachment of attachments) {
    await attempt.hold();
    await dataManager.putInsightAttachment(key, attachment, attempt.signal);
  }
}
