import { BlobServiceClient } from '@azure/storage-blob';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlobImageryStore } from '../../shared/imagery/documents/blobImageryStore.js';
import { service } from './service.js';
import { blobsOf, settings } from './storage.js';

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
