import { describe, expect, test } from '@jest/globals';
import { fieldHeights } from '../../../../shared/gdd/weather/terrain/fieldHeight.js';
import { tolerantShelf } from '../../../../shared/gdd/weather/cache/shelf.js';
import type { GroundPoint } from '../../../../shared/gdd/weather/weatherSource.js';
import { memoryCache } from '../fakeProviders.js';

const place = { latitude: 46.5012, longitude: 9.1488 };

function world(heightM: number | undefined, cache = memoryCache()) {
  const asked: GroundPoint[] = [];
  const terrain = {
    heightAt: (at: GroundPoint) => {
      asked.push(at);
      return Promise.resolve(heightM);
    },
  };
  const gets: string[] = [];
  const counting = { ...cache, get: (key: string) => (gets.push(key), cache.get(key)) };
  const start = () => fieldHeights({ terrain, shelf: tolerantShelf(counting, () => undefined) });
  return { asked, gets, cache, start };
}

describe('the height of a field', () => {
  test('is read once for its cell of 0.01°, in whole metres, and kept for all instances', async () => {
    const { asked, start, cache } = world(612.4);
    expect(await start()(place)).toEqual({ elevationM: 612, isLand: true });
    expect(await start()({ latitude: 46.4991, longitude: 9.1522 })).toEqual({ elevationM: 612, isLand: true });
    expect(asked).toEqual([{ latitude: 46.5, longitude: 9.15 }]);
    expect([...cache.entries.keys()]).toEqual(['v2/copernicus-dem/46.50_9.15.json']);
  });

  test('costs a process that knows it no request at all', async () => {
    const { gets, start } = world(612.4);
    const find = start();
    await find(place);
    await find(place);
    expect(gets).toHaveLength(1);
  });

  test('where there is no land is 0 and asked for again: a closed bucket says the same', async () => {
    const { asked, start, cache } = world(undefined);
    const find = start();
    expect(await find(place)).toEqual({ elevationM: 0, isLand: false });
    await find(place);
    expect(asked).toHaveLength(2);
    expect(cache.entries.size).toBe(0);
  });
});
