import type { Clock } from '../../../kit/clock.js';
import type { JsonObject } from '../../../kit/json/json.js';
import type { WeatherCache } from './weatherCache.js';

/** Other instances add days meanwhile: a process that does not see them asks the provider once more. */
const REMEMBERED_MS = 60_000;
/** About 12 MB: thirty-five years of days take 240 KB. */
const MAX_REMEMBERED = 48;

/**
 * The weather cache with a memory of one minute in this process: jobs of neighbouring fields that run together read
 * their thirty years once. Missing entries are not remembered.
 */
export function rememberedWeatherCache(cache: WeatherCache, clock: Pick<Clock, 'now'>): WeatherCache {
  const known = new Map<string, { readonly value: JsonObject; readonly until: number }>();
  const remember = (key: string, value: JsonObject): void => {
    known.delete(key);
    known.set(key, { value, until: clock.now().getTime() + REMEMBERED_MS });
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
  };
  return {
    get: async (key) => {
      const remembered = known.get(key);
      if (remembered !== undefined && remembered.until > clock.now().getTime()) return remembered.value;
      const value = await cache.get(key);
      if (value !== undefined) remember(key, value);
      return value;
    },
    put: async (key, value) => {
      await cache.put(key, value);
      remember(key, value);
    },
  };
}
