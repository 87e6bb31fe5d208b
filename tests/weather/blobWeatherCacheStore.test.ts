import type { ContainerClient } from '@azure/storage-blob';
import { describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { blobWeatherCacheStore } from '../../shared/weather/blobWeatherCacheStore.js';

/** The part of a container that the store uses, in memory. */
function container(blobs = new Map<string, Buffer>()) {
  const client = {
    getBlockBlobClient: (name: string) => ({
      download: () => {
        const bytes = blobs.get(name);
        const missing = Object.assign(new Error('BlobNotFound'), { statusCode: 404 });
        if (bytes === undefined) return Promise.reject(missing);
        const half = Math.floor(bytes.length / 2);
        return Promise.resolve({ readableStreamBody: Readable.from([bytes.subarray(0, half), bytes.subarray(half)]) });
      },
      uploadData: (data: Buffer) => {
        blobs.set(name, data);
        return Promise.resolve();
      },
    }),
  };
  return { store: blobWeatherCacheStore(client as unknown as ContainerClient), blobs };
}

describe('the weather cache in blobs', () => {
  test('gives back what was put under a key', async () => {
    const { store } = container();
    await store.put('v1/test/days/1.json', { days: [['2026-05-01', 1.5]] });
    await expect(store.get('v1/test/days/1.json')).resolves.toEqual({ days: [['2026-05-01', 1.5]] });
  });

  test('has nothing under a key nobody has put', async () => {
    await expect(container().store.get('v1/none.json')).resolves.toBeUndefined();
  });

  test('does not take a fault of storage or a spoilt blob for nothing', async () => {
    const { store } = container(new Map([['v1/half.json', Buffer.from('{"days":')]]));
    await expect(store.get('v1/half.json')).rejects.toThrow(SyntaxError);
    const away = { getBlockBlobClient: () => ({ download: () => Promise.reject(new Error('away')) }) };
    await expect(blobWeatherCacheStore(away as unknown as ContainerClient).get('v1/a.json')).rejects.toThrow('away');
  });
});
