import type { JobKey } from '../../shared/jobs/job.js';
import type { Insight, InsightFile } from '../../shared/insights/insight.js';
import type { InsightStore, StoredInsight } from '../../shared/insights/insightPorts.js';

/** Insights in memory. */
export class MemoryInsightStore implements InsightStore {
  readonly #insights = new Map<string, { readonly stored: StoredInsight; readonly files: readonly InsightFile[] }>();

  put({ tenant, solution, jobId }: JobKey, { insightId, record, files }: Insight): Promise<void> {
    const stored = { job: { tenant, solution, jobId }, record };
    this.#insights.set(`${tenant}/${insightId}`, { stored, files });
    return Promise.resolve();
  }

  find(tenant: string, insightId: string): Promise<StoredInsight | undefined> {
    return Promise.resolve(this.#insights.get(`${tenant}/${insightId}`)?.stored);
  }

  findFile(tenant: string, insightId: string, contentType: string): Promise<InsightFile | undefined> {
    const files = this.#insights.get(`${tenant}/${insightId}`)?.files ?? [];
    return Promise.resolve(files.find((file) => file.contentType === contentType));
  }

  remove(tenant: string, insightId: string): Promise<void> {
    this.#insights.delete(`${tenant}/${insightId}`);
    return Promise.resolve();
  }
}
