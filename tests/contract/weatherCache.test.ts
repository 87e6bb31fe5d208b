import { expect, test } from '@jest/globals';
import { BlobServiceClient, type StoragePipelineOptions } from '@azure/storage-blob';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { blobWeatherCacheStore } from '../../shared/weather/blobWeatherCacheStore.js';
import { service } from './service.js';
import { settings } from './storage.js';

// The option is handed on to the pipeline, though the type of this client leaves it out.
const trusting = { tlsOptions: { ca: readFileSync(service.caFile, 'utf8') } } as StoragePipelineOptions;
const blobs = BlobServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', trusting);

test('the weather cache keeps what is put, knows nothing of other keys, and takes a newer value', async () => {
  const cache = blobWeatherCacheStore(blobs.getContainerClient('weather-cache'));
  const key = `test/${randomUUID()}`;
  await expect(cache.get(key)).resolves.toBeUndefined();
  await cache.put(key, { days: [1, null] });
  await expect(cache.get(key)).resolves.toEqual({ days: [1, null] });
  await cache.put(key, { days: [] });
  await expect(cache.get(key)).resolves.toEqual({ days: [] });
});
