import type { JsonObject } from '../../../kit/json/json.js';
import type { WeatherCache } from './weatherCache.js';

/** The weather cache without faults: an entry that can't be read is missing, one that can't be written is not kept. */
export interface Shelf {
  get<Kept>(key: string): Promise<Kept | undefined>;
  put(key: string, value: object): Promise<void>;
}

/** A cache whose faults do not stop a job. @param onFault called with every fault */
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
