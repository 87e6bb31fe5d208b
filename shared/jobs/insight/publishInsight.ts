import type { DataManager, InsightKey } from '../dataManager/dataManager.js';
import type { PublishInsight, Publisher } from '../steps/publishPort.js';
import type { JsonObject } from '../../kit/json/json.js';
import type { Insight, InsightStore, Publication } from './jobInsight.js';

/** The ports of `publishInsight`. */
export interface PublishInsightPorts {
  readonly insights: InsightStore;
  readonly dataManagerFor: (tenant: string) => Promise<DataManager>;
  /** What the data manager got of one of our records; undefined for a record of another kind. */
  readonly publicationOf: (record: JsonObject) => Publication | undefined;
}

/** Publishes the insight of a finished job: first the blobs, then the measurements, then the attachments. */
export const publishInsight = ({ insights, dataManagerFor, publicationOf }: PublishInsightPorts): PublishInsight => ({
  publish: async (job, insight: Insight, attempt) => {
    if (!(await insights.put(job, insight))) return false;
    await tell(await dataManagerFor(job.tenant), fenced(insight.publication, job.epoch), attempt);
    return true;
  },
  findKept: async ({ tenant }, insightId) => (await insights.find(tenant, insightId))?.record,
  publishKept: async ({ tenant, epoch }, insightId, attempt) => {
    const stored = await insights.find(tenant, insightId);
    const publication = stored && publicationOf(stored.record);
    if (publication === undefined) return false;
    await tell(await dataManagerFor(tenant), fenced(publication, epoch), attempt);
    return true;
  },
  withdraw: async ({ tenant, epoch }, insightId, isWanted, remembered) => {
    const stored = await insights.find(tenant, insightId);
    const publication = stored && publicationOf(stored.record);
    const told = publication === undefined ? remembered : traceOf(publication);
    if (told !== undefined) {
      const { attachments, ...trace } = told as unknown as Trace;
      const key = { ...trace.key, epoch };
      const dataManager = await dataManagerFor(tenant);
      for (const id of attachments) if (await isWanted()) await dataManager.removeInsightAttachment(key, id);
      if (await isWanted()) await dataManager.removeInsight(key);
    }
    // The record is written first and buried last: while it exists, the data manager may have something to remove.
    if (await isWanted()) await insights.bury(tenant, insightId, epoch);
  },
  abandon: ({ tenant, epoch }, insightId) => insights.bury(tenant, insightId, epoch),
});

/** What is published, with the fencing token of the attempt that publishes. */
const fenced = ({ key, ...publication }: Publication, epoch: number): Publication => ({
  ...publication,
  key: { ...key, epoch },
});

/** What can be removed from the data manager. */
interface Trace {
  readonly key: InsightKey;
  /** Ids. */
  readonly attachments: readonly string[];
}

const traceOf = ({ key, attachments }: Publication): JsonObject => ({
  key: { ...key },
  attachments: attachments.map(({ id }) => id),
});

async function tell(dataManager: DataManager, publication: Publication, attempt: Publisher): Promise<void> {
  const { key, insight, attachments } = publication;
  await attempt.hold();
  attempt.tells?.(traceOf(publication));
  await dataManager.putInsight(key, insight, attempt.signal);
  for (const attachment of attachments) {
    await attempt.hold();
    await dataManager.putInsightAttachment(key, attachment, attempt.signal);
  }
}
