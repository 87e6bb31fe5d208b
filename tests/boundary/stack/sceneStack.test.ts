import { describe, expect, test } from '@jest/globals';
import type { SceneImage } from '../../../shared/jobs/dataManager/scenes.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import type { SampleArray } from '../../../shared/raster/tiff/pixels.js';
import { coveredWindow, cutTo, sceneStack, type SceneFiles } from '../../../shared/boundary/stack/sceneStack.js';

const grid: Grid = {
  epsg: 32615,
  originX: 500_000,
  originY: 4_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 8,
  height: 6,
};
const size = grid.width * grid.height;

const file = (data: SampleArray, on: Grid = grid, nodata = 0): Promise<Uint8Array> =>
  encodeCog({ grid: on, nodata, pixels: { width: on.width, height: on.height, bands: 1, data } });
const plain = (value: number, on: Grid = grid): Promise<Uint8Array> =>
  file(new Uint16Array(on.width * on.height).fill(value), on);

async function aScene(
  images: Partial<Record<SceneImage, Uint8Array | Promise<Uint8Array>>>,
  changes: Partial<SceneFiles> = {},
): Promise<SceneFiles> {
  const entries = await Promise.all(Object.entries(images).map(async ([name, bytes]) => [name, await bytes] as const));
  return { id: 'a', date: '2026-06-03', images: Object.fromEntries(entries), ...changes };
}
const stackOf = (...scenes: readonly SceneFiles[]) => sceneStack(grid, scenes);

describe('scenes on the grid of the search region', () => {
  test('on that very grid stay as they are', async () => {
    const numbers = Uint16Array.from({ length: size }, (_, k) => 100 + k);
    const { scenes, passed } = await stackOf(
      await aScene({ B04: file(numbers), SCL: file(new Uint8Array(size).fill(4)) }),
    );
    expect(passed).toEqual([]);
    expect(scenes).toEqual([
      { date: '2026-06-03', sceneIds: ['a'], bands: { B04: numbers }, scl: new Uint8Array(size).fill(4) },
    ]);
  });

  test('as fractions become numbers × 10000, what is no number no data', async () => {
    const fractions = Float32Array.from({ length: size }, (_, k) => (k === 0 ? Number.NaN : 0.05));
    const { scenes } = await stackOf(await aScene({ B04: file(fractions, grid, Number.NaN) }));
    const band = scenes[0]!.bands.B04!;
    expect(band[0]).toBeCloseTo(0);
    expect(band[size - 1]).toBeCloseTo(500, 2);
  });

  test('as floating numbers × 10000 stay as they are', async () => {
    const { scenes } = await stackOf(await aScene({ B04: file(new Float32Array(size).fill(512.5)) }));
    expect(scenes[0]!.bands.B04![0]).toBe(512.5);
  });

  test('that cover half the region leave the other half without data', async () => {
    const half = { ...grid, width: 4 };
    const { scenes } = await stackOf(await aScene({ B04: plain(300, half) }));
    expect([...scenes[0]!.bands.B04!.slice(0, 8)]).toEqual([300, 300, 300, 300, 0, 0, 0, 0]);
  });

  test('of one pass become one: where the first has nothing the second counts', async () => {
    const itemId = (tile: string): string => `S2B_MSIL2A_20260603T103629_N0511_R008_${tile}`;
    const [west, east] = [
      { ...grid, width: 4 },
      { ...grid, width: 4, originX: grid.originX + 40 },
    ];
    const { scenes } = await stackOf(
      await aScene({ B04: plain(300, west) }, { itemId: itemId('T15TWG') }),
      await aScene({ B04: plain(400, east) }, { id: 'b', itemId: itemId('T15TXG') }),
    );
    expect(scenes).toHaveLength(1);
    expect(scenes[0]!.sceneIds).toEqual(['a', 'b']);
    expect([...scenes[0]!.bands.B04!.slice(0, 8)]).toEqual([300, 300, 300, 300, 400, 400, 400, 400]);
  });

  test('of one pass take no number of a scene that its own classes do not know', async () => {
    const itemId = (tile: string): string => `S2B_MSIL2A_20260603T103629_N0511_R008_${tile}`;
    const known = (from: number, to: number): Promise<Uint8Array> =>
      file(Uint8Array.from({ length: size }, (_, k) => (k % 8 >= from && k % 8 < to ? 4 : 0)));
    const { scenes } = await stackOf(
      await aScene({ B04: plain(300), SCL: known(0, 4) }, { itemId: itemId('T15TWG') }),
      await aScene({ B04: plain(400), SCL: known(4, 8) }, { id: 'b', itemId: itemId('T15TXG') }),
    );
    expect([...scenes[0]!.bands.B04!.slice(0, 8)]).toEqual([300, 300, 300, 300, 400, 400, 400, 400]);
    expect([...scenes[0]!.scl!.slice(0, 8)]).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
  });

  test('of one pass have the bands that both have, and classes where both have them', async () => {
    const [west, east] = [
      { ...grid, width: 4 },
      { ...grid, width: 4, originX: grid.originX + 40 },
    ];
    const classes = (value: number, on: Grid) => file(new Uint8Array(on.width * on.height).fill(value), on);
    const images = (on: Grid, value: number) => ({ B03: plain(value, on), B04: plain(value, on), SCL: classes(4, on) });
    const [first, second] = [images(west, 300), images(east, 400)];
    const ofPass = async (one: object, other: object) => {
      const { scenes } = await stackOf(await aScene(one), await aScene(other, { id: 'b' }));
      return scenes;
    };
    const [both] = await ofPass(first, { ...second, B08: plain(900, east) });
    expect(Object.keys(both!.bands)).toEqual(['B03', 'B04']);
    expect([...both!.scl!.slice(0, 8)]).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
    const { SCL: _classes, B03: _green, ...less } = second;
    const [without] = await ofPass(first, less);
    expect(Object.keys(without!.bands)).toEqual(['B04']);
    expect(without).not.toHaveProperty('scl');
  });

  test('are not passed over for a fault of ours', async () => {
    const broken = Object.defineProperty({}, 'B04', {
      get: () => {
        throw new TypeError('a fault of ours');
      },
    });
    await expect(stackOf({ id: 'a', date: '2026-06-03', images: broken })).rejects.toThrow('a fault of ours');
  });

  test('that lie elsewhere are passed over', async () => {
    const { scenes, passed } = await stackOf(await aScene({ B04: plain(300, { ...grid, originX: 600_000 }) }));
    expect(scenes).toEqual([]);
    expect(passed).toEqual([
      { sceneIds: ['a'], date: '2026-06-03', kind: 'elsewhere', reason: 'it does not reach the search region' },
    ]);
  });

  test.each<[string, () => Promise<Uint8Array>, RegExp]>([
    ['is no TIFF', () => Promise.resolve(Buffer.from('<html>not found</html>')), /B04/],
    ['breaks off', async () => (await plain(300)).subarray(0, 300), /B04/],
    ['has 8-bit values', () => file(new Uint8Array(size).fill(3)), /8-bit values are a picture/],
    ['lies on an unknown map', () => plain(300, { ...grid, epsg: 2056 }), /2056/],
  ])('with a file that %s are passed over, the others count', async (_what, bytes, reason) => {
    const { scenes, passed } = await stackOf(
      await aScene({ B02: plain(200), B04: bytes() }),
      await aScene({ B04: plain(500) }, { id: 'b', date: '2026-06-08' }),
    );
    expect(passed).toMatchObject([{ sceneIds: ['a'], kind: 'lost', reason: expect.stringMatching(reason) }]);
    expect(scenes.map(({ sceneIds }) => sceneIds)).toEqual([['b']]);
  });
});

describe('the window with data', () => {
  const scene = (values: readonly number[]) => ({
    date: 'd',
    sceneIds: ['a'],
    bands: { B04: Uint16Array.from({ length: size }, (_, k) => (values.includes(k) ? 7 : 0)) },
    scl: Uint8Array.from({ length: size }, (_, k) => k),
  });

  test('is the smallest that holds every pixel of every scene', () => {
    // Row 1, column 2 and row 4, column 5.
    expect(coveredWindow(grid, [scene([10]), scene([37])])).toEqual({ column: 2, row: 1, width: 4, height: 4 });
    expect(coveredWindow(grid, [scene([])])).toBeUndefined();
  });

  test('cuts grid, bands and classification alike', () => {
    const window = { column: 2, row: 1, width: 4, height: 4 };
    const cut = cutTo(grid, [scene([10, 37])], window);
    expect(cut.grid).toMatchObject({ originX: 500_020, originY: 4_599_990, width: 4, height: 4 });
    expect(cut.scenes[0]!.bands.B04![0]).toBe(7);
    expect(cut.scenes[0]!.bands.B04![15]).toBe(7);
    expect([...cut.scenes[0]!.scl!.slice(0, 4)]).toEqual([10, 11, 12, 13]);
  });
});
