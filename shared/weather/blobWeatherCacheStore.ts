import type { ContainerClient } from '@azure/storage-blob';
import type { JsonObject } from '../jobs/job.js';
import { readBlob } from '../storage/readBlob.js';
import type { WeatherCache } from './weatherCache.js';

/** The weather cache as one JSON blob a key in container `weather-cache`. */
export const blobWeatherCacheStore = (container: ContainerClient): WeatherCache => ({
  get: async (key) => {
    try {
      const bytes = await readBlob(container.getBlockBlobClient(key));
      return JSON.parse(bytes.toString('utf8')) as JsonObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  },
  put: async (key, value) => {
    await container.getBlockBlobClient(key).uploadData(Buffer.from(JSON.stringify(value), 'utf8'), {
      blobHTTPHeaders: { blobContentType: 'application/json' },
    });
  },
});

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 404;
