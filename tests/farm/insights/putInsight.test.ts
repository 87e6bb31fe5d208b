import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FarmInsightRecord, InsightOwner } from '../../../shared/farm/insights/farmInsight.js';
import { FarmInsightStore } from '../../../shared/farm/insights/insightStore.js';
import { InsightWriter, type InsightContent } from '../../../shared/farm/insights/putInsight.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { by, landInMemory, landKey, partyKey, TENANT } from '../landInMemory.js';

const owner: InsightOwner = {
  ...{ tenant: TENANT, partyId: 'party', modelId: 'gdd', resourceType: 'Field', resourceId: 'field' },
};
const content = (gdd: number): InsightContent => ({
  modelVersion: '1',
  from: 0,
  to: 1,
  measurements: { gdd: { value: gdd } },
});
const attempt = (epoch: number) => ({ by: 'gdd', epoch });
const file = (text: string) => ({
  ...{ insightId: 'insight', originalFileName: 'gdd.json', contentType: 'application/json' },
  bytes: Buffer.from(text),
});

let world: ReturnType<typeof landInMemory>;
let writer: InsightWriter;
/** Keys of the rows that were looked for. */
let looks: string[];
beforeEach(async () => {
  world = landInMemory();
  const put = putLand(world.ports);
  await put(partyKey(), { body: {}, by });
  await put(landKey('field', 'field'), { body: {}, by });
  looks = [];
  writer = aWriter(world.insights);
});

function aWriter(insights: FarmInsightStore): InsightWriter {
  const { land, ports } = world;
  const watched: Pick<typeof land, 'find'> = {
    find: (key) => {
      looks.push(`${key.kind} ${key.id}`);
      return land.find(key);
    },
  };
  const { clock, newId } = ports;
  return new InsightWriter({ land: watched, insights, clock, newId, insightsPerDay: 3 });
}

const put = (epoch: number, gdd: number) => writer.put(owner, 'insight', attempt(epoch), () => content(gdd));
const putFile = (epoch: number, text: string) => writer.putFile(owner, 'file', attempt(epoch), file(text));
const stored = async () => (await world.insights.find('insight', owner, 'insight'))!;
const gdd = async () => (await stored()).part.measurements['gdd']?.value;
const textOf = async () => {
  const { part, epoch } = (await world.insights.find('attachment', owner, 'file'))!;
  return { bytes: part.bytes, text: (await world.insights.readFile(owner, 'file', epoch))?.toString() };
};
const blobs = async () => (await world.blobs.list('')).length;
const overtaken = { fault: { status: 503 }, message: expect.stringMatching(/later attempt/) as unknown };

describe('an insight that an attempt at a job writes', () => {
  test('is there with its owner, author and times', async () => {
    await put(1, 5);
    const at = world.time.now;
    expect((await stored()).part).toEqual({
      ...{ partyId: 'party', modelId: 'gdd', resourceType: 'Field', resourceId: 'field', id: 'insight' },
      ...{ ...content(5), eTag: expect.any(String) },
      ...{ createdAt: at, createdBy: 'gdd', modifiedAt: at, modifiedBy: 'gdd' },
    });
  });

  test('is made from what is there, and keeps when it was created', async () => {
    await put(1, 5);
    world.time.now += 60_000;
    const seen: (FarmInsightRecord | undefined)[] = [];
    await writer.put(owner, 'insight', attempt(1), (before) => {
      seen.push(before);
      return content(6);
    });
    expect(seen.at(-1)).toMatchObject({ measurements: { gdd: { value: 5 } } });
    const { part } = await stored();
    expect(part.modifiedAt - part.createdAt).toBe(60_000);
    expect(part.measurements).toEqual({ gdd: { value: 6 } });
  });

  test('may be written again by the same attempt and by a later one', async () => {
    for (const epoch of [1, 1, 2]) await put(epoch, epoch);
    expect(await gdd()).toBe(2);
    expect((await stored()).epoch).toBe(2);
  });

  test('is not overwritten by an earlier attempt that comes late', async () => {
    await put(2, 2);
    await expect(put(1, 1)).rejects.toMatchObject(overtaken);
    expect(await gdd()).toBe(2);
  });

  test('of two attempts at the same time is that of the later one', async () => {
    const ends = await Promise.allSettled([put(1, 1), put(2, 2), put(1, 1), put(2, 2)]);
    expect(ends.map(({ status }) => status).filter((status) => status === 'fulfilled').length).toBeGreaterThan(1);
    expect(await gdd()).toBe(2);
  });

  test('is refused where what it speaks of is gone, or is being deleted', async () => {
    const key = landKey('field', 'field');
    await world.land.mark(key, (await world.land.find(key))!.etag);
    await expect(put(1, 5)).rejects.toMatchObject({ fault: { status: 404 } });
    await world.land.remove(key, (await world.land.find(key))!.etag);
    await expect(put(1, 5)).rejects.toMatchObject({ fault: { status: 404 } });
    await expect(putFile(1, 'a')).rejects.toMatchObject({ fault: { status: 404 } });
    expect([await blobs(), world.rows('farmInsights').all()]).toEqual([0, []]);
  });

  test('and its file look once for what they speak of when they are written together, else anew', async () => {
    await put(1, 5);
    await putFile(1, 'a');
    expect(looks).toEqual(['field field']);
    world.time.now += 4_000;
    await putFile(1, 'a');
    expect(looks).toEqual(['field field', 'field field']);
  });

  test('is given up when others write it all the time', async () => {
    const { insights } = world;
    const busy = Object.assign(Object.create(insights) as FarmInsightStore, {
      find: insights.find.bind(insights),
      write: () => Promise.resolve('refused' as const),
    });
    writer = aWriter(busy);
    await expect(put(1, 5)).rejects.toMatchObject(overtaken);
  });
});

describe('the new insights of a field on a day', () => {
  const add = (id: string, of = owner) => writer.put(of, id, attempt(1), () => content(1));
  const full = {
    fault: { code: 'QuotaExceeded', status: 403 },
    message: 'The field field has 3 new insights of today (UTC), as many as a day may bring.',
  };

  test('are no more than the quota, whatever model has them, and the next day brings as many', async () => {
    for (const id of ['a', 'b']) await add(id);
    await add('c', { ...owner, modelId: 'boundary' });
    await expect(add('d')).rejects.toMatchObject(full);
    expect(await world.insights.find('insight', owner, 'd')).toBeUndefined();
    world.time.now += 14 * 3_600_000;
    for (const id of ['d', 'e', 'f']) await add(id);
    await expect(add('g')).rejects.toMatchObject(full);
  });

  test('count for each field by itself', async () => {
    await putLand(world.ports)(landKey('field', 'field2'), { body: {}, by });
    for (const id of ['a', 'b', 'c']) await add(id);
    await expect(add('d', { ...owner, resourceId: 'field2' })).resolves.toBeUndefined();
  });

  test('may be changed, withdrawn and given files when there may be no more', async () => {
    for (const id of ['a', 'b', 'insight']) await add(id);
    await put(2, 7);
    await putFile(2, 'one');
    expect([await gdd(), (await textOf()).text]).toEqual([7, 'one']);
    await writer.withdraw('insight', owner, 'insight', attempt(3));
    await put(4, 8);
    expect(await gdd()).toBe(8);
    await expect(add('d')).rejects.toMatchObject(full);
  });

  test('are no more than the quota when they come at the same time', async () => {
    const ends = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((id) => add(id)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(world.rows('farmInsights').all()).toHaveLength(4);
  });

  test('are counted in a row that goes with the insights', async () => {
    await add('a');
    expect(await world.insights.removeSome(owner, owner)).toEqual({ insights: 1, attachments: 0, days: 1 });
    expect(world.rows('farmInsights').all()).toEqual([]);
  });
});

describe('an insight that was withdrawn', () => {
  const withdraw = (epoch: number) => writer.withdraw('insight', owner, 'insight', attempt(epoch));

  test('shows nothing of what it was', async () => {
    await put(1, 5);
    await withdraw(2);
    expect(await stored()).toMatchObject({ isWithdrawn: true, epoch: 2, part: { measurements: {}, modelVersion: '' } });
  });

  test('does not come back by an attempt from before, also when nothing was there yet', async () => {
    await withdraw(2);
    await expect(put(1, 5)).rejects.toMatchObject(overtaken);
    expect((await stored()).isWithdrawn).toBe(true);
  });

  test('comes back by a later run as a new one', async () => {
    await put(1, 5);
    await withdraw(2);
    world.time.now += 60_000;
    await put(3, 7);
    expect(await stored()).toMatchObject({ isWithdrawn: false, part: { createdAt: world.time.now } });
  });

  test('is not withdrawn by an earlier attempt than the one that wrote it', async () => {
    await put(3, 7);
    await expect(withdraw(2)).rejects.toMatchObject(overtaken);
    expect(await gdd()).toBe(7);
  });

  test('may be withdrawn although its field is gone', async () => {
    const key = landKey('field', 'field');
    await world.land.remove(key, (await world.land.find(key))!.etag);
    await expect(withdraw(2)).resolves.toBeUndefined();
  });
});

describe('a file of an insight', () => {
  test('is there whole, and of two attempts that of the later one, once', async () => {
    await putFile(1, 'one');
    expect(await textOf()).toEqual({ bytes: 3, text: 'one' });
    await putFile(2, 'second');
    expect(await textOf()).toEqual({ bytes: 6, text: 'second' });
    expect(await blobs()).toBe(1);
  });

  test('keeps its content when an earlier attempt comes late', async () => {
    await putFile(2, 'second');
    await expect(putFile(1, 'one')).rejects.toMatchObject(overtaken);
    expect(await textOf()).toEqual({ bytes: 6, text: 'second' });
  });

  test('has no content any more once it is withdrawn, and does not come back', async () => {
    await putFile(1, 'one');
    await writer.withdraw('attachment', owner, 'file', attempt(2));
    expect(await blobs()).toBe(0);
    await expect(putFile(1, 'one')).rejects.toMatchObject(overtaken);
    expect(await world.insights.find('attachment', owner, 'file')).toMatchObject({
      isWithdrawn: true,
      part: { bytes: 0 },
    });
  });
});
