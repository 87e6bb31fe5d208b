import type { JsonObject } from '../../../kit/json/json.js';
import type { Blobs } from '../../../storage/blobs.js';
import type { WeatherCache } from './weatherCache.js';

/** The weather cache in the container `weather-cache`: one JSON blob for each key. */
export const blobWeatherCacheStore = (blobs: Blobs): WeatherCache => ({
  get: async (key) => {
    const blob = await blobs.read(key);
    return blob && (JSON.parse(blob.bytes.toString('utf8')) as JsonObject);
  },
  put: async (key, value) => {
    await blobs.write(key, Buffer.from(JSON.stringify(value), 'utf8'), { type: 'application/json' });
  },
});
