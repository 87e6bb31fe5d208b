import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataManager } from '../../../shared/jobs/dataManager/dataManager.js';
import { BlobInsightStore } from '../../../shared/jobs/insight/blobInsightStore.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { publishInsight } from '../../../shared/jobs/insight/publishInsight.js';
import { publicationOf } from '../../../shared/wiring/areas/insightKinds.js';
import type { Publisher } from '../../../shared/jobs/steps/publishPort.js';
import type { JsonObject } from '../../../shared/kit/json/json.js';
import { AttemptLost } from '../../../shared/work/item/attempt.js';
import { aJob, fieldId, insightId, jobWorld } from '../../gdd/gddJobUnderTest.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import { openMeteoAnswers, plainWeather } from '../../gdd/weather/fakeProviders.js';

const TENANT = 'tenant-a';

/** An attempt that holds its job so many times, and then has lost it. */
const attemptThatHolds = (times: number, say: () => void = () => undefined): Publisher => {
  let held = 0;
  return {
    signal: new AbortController().signal,
    hold: () => {
      if ((held += 1) > times) return Promise.reject(new AttemptLost());
      say();
      return Promise.resolve();
    },
  };
};
const attempt = attemptThatHolds(Infinity);

describe('an insight that is published', () => {
  let insight: Insight;
  let attachmentId: string;
  let calls: string[];
  let blobs: MemoryBlobs;
  let insights: BlobInsightStore;
  let isAway: boolean;
  const called = (call: string): Promise<void> => {
    if (isAway) return Promise.reject(new Error('away'));
    calls.push(call);
    return Promise.resolve();
  };
  const dataManager: Partial<DataManager> = {
    putInsight: (key) => called(`put ${key.insightId} of ${key.resourceId}`),
    putInsightAttachment: (_key, { id }) => called(`attach ${id}`),
    removeInsight: (key) => called(`remove ${key.insightId} of ${key.resourceId}`),
    removeInsightAttachment: (_key, id) => called(`detach ${id}`),
  };
  const publication = () =>
    publishInsight({
      ...{ insights, publicationOf },
      dataManagerFor: () => Promise.resolve(dataManager as DataManager),
    });
  const publish = (epoch = 1) => publication().publish({ ...aJob(), epoch }, insight, attempt);
  const withdraw = (isWanted = () => true, epoch = 2) =>
    publication().withdraw({ ...aJob(), epoch }, insightId, () => Promise.resolve(isWanted()));
  const isThere = async () => (await insights.find(TENANT, insightId)) !== undefined;

  beforeAll(async () => {
    const world = jobWorld({ answer: (url, { clock }) => openMeteoAnswers({ clock, archive: plainWeather })(url) });
    insight = await world.insight({ gddStartDate: '2025-05-01', gddEndDate: '2025-05-31' });
    attachmentId = insight.publication.attachments[0]!.id;
  });
  beforeEach(() => {
    blobs = new MemoryBlobs();
    [calls, insights, isAway] = [[], new BlobInsightStore(blobs), false];
  });

  test('is stored with us before the data manager hears of it', async () => {
    isAway = true;
    await expect(publish()).rejects.toThrow('away');
    expect(await insights.find(TENANT, insightId)).toMatchObject({ record: { insightId } });
  });

  test('is written to the data manager with its attachments', async () => {
    await expect(publish()).resolves.toBe(true);
    expect(calls).toEqual([`put ${insightId} of ${fieldId}`, `attach ${attachmentId}`]);
  });

  describe('while its attempt holds the job', () => {
    const requests = (): readonly string[] => [`put ${insightId} of ${fieldId}`, `attach ${attachmentId}`];
    const kinds = {
      publish: (by: Publisher) => publication().publish({ ...aJob(), epoch: 1 }, insight, by),
      publishKept: async (by: Publisher) => {
        await insights.put({ ...aJob(), epoch: 1 }, insight);
        return publication().publishKept({ ...aJob(), epoch: 1 }, insightId, by);
      },
    };

    test.each(['publish', 'publishKept'] as const)(
      'is told request by request, each behind a look: %s',
      async (kind) => {
        await kinds[kind](attemptThatHolds(Infinity, () => calls.push('hold')));
        expect(calls).toEqual(requests().flatMap((request) => ['hold', request]));
      },
    );

    test.each([
      { kind: 'publish', holds: 0 },
      { kind: 'publish', holds: 1 },
      { kind: 'publishKept', holds: 0 },
      { kind: 'publishKept', holds: 1 },
    ] as const)('is told no further once the job is lost: $kind, after $holds requests', async ({ kind, holds }) => {
      await expect(kinds[kind](attemptThatHolds(holds))).rejects.toThrow(AttemptLost);
      expect(calls).toEqual(requests().slice(0, holds));
    });
  });

  test('that is kept with us is found, and told anew; one that is not is neither', async () => {
    const again = () => publication().publishKept(aJob(), insightId, attempt);
    expect(await publication().findKept(aJob(), insightId)).toBeUndefined();
    await expect(again()).resolves.toBe(false);
    expect(calls).toEqual([]);
    await publish();
    expect(await publication().findKept(aJob(), insightId)).toEqual(insight.record);
    calls.length = 0;
    await expect(again()).resolves.toBe(true);
    expect(calls).toEqual([`put ${insightId} of ${fieldId}`, `attach ${attachmentId}`]);
  });

  test('is withdrawn by its id alone, its attachment too and before it', async () => {
    await publish();
    await withdraw();
    expect(calls.slice(2)).toEqual([`detach ${attachmentId}`, `remove ${insightId} of ${fieldId}`]);
    expect(await insights.find(TENANT, insightId)).toBeUndefined();
  });

  test('is withdrawn by the trace of an attempt that told the data manager when our record was gone already', async () => {
    const traces: JsonObject[] = [];
    const telling: Publisher = { ...attempt, tells: (trace) => void traces.push(trace) };
    await publication().publish({ ...aJob(), epoch: 1 }, insight, telling);
    await withdraw();
    const before = calls.length;
    await withdraw();
    expect(calls).toHaveLength(before);
    // Kept as JSON with the work item meanwhile.
    const [trace] = JSON.parse(JSON.stringify(traces)) as [JsonObject];
    await publication().withdraw({ ...aJob(), epoch: 3 }, insightId, () => Promise.resolve(true), trace);
    expect(calls.slice(before)).toEqual([`detach ${attachmentId}`, `remove ${insightId} of ${fieldId}`]);
  });

  test('stays with us while the data manager cannot be told, so that the withdrawal can be repeated', async () => {
    await publish();
    isAway = true;
    await expect(withdraw()).rejects.toThrow('away');
    expect(await insights.find(TENANT, insightId)).toBeDefined();
    isAway = false;
    await withdraw();
    expect(calls.at(-1)).toBe(`remove ${insightId} of ${fieldId}`);
  });

  test.each([0, 1, 2])('is left as it is from the moment it is wanted again: after %i deletes', async (deletes) => {
    await publish();
    let asked = 0;
    await withdraw(() => (asked += 1) <= deletes);
    expect(calls.slice(2)).toEqual(
      [`detach ${attachmentId}`, `remove ${insightId} of ${fieldId}`].slice(0, Math.min(deletes, 2)),
    );
    expect(await insights.find(TENANT, insightId)).toBeDefined();
  });

  test('that never was is withdrawn without a word to the data manager', async () => {
    await withdraw();
    expect(calls).toEqual([]);
  });

  test.each([
    { what: 'before the attempt that stood still had written anything', isBegun: false },
    { what: 'after it had', isBegun: true },
  ])('and was taken back $what is not brought back by it, nor is the data manager told', async ({ isBegun }) => {
    if (isBegun) await publish(1);
    await withdraw(() => true, 2);
    calls.length = 0;
    await expect(publish(1)).resolves.toBe(false);
    expect(await isThere()).toBe(false);
    expect(calls).toEqual([]);
  });

  const TYPE = 'application/geo+json';
  const withFile = (text: string): Insight => ({ ...insight, files: [{ contentType: TYPE, data: Buffer.from(text) }] });
  const publishFile = (text: string, epoch: number) =>
    publication().publish({ ...aJob(), epoch }, withFile(text), attempt);
  const fileText = async () => (await insights.findFile(TENANT, insightId, TYPE))?.data.toString();

  test('of a job that was opened again takes the place of what was taken back, and a late withdrawal leaves it', async () => {
    await publishFile('first', 1);
    await withdraw(() => true, 2);
    expect(await fileText()).toBeUndefined();
    await publishFile('again', 3);
    await withdraw(() => true, 2);
    expect(await isThere()).toBe(true);
    expect(await fileText()).toBe('again');
  });

  test('by a later attempt is not overwritten by an earlier one, file by file', async () => {
    await publishFile('later', 2);
    await expect(publishFile('earlier', 1)).resolves.toBe(false);
    expect(await fileText()).toBe('later');
  });

  test('is taken back with us alone where the data manager does not let it go, and stays so', async () => {
    await publish(1);
    calls.length = 0;
    await publication().abandon({ ...aJob(), epoch: 2 }, insightId);
    expect(await isThere()).toBe(false);
    expect(calls).toEqual([]);
    await expect(publish(1)).resolves.toBe(false);
  });

  test('is gone with all traces when its job is deleted', async () => {
    await publish(1);
    await withdraw(() => true, 2);
    await insights.remove(TENANT, insightId);
    expect(await blobs.list('')).toEqual([]);
  });
});
