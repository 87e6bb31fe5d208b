import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderScenes } from '../../../../infra/local/standIns/dataManager/scenes/folderScenes.js';
import { firstOf } from '../../../../infra/local/standIns/dataManager/scenes/libraries.js';
import type { SceneLibrary } from '../../../../infra/local/standIns/dataManager/scenes/sceneLibrary.js';
import { encodeCog } from '../../../../shared/raster/write/encodeCog.js';
import { boxOf, type Grid, type MapBox } from '../../../../shared/geo/grid/grid.js';
import { projectionOf } from '../../../../shared/geo/grid/utm.js';

const grid: Grid = {
  epsg: 32632,
  originX: 500_000,
  originY: 5_400_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 40,
  height: 30,
};
/** The value of a pixel tells where it lies. */
const numbers = Uint16Array.from({ length: 40 * 30 }, (_, k) => k + 1);

/** The box in degrees round a window of the grid. */
function regionOf(column: number, row: number, width: number, height: number): MapBox {
  const { toPosition } = projectionOf(grid.epsg);
  const [west, south, east, north] = boxOf({
    ...grid,
    originX: grid.originX + column * 10,
    originY: grid.originY - row * 10,
    width,
    height,
  });
  const [left, bottom] = toPosition([west, south]);
  const [right, top] = toPosition([east, north]);
  return [left, bottom, right, top];
}

const folder = mkdtempSync(join(tmpdir(), 'scenes-'));
let library: SceneLibrary;
beforeAll(async () => {
  const pixels = { width: 40, height: 30, bands: 1, data: numbers };
  const band = await encodeCog({ pixels, grid, nodata: 0 });
  const classes = Uint8Array.from(numbers, (_, k) => (k < 300 ? 9 : 4));
  const scl = await encodeCog({ pixels: { ...pixels, data: classes }, grid, nodata: 0 });
  for (const date of ['2021-06-03', '2021-06-08']) {
    mkdirSync(join(folder, date));
    for (const name of ['B02', 'B03', 'B04']) writeFileSync(join(folder, date, `${name}.tif`), band);
  }
  writeFileSync(join(folder, '2021-06-08', 'SCL.tif'), scl);
  writeFileSync(join(folder, 'README.txt'), 'not a day');
  library = folderScenes(folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('real scenes from a folder', () => {
  test('are shown with the images they have, their cloud from the classification', async () => {
    const scenes = await library.list({ region: regionOf(0, 0, 40, 30), from: '2021-06-01', to: '2021-06-12' });
    expect(scenes).toEqual([
      {
        key: '2021-06-03',
        date: '2021-06-03',
        itemId: 'SCENES_DIR_2021-06-03',
        cloudCoverPercent: 0,
        images: ['B02', 'B03', 'B04'],
      },
      {
        key: '2021-06-08',
        date: '2021-06-08',
        itemId: 'SCENES_DIR_2021-06-08',
        cloudCoverPercent: 25,
        images: ['B02', 'B03', 'B04', 'SCL'],
      },
    ]);
  });

  test('of other days are shown within the asked period', async () => {
    const scenes = await library.list({ region: regionOf(0, 0, 40, 30), from: '2026-11-01', to: '2026-11-12' });
    expect(scenes.map(({ key, date }) => [key, date])).toEqual([
      ['2021-06-03', '2026-11-01'],
      ['2021-06-08', '2026-11-06'],
    ]);
  });

  test('are cut to the region, and at the edge of the files', async () => {
    const raster = await library.read('2021-06-03', 'B02', regionOf(30.5, 20.5, 20, 20));
    expect(raster!.grid).toMatchObject({ epsg: 32632, originX: 500_300, originY: 5_399_800, width: 10, height: 10 });
    expect(raster!.pixels.data[0]).toBe(20 * 40 + 30 + 1);
  });

  test('do not exist elsewhere, nor images that are missing', async () => {
    expect(await library.list({ region: [20, 10, 20.01, 10.01], from: '2021-06-01', to: '2021-06-12' })).toEqual([]);
    expect(await library.read('2021-06-03', 'B08', regionOf(0, 0, 40, 30))).toBeUndefined();
  });

  test('stand before the synthetic ones where they lie', async () => {
    const other: SceneLibrary = {
      list: () =>
        Promise.resolve([{ key: 'x', date: '2021-06-02', itemId: 'x', cloudCoverPercent: 0, images: ['B02'] }]),
      read: () => Promise.resolve(undefined),
    };
    const both = firstOf(library, other);
    const period = { from: '2021-06-01', to: '2021-06-12' };
    const here = await both.list({ region: regionOf(0, 0, 40, 30), ...period });
    expect(here.map(({ key }) => key)).toEqual(['first-2021-06-03', 'first-2021-06-08']);
    const there = await both.list({ region: [20, 10, 20.01, 10.01], ...period });
    expect(there.map(({ key }) => key)).toEqual(['second-x']);
    expect(await both.read('first-2021-06-03', 'B02', regionOf(0, 0, 40, 30))).toBeDefined();
    expect(await both.read('second-x', 'B02', regionOf(0, 0, 40, 30))).toBeUndefined();
  });

  test('need at least one day', () => {
    expect(() => folderScenes(join(folder, '2021-06-03'))).toThrow(/no folder named/);
  });
});
