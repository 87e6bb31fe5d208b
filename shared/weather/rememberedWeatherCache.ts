import type { Clock } from '../clock.js';
import type { JsonObject } from '../json.js';
import type { WeatherCache } from './weatherCache.js';

/** Others add days meanwhile; whoever does not see them asks the provider once more, no longer than this. */
const REMEMBERED_MS = 60_000;
/** About 12 MB: thirty-five years of days have 240 KB. */
const MAX_REMEMBERED = 48;

interface Remembered {
  readonly value: JsonObject;
  readonly until: number;
}

/**
 * The weather cache with what this process has read or written within a minute: the jobs of one neighbourhood that come
 * together read its thirty years once. What is not there is asked for each time.
 */
export function rememberedWeatherCache(cache: WeatherCache, clock: Pick<Clock, 'now'>): WeatherCache {
  const known = new Map<string, Remembered>();
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
