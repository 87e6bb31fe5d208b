import { describe, expect, test } from '@jest/globals';
import { blobWeatherCacheStore } from '../../../../shared/gdd/weather/cache/blobWeatherCacheStore.js';
import { MemoryBlobs } from '../../../support/memoryBlobs.js';

describe('the weather cache in blobs', () => {
  test('gives back what was put under a key, and takes a newer value', async () => {
    const store = blobWeatherCacheStore(new MemoryBlobs());
    await store.put('v1/test/days/1.json', { days: [['2026-05-01', 1.5]] });
    await expect(store.get('v1/test/days/1.json')).resolves.toEqual({ days: [['2026-05-01', 1.5]] });
    await store.put('v1/test/days/1.json', { days: [] });
    await expect(store.get('v1/test/days/1.json')).resolves.toEqual({ days: [] });
  });

  test('has nothing under a key nobody has put', async () => {
    await expect(blobWeatherCacheStore(new MemoryBlobs()).get('v1/none.json')).resolves.toBeUndefined();
  });

  test('does not take a fault of storage or a spoilt blob for nothing', async () => {
    const blobs = new MemoryBlobs();
    await blobs.write('v1/half.json', Buffer.from('{"days":'), { type: 'application/json' });
    await expect(blobWeatherCacheStore(blobs).get('v1/half.json')).rejects.toThrow(SyntaxError);
    const away = Object.assign(new MemoryBlobs(), { read: () => Promise.reject(new Error('away')) });
    await expect(blobWeatherCacheStore(away).get('v1/a.json')).rejects.toThrow('away');
  });
});
