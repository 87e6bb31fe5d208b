import { beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../shared/kit/json/json.js';
import { rememberedWeatherCache } from '../../../../shared/gdd/weather/cache/rememberedWeatherCache.js';
import type { WeatherCache } from '../../../../shared/gdd/weather/cache/weatherCache.js';
import { ManualClock } from '../../../support/manualClock.js';

describe('the weather cache that remembers', () => {
  let clock: ManualClock;
  let stored: Map<string, JsonObject>;
  let reads: string[];
  let cache: WeatherCache;
  beforeEach(() => {
    clock = new ManualClock();
    stored = new Map();
    reads = [];
    cache = rememberedWeatherCache(
      {
        get: (key) => {
          reads.push(key);
          return Promise.resolve(stored.get(key));
        },
        put: (key, value) => Promise.resolve(void stored.set(key, value)),
      },
      clock,
    );
  });

  test('reads a key once a minute', async () => {
    stored.set('a', { days: 1 });
    for (let second = 0; second < 60; second += 10) {
      expect(await cache.get('a')).toEqual({ days: 1 });
      clock.jump(10_000);
    }
    expect(reads).toEqual(['a']);
    stored.set('a', { days: 2 });
    expect(await cache.get('a')).toEqual({ days: 2 });
    expect(reads).toEqual(['a', 'a']);
  });

  test('asks again for what was not there', async () => {
    expect(await cache.get('a')).toBeUndefined();
    stored.set('a', { days: 1 });
    expect(await cache.get('a')).toEqual({ days: 1 });
  });

  test('knows what was put, once it is stored', async () => {
    await cache.put('a', { days: 3 });
    expect(await cache.get('a')).toEqual({ days: 3 });
    expect(reads).toEqual([]);
    const failing = rememberedWeatherCache(
      { get: () => Promise.resolve(undefined), put: () => Promise.reject(new Error('away')) },
      clock,
    );
    await expect(failing.put('a', { days: 3 })).rejects.toThrow('away');
    expect(await failing.get('a')).toBeUndefined();
  });

  test('keeps so many keys and no more: the one unread for longest goes first', async () => {
    for (let key = 0; key < 49; key += 1) await cache.put(`k${key}`, { key });
    expect(await cache.get('k48')).toEqual({ key: 48 });
    expect(reads).toEqual([]);
    expect(await cache.get('k0')).toEqual({ key: 0 });
    expect(reads).toEqual(['k0']);
  });
});
