import type { JsonObject } from '../json.js';
import type { WeatherCache } from './weatherCache.js';

/** The weather cache without its faults: what can't be read is not there, what can't be written is not kept. */
export interface Shelf {
  get<Kept>(key: string): Promise<Kept | undefined>;
  put(key: string, value: object): Promise<void>;
}

/** @param onFault told of every fault; the job goes on without the cache */
export const tolerantShelf = (cache: WeatherCache, onFault: (error: unknown) => void): Shelf => ({
  get: async <Kept>(key: string) => {
    try {
      return (await cache.get(key)) as Kept | undefined;
    } catch (error) {
      onFault(error);
      return undefined;
    }
  },
  put: async (key, value) => {
    try {
      await cache.put(key, value as JsonObject);
    } catch (error) {
      onFault(error);
    }
  },
});
