import { BlobServiceClient } from '@azure/storage-blob';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../shared/clock.js';
import { randomId } from '../../shared/ids.js';
import { BlobImageryStore } from '../../shared/imagery/documents/blobImageryStore.js';
import type { FieldDate } from '../../shared/imagery/records/fieldDate.js';
import { settled } from '../../shared/imagery/records/judgement.js';
import { claimed } from '../../shared/imagery/work/imageryWork.js';
import { TableFieldDateStore } from '../../shared/imagery/records/tableFieldDateStore.js';
import { tableWaitingUnitsReader, tableWaitingWorkReader } from '../../shared/imagery/work/tableWaitingWorkReader.js';
import { TableImageryWorkStore } from '../../shared/imagery/work/tableImageryWorkStore.js';
import { TableMakingStore } from '../../shared/imagery/records/tableMakingStore.js';
import { TableRetryStore } from '../../shared/imagery/records/tableRetryStore.js';
import { describeImageryWorkStore } from '../imagery/work/imageryWorkStoreSuite.js';
import { describeMakingStore } from '../imagery/records/makingStoreSuite.js';
import { describeRetryStore } from '../imagery/records/retryStoreSuite.js';
import { service } from './service.js';
import { blobsOf, losesNextAnswer, rowsOf, settings, tableOf } from './storage.js';

const surroundings = { clock: systemClock, newId: randomId };

describeImageryWorkStore('in a table', () => new TableImageryWorkStore(tableOf('fieldDates'), surroundings));
describeRetryStore('in a table', () => new TableRetryStore(rowsOf('fieldDates')));
describeMakingStore('in a table', () => ({
  makings: new TableMakingStore(rowsOf('fieldDates')),
  fieldDates: new TableFieldDateStore(rowsOf('fieldDates')),
}));

describe('work that has waited for long', () => {
  const customer = `customer-${randomUUID()}`;
  const table = tableOf('fieldDates');
  const list = tableWaitingWorkReader(table);

  test('is what nobody has touched since an instant, and what waits for others again and again', async () => {
    const rowKeys = [
      ...['P_render_0_e_g_2026-06-14_0', 'P_search_0_e_g_2026-06-01_2026-06-30'],
      ...['A_render_0_e_g_2026-06-12_1', 'A_search_0_e_g_2026-05-01_2026-05-31', 'f_north_2026-06-14'],
    ];
    for (const rowKey of rowKeys) {
      await table.createEntity({ partitionKey: customer, rowKey, waits: rowKey.startsWith('A_render') ? 10 : 3 });
    }
    const datesAt = async (instant: number): Promise<string[]> =>
      (await list(customer, instant)).map(({ date }) => date).sort();
    expect(await datesAt(Date.now() + 60_000)).toEqual(['2026-06-12', '2026-06-14', '2026-06-30']);
    expect(await datesAt(Date.now() - 60_000)).toEqual(['2026-06-12']);
    const [oldest] = await list(customer, Date.now() + 60_000);
    expect(Math.abs((oldest?.since ?? 0) - Date.now())).toBeLessThan(60_000);
  });
});

describe('units that have waited for long', () => {
  test('are new scenes by their publication, the others untouched since an instant or waiting again and again', async () => {
    // Of its own: nobody works on these.
    const table = tableOf(`units${randomUUID().replaceAll('-', '')}`);
    await table.createTable();
    const instant = Date.now() - 60_000;
    const row = (rowKey: string, lane: string, publishedAt: number, waits = 0) =>
      table.createEntity({ partitionKey: 'u7', rowKey, lane, waits, publishedAt: new Date(publishedAt).toISOString() });
    await row('W|33UUP|2026-06-14|07|0', 'live', instant - 1_000);
    await row('W|33UUP|2026-06-15|07|0', 'live', instant + 1_000);
    await row('W|33UUP|2026-06-16|07|0', 'late', 0);
    await row('W|33UUP|2026-06-17|07|0', 'late', 0, 10);
    await row('L|0000000000001|33UUP|2026-06-18|07|0', 'late', 0);
    await row('X|2026-06-19|33UUP|07|0', 'live', 0);
    const datesAt = async (before: number): Promise<string[]> =>
      (await tableWaitingUnitsReader(table)(before)).map(({ date }) => date).sort();
    expect(await datesAt(instant)).toEqual(['2026-06-14', '2026-06-17']);
    const all = ['2026-06-14', '2026-06-15', '2026-06-16', '2026-06-17', '2026-06-18'];
    expect(await datesAt(Date.now() + 60_000)).toEqual(all);
    await table.deleteTable();
  });
});

describe('a write of work whose answer is lost', () => {
  const customer = `customer-${randomUUID()}`;
  const key = { customer, kind: 'render', id: '1_a' } as const;

  test('is recognised as our own', async () => {
    const { around, arm, lost } = losesNextAnswer();
    const store = new TableImageryWorkStore(tableOf('fieldDates', around), surroundings);
    await store.add(customer, 'render', [{ id: key.id, document: {} }]);
    const stored = async () => (await store.find(key))!;
    // The first call that changes something is the one that is lost: reads before it come through.
    await store.promote(customer, 'render', 0);
    await new TableImageryWorkStore(tableOf('fieldDates'), surroundings).promote(customer, 'render', 1);
    const { work, etag } = await stored();
    arm();
    const next = await store.replace(claimed(work, Date.now() + 60_000), etag);
    expect(lost()).toBe(1);
    expect(next).toBe((await stored()).etag);
  });
});

describe('what became of fields on days', () => {
  const aFieldDate = (fieldId: string, date: string): FieldDate => ({
    fieldId,
    date,
    outcome: 'done',
    reason: null,
    clearPercent: 100,
    coveragePercent: 100,
    layers: ['ndvi'],
    skipped: {},
    scenes: ['S2B'],
    basis: 'b',
  });

  test('is listed by date, one field at a time, whatever its id', async () => {
    const store = new TableFieldDateStore(rowsOf('fieldDates'));
    const customer = `customer-${randomUUID()}`;
    const fieldId = "Süd & 'Öst' (2) %2F";
    const dates = ['2026-06-17', '2026-06-12', '2026-05-28'];
    const others = [...dates.map((date) => aFieldDate(fieldId, date)), aFieldDate('other', '2026-06-17')];
    await store.merge(customer, others, settled);
    expect((await store.list(customer, fieldId)).map(({ date }) => date)).toEqual([...dates].sort());
    expect(await store.list(customer, fieldId, { from: '2026-06-12', to: '2026-06-12' })).toEqual([
      aFieldDate(fieldId, '2026-06-12'),
    ]);
  });

  test('takes the place of what was recorded before, hundreds at once', async () => {
    const store = new TableFieldDateStore(rowsOf('fieldDates'));
    const customer = `customer-${randomUUID()}`;
    const all = Array.from({ length: 230 }, (_, index) => aFieldDate(`f${index}`, '2026-06-17'));
    await store.merge(customer, all, settled);
    await store.merge(customer, [{ ...all[7]!, outcome: 'cloud' }], settled);
    expect(await store.list(customer, 'f7')).toMatchObject([{ outcome: 'cloud' }]);
    expect(await store.list(customer, 'f229')).toHaveLength(1);
  });

  test('is settled with what others record at the same time, and with itself', async () => {
    const store = new TableFieldDateStore(rowsOf('fieldDates'));
    const customer = `customer-${randomUUID()}`;
    const days = Array.from({ length: 8 }, (_, index) => ({
      ...aFieldDate('f', '2026-06-17'),
      basis: String(index),
      standing: `geometry,${index}`,
    }));
    await Promise.all([0, 3, 6].map((first) => store.merge(customer, days.slice(first, first + 3), settled)));
    expect(await store.list(customer, 'f')).toEqual([days[7]]);
  });
});

/** The data account takes the place of the imagery account, whose key is not in the settings. */
function account(): BlobServiceClient {
  const options = { retryOptions: { maxTries: 3 }, tlsOptions: { ca: readFileSync(service.caFile, 'utf8') } };
  return BlobServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', options);
}

describe('the files of customers', () => {
  let store: BlobImageryStore;
  const place = { customer: `customer-${randomUUID()}`, fieldId: "Feld Nr. 1 (Süd) ä'b", date: '2026-06-17' };

  beforeEach(() => {
    store = new BlobImageryStore(blobsOf('insights'));
  });

  test('are documents that only the last reader may replace', async () => {
    expect(await store.findItem(place)).toBeUndefined();
    expect(await store.putItem(place, { a: 1 }, undefined)).toBe(true);
    expect(await store.putItem(place, { a: 2 }, undefined)).toBe(false);
    const stored = (await store.findItem(place))!;
    expect(stored.document).toEqual({ a: 1 });
    expect(await store.putItem(place, { a: 2 }, stored.etag)).toBe(true);
    expect(await store.putItem(place, { a: 3 }, stored.etag)).toBe(false);
    expect((await store.findItem(place))?.document).toEqual({ a: 2 });
  });

  test('are an index that is found by its mark alone', async () => {
    expect(await store.readIndex(place.customer, place.fieldId)).toBeUndefined();
    expect(await store.putIndex(place, { dates: [] }, undefined)).toBeDefined();
    const mark = (await store.readIndex(place.customer, place.fieldId))?.etag;
    expect(mark).toBeDefined();
    expect(await store.putIndex(place, { dates: [1] }, mark)).toBeDefined();
    expect(await store.putIndex(place, { dates: [2] }, mark)).toBeUndefined();
    expect((await store.readIndex(place.customer, place.fieldId))?.document).toEqual({ dates: [1] });
  });

  test('are items that are replaced only by who has read them', async () => {
    const { customer, fieldId } = place;
    expect(await store.readItems(customer, fieldId)).toBeUndefined();
    expect(await store.putItems(place, { features: [] }, undefined)).toBeDefined();
    const { etag } = (await store.readItems(customer, fieldId))!;
    expect(await store.putItems(place, { features: [1] }, etag)).toBeDefined();
    expect(await store.putItems(place, { features: [2] }, etag)).toBeUndefined();
    expect(await store.putItems(place, { features: [2] }, undefined)).toBeUndefined();
    expect((await store.readItems(customer, fieldId))?.document).toEqual({ features: [1] });
  });

  test('are layers at the path of the specification, which can be taken away twice', async () => {
    const file = { layer: 'ndvi', bytes: Uint8Array.of(1, 2, 3), sha256: 'abc' } as const;
    expect(await store.findLayer(place, 'ndvi')).toBeUndefined();
    expect(await store.putLayer(place, file, 'geometry,1')).toBe(true);
    expect(await store.findLayer(place, 'ndvi')).toBe('abc');
    const blob = account()
      .getContainerClient('insights')
      .getBlobClient(`${place.customer}/field-imagery/sentinel-2/${place.fieldId}/2026-06-17/ndvi.tiff`);
    expect(await blob.downloadToBuffer()).toEqual(Buffer.of(1, 2, 3));
    await store.removeLayer(place, 'ndvi', 'geometry,1');
    await store.removeLayer(place, 'ndvi', 'geometry,1');
    expect(await blob.exists()).toBe(false);
  });

  test('of a day are deleted together, but for those that were written later', async () => {
    const day = { ...place, date: '2026-06-12' };
    const left = async () =>
      [...(await store.listFiles(day.customer, day.fieldId))].filter((path) => path.includes(day.date));
    const file = { layer: 'scouting', bytes: Uint8Array.of(1), sha256: 'abc' } as const;
    await store.putLayer(day, file, 'geometry,1');
    await store.putItem(day, {}, undefined);
    await store.removeDay(day, new Date(Date.now() - 60_000));
    expect(await left()).toHaveLength(2);
    await store.removeDay(day, new Date(Date.now() + 60_000));
    expect(await left()).toEqual([]);
    await store.removeDay(day, new Date(Date.now() + 60_000));
  });

  test('are layers that nobody with a worse basis writes over or takes away, however many write at once', async () => {
    const bytesOf = (index: number) => ({
      layer: 'vegetation' as const,
      bytes: Uint8Array.of(index),
      sha256: String(index),
    });
    const order = [4, 7, 1, 6, 2, 5, 3, 0];
    const written = await Promise.all(order.map((index) => store.putLayer(place, bytesOf(index), `geometry,${index}`)));
    expect(written[order.indexOf(7)]).toBe(true);
    expect(await store.findLayer(place, 'vegetation')).toBe('7');
    expect(await store.putLayer(place, bytesOf(3), 'geometry,3')).toBe(false);
    await store.removeLayer(place, 'vegetation', 'geometry,3');
    expect(await store.findLayer(place, 'vegetation')).toBe('7');
    // Another geometry is another field: it takes the place of any.
    expect(await store.putLayer(place, bytesOf(9), 'another,0')).toBe(true);
  });
});
