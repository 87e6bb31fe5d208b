/** The reader of heights against the terrain stand-in, whose tiles are laid out as those of Copernicus DEM GLO-90. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWeather, type Weather } from '../../../../infra/local/standIns/weather.js';
import { groundM, VALLEY } from '../../../../infra/local/standIns/weather/terrain.js';
import { systemClock } from '../../../../shared/kit/clock.js';
import { terrainSource } from '../../../../shared/gdd/weather/terrain/terrainSource.js';

let weather: Weather;
beforeAll(async () => {
  weather = await startWeather();
});
afterAll(() => weather.close());
beforeEach(() => {
  weather.script.reset();
});

const clock = { ...systemClock, sleep: () => Promise.resolve() };
const source = () => terrainSource({ url: weather.terrainUrl, clock });

describe('the height of the ground', () => {
  test.each([
    { where: 'on the valley floor', place: VALLEY },
    { where: 'on a slope', place: { latitude: 46.54, longitude: 9.2 } },
    { where: 'in the plain, west of Greenwich', place: { latitude: 41.5046, longitude: -92.9819 } },
    { where: 'in the south', place: { latitude: -32.44, longitude: -61.3 } },
    { where: 'in the north, where tiles have fewer columns', place: { latitude: 59.88, longitude: 17.44 } },
    { where: 'within half a pixel of a tile’s cut-off row', place: { latitude: 46.0002, longitude: 9.15 } },
    { where: 'within half a pixel of a tile’s cut-off column', place: { latitude: 46.5, longitude: 9.9998 } },
  ])('$where is that of the terrain within a few metres', async ({ place }) => {
    // A pixel of the version that is read is 370 m wide; the slopes of the stand-in's mountains rise 4 m in 10.
    const read = await source().heightAt(place);
    expect(Math.abs(read! - groundM(place))).toBeLessThan(35);
  });

  test('costs two requests', async () => {
    await source().heightAt(VALLEY);
    expect(weather.script.requests().map(({ status }) => status)).toEqual([206, 206]);
  });

  test('does not exist at sea, where the bucket has no tile and says 403', async () => {
    expect(await source().heightAt({ latitude: 0.5, longitude: -150.5 })).toBeUndefined();
    expect(weather.script.requests().map(({ status }) => status)).toEqual([403]);
  });

  test.each([404, 403])('nor where it says %i', async (status) => {
    weather.script.add({ kind: 'status', status });
    expect(await source().heightAt(VALLEY)).toBeUndefined();
  });

  test('is read again once when the bucket is away for a moment', async () => {
    weather.script.add({ kind: 'status', status: 503 });
    expect(await source().heightAt(VALLEY)).toBeGreaterThan(0);
  });

  test.each([
    { why: 'is away', fault: { kind: 'status', status: 503, times: 2 } as const },
    { why: 'sends no raster', fault: { kind: 'garbage' } as const },
  ])('can’t be known when the bucket $why: a fault that names no address', async ({ fault }) => {
    weather.script.add(fault);
    await expect(source().heightAt(VALLEY)).rejects.toMatchObject({
      name: 'WeatherError',
      message: 'copernicus-dem could not be read.',
    });
  });
});
