import { describe, expect, test } from '@jest/globals';
import { consoleScene } from '../../functions/console/scene.js';
import { newestScene } from '../../shared/imagery/newestScene.js';
import type { SceneFile } from '../../shared/scenes/item/scene.js';
import type { RegionScene } from '../../shared/scenes/library/sceneLibrary.js';
import { CatalogueError } from '../../shared/scenes/stac/catalogueError.js';
import { memorySource } from '../../shared/raster/read/memorySource.js';
import { openRaster } from '../../shared/raster/read/rasterReader.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import { searchRegion } from '../../shared/boundary/stack/searchRegion.js';
import type { Services } from '../../shared/wiring/services.js';
import type { Route } from '../../shared/http/route.js';
import { ManualClock } from '../support/manualClock.js';
import { aScene } from './builders.js';

const PLACE = [-93.62, 42.03] as const;
const { grid } = searchRegion(PLACE, 0);

const sceneOf = (date: string, cloudPercent: number | undefined): RegionScene => ({
  scene: aScene({ id: `S2B_${date}`, takenAt: `${date}T10:05:59Z` }),
  pass: date,
  ...(cloudPercent === undefined ? {} : { cloudPercent }),
});

/** Land that grows brighter to the east. */
const cut = {
  pixels: {
    ...{ width: grid.width, height: grid.height, bands: 1 },
    data: Uint16Array.from({ length: grid.width * grid.height }, (_, at) => 300 + 10 * (at % grid.width)),
  },
  grid,
};

/** A library of scenes that remembers what it was asked. */
function libraryOf(scenes: readonly RegionScene[] | Error) {
  const asked: { listed: { from: string; to: string }[]; read: SceneFile[] } = { listed: [], read: [] };
  const clock = new ManualClock('2026-07-01T10:00:00Z');
  const answers = { scenes };
  const find = newestScene({
    clock,
    scenes: {
      scenesOf: (_region, days) => {
        asked.listed.push(days);
        return answers.scenes instanceof Error ? Promise.reject(answers.scenes) : Promise.resolve(answers.scenes);
      },
      cutsOf: (_scene, files) => {
        asked.read.push(...files);
        return Promise.resolve(Object.fromEntries(files.map((file) => [file, cut])));
      },
    },
  });
  return { find, asked, clock, answers };
}

describe('the newest scene around a place', () => {
  test('is a picture of the ground in true colour, of the last twenty days', async () => {
    const { find, asked } = libraryOf([sceneOf('2026-06-28', 3)]);
    const { date, geoTiff } = await find(PLACE);
    expect(date).toBe('2026-06-28');
    const raster = await openRaster(memorySource(geoTiff, 'ground'));
    expect(raster.grid).toMatchObject({ epsg: grid.epsg, width: 256, height: 256, pixelWidth: 10 });
    expect(raster.image.bands).toBe(3);
    expect(asked.listed).toEqual([{ from: '2026-06-11', to: '2026-07-01' }]);
    expect(asked.read).toEqual(['red', 'green', 'blue']);
  });

  test.each([
    { why: 'the newest under few clouds', covers: [90, 20, 0], date: '2026-06-26' },
    { why: 'the clearest where clouds are on all', covers: [59, 58, 60], date: '2026-06-26' },
    {
      why: 'of one whose clouds are unknown only what is known',
      covers: [undefined, 50, undefined],
      date: '2026-06-26',
    },
  ])('is $why', async ({ covers, date }) => {
    const { find } = libraryOf(covers.map((cover, at) => sceneOf(`2026-06-${27 - at}`, cover)));
    expect((await find(PLACE)).date).toBe(date);
  });

  test.each([
    { why: 'there is no scene', scenes: [] },
    { why: 'clouds hide all', scenes: [sceneOf('2026-06-28', 61)] },
  ])('is none where $why, which is said, and looked for once', async ({ scenes }) => {
    const { find, asked } = libraryOf(scenes);
    for (let calls = 0; calls < 2; calls += 1) {
      await expect(find(PLACE)).rejects.toMatchObject({
        fault: { status: 404 },
        message: 'No scene of the last 20 days shows this place free of clouds.',
      });
    }
    expect(asked.listed).toHaveLength(1);
  });

  test('is looked for once a day for all places within a kilometre, whoever asks and how many at once', async () => {
    const { find, asked, clock } = libraryOf([sceneOf('2026-06-28', 3)]);
    const near = [PLACE, [PLACE[0] + 0.004, PLACE[1] - 0.004]] as const;
    const [one, other] = await Promise.all(near.map((place) => find(place)));
    expect(other).toBe(one);
    expect(asked.listed).toHaveLength(1);
    await find([PLACE[0] + 0.01, PLACE[1]]);
    expect(asked.listed).toHaveLength(2);
    clock.jump(24 * 3_600_000);
    await find(PLACE);
    expect(asked.listed).toHaveLength(3);
  });

  test.each([
    { error: new CatalogueError('unavailable', 'away') },
    { error: new RasterError('unavailable', 'away', { isTransient: true }) },
  ])('is asked for again when $error.name kept it away', async ({ error }) => {
    const { find, answers } = libraryOf(error);
    await expect(find(PLACE)).rejects.toMatchObject({ fault: { status: 503 }, retryAfterSeconds: 5 });
    answers.scenes = [sceneOf('2026-06-28', 3)];
    expect((await find(PLACE)).date).toBe('2026-06-28');
  });
});

describe('console/scene.tiff', () => {
  const answerWith = (isOn: boolean) => {
    const { find } = libraryOf([sceneOf('2026-06-28', 3)]);
    const [longitude, latitude] = PLACE;
    const request = { query: { longitude, latitude } } as unknown as Parameters<Route['handle']>[0];
    return consoleScene.handle(request, { config: { CONSOLE: isOn }, newestScene: find } as unknown as Services);
  };

  test('tells the day of the picture, which the page reads of no file', async () => {
    const { headers, content } = await answerWith(true);
    expect(headers).toEqual({ 'last-modified': 'Sun, 28 Jun 2026 00:00:00 GMT' });
    expect(content?.type).toBe('image/tiff');
  });

  test('is not there where the console is off', async () => {
    await expect(answerWith(false)).rejects.toMatchObject({ fault: { status: 404 } });
  });
});
