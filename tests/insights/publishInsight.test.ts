import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DataManager, InsightKey } from '../../shared/dataManager/dataManager.js';
import type { Insight } from '../../shared/insights/insight.js';
import { publishInsight } from '../../shared/insights/publishInsight.js';
import type { Job } from '../../shared/jobs/job.js';
import { MemoryInsightStore } from '../support/memoryInsightStore.js';

const ID = '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77';
const key: InsightKey = { partyId: 'p', modelId: 'm', resourceType: 'Field', resourceId: 'f', insightId: ID };
const insight: Insight = {
  insightId: ID,
  record: { insightId: ID },
  files: [],
  publication: {
    key,
    insight: { modelVersion: '1', from: new Date(0), to: new Date(0), measurements: {} },
    attachments: [{ id: 'a', name: 'a.json', contentType: 'application/json', data: new Uint8Array([1]) }],
  },
};
const job: Job = {
  tenant: 'tenant-a',
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn',
  e2eId: 'e',
  status: 'RUNNING',
  parameters: {},
  createdAt: 0,
  lastActionAt: 0,
  attempt: 1,
};

describe('an insight that is published', () => {
  let calls: string[];
  let insights: MemoryInsightStore;
  let isAway: boolean;
  const called = (call: string): Promise<void> => {
    if (isAway) return Promise.reject(new Error('away'));
    calls.push(call);
    return Promise.resolve();
  };
  const dataManager: Pick<DataManager, 'putInsight' | 'putInsightAttachment' | 'withdrawInsight'> = {
    putInsight: ({ insightId }) => called(`insight ${insightId}`),
    putInsightAttachment: (_key, { id }) => called(`attachment ${id}`),
    withdrawInsight: ({ insightId, resourceId }) => called(`withdraw ${insightId} of ${resourceId}`),
  };
  const publication = () => publishInsight({ insights, dataManagerOf: () => dataManager as DataManager });

  beforeEach(() => {
    [calls, insights, isAway] = [[], new MemoryInsightStore(), false];
  });

  test('is stored with us before the data manager hears of it', async () => {
    isAway = true;
    await expect(publication().publish(job, insight, new AbortController().signal)).rejects.toThrow('away');
    expect(await insights.find('tenant-a', ID)).toMatchObject({ record: { insightId: ID }, publishedAs: key });
  });

  test('is written to the data manager with its attachments', async () => {
    await publication().publish(job, insight, new AbortController().signal);
    expect(calls).toEqual([`insight ${ID}`, 'attachment a']);
  });

  test('is withdrawn by whoever knows its id alone', async () => {
    await publication().publish(job, insight, new AbortController().signal);
    await publication().withdraw(job, ID);
    expect(calls.at(-1)).toBe(`withdraw ${ID} of f`);
    expect(await insights.find('tenant-a', ID)).toBeUndefined();
  });

  test('stays with us while the data manager cannot be told, so that the withdrawal can be repeated', async () => {
    await publication().publish(job, insight, new AbortController().signal);
    isAway = true;
    await expect(publication().withdraw(job, ID)).rejects.toThrow('away');
    expect(await insights.find('tenant-a', ID)).toBeDefined();
    isAway = false;
    await publication().withdraw(job, ID);
    expect(calls.at(-1)).toBe(`withdraw ${ID} of f`);
  });

  test('that never was is withdrawn without a word to the data manager', async () => {
    await publication().withdraw(job, ID);
    expect(calls).toEqual([]);
  });
});
