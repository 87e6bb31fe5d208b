import { describe, expect, test } from '@jest/globals';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import type { SampleArray } from '../../../shared/raster/tiff/pixels.js';
import type { CutImage } from '../../../shared/scenes/library/cutImage.js';
import type { SceneCuts } from '../../../shared/scenes/library/sceneLibrary.js';
import { coveredWindow, cutTo, sceneStack, type ReadScene } from '../../../shared/boundary/stack/sceneStack.js';

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

const cut = (data: SampleArray, on: Grid = grid): CutImage => ({
  grid: on,
  pixels: { width: on.width, height: on.height, bands: 1, data },
});
const plain = (value: number, on: Grid = grid): CutImage => cut(new Uint16Array(on.width * on.height).fill(value), on);

const aScene = (cuts: SceneCuts, changes: Partial<ReadScene> = {}): ReadScene => ({
  ...{ id: 'a', date: '2026-06-03', pass: 'first', cuts },
  ...changes,
});
const stackOf = (...scenes: readonly ReadScene[]) => sceneStack(grid, scenes);

describe('scenes on the grid of the search region', () => {
  test('on that very grid stay as they are', () => {
    const numbers = Uint16Array.from({ length: size }, (_, k) => 100 + k);
    const { scenes, passed } = stackOf(aScene({ red: cut(numbers), scl: cut(new Uint8Array(size).fill(4)) }));
    expect(passed).toEqual([]);
    expect(scenes).toEqual([
      { date: '2026-06-03', sceneIds: ['a'], bands: { B04: numbers }, scl: new Uint8Array(size).fill(4) },
    ]);
  });

  test('that cover half the region leave the other half without data', () => {
    const half = { ...grid, width: 4 };
    const { scenes } = stackOf(aScene({ red: plain(300, half) }));
    expect([...scenes[0]!.bands.B04!.slice(0, 8)]).toEqual([300, 300, 300, 300, 0, 0, 0, 0]);
  });

  test('of one pass become one: where the first has nothing the second counts', () => {
    const [west, east] = [
      { ...grid, width: 4 },
      { ...grid, width: 4, originX: grid.originX + 40 },
    ];
    const { scenes } = stackOf(aScene({ red: plain(300, west) }), aScene({ red: plain(400, east) }, { id: 'b' }));
    expect(scenes).toHaveLength(1);
    expect(scenes[0]!.sceneIds).toEqual(['a', 'b']);
    expect([...scenes[0]!.bands.B04!.slice(0, 8)]).toEqual([300, 300, 300, 300, 400, 400, 400, 400]);
  });

  test('of one pass take no number of a scene that its own classes do not know', () => {
    const known = (from: number, to: number): CutImage =>
      cut(Uint8Array.from({ length: size }, (_, k) => (k % 8 >= from && k % 8 < to ? 4 : 0)));
    const { scenes } = stackOf(
      aScene({ red: plain(300), scl: known(0, 4) }),
      aScene({ red: plain(400), scl: known(4, 8) }, { id: 'b' }),
    );
    expect([...scenes[0]!.bands.B04!.slice(0, 8)]).toEqual([300, 300, 300, 300, 400, 400, 400, 400]);
    expect([...scenes[0]!.scl!.slice(0, 8)]).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
  });

  test('of one pass have the bands that both have, and classes where both have them', () => {
    const [west, east] = [
      { ...grid, width: 4 },
      { ...grid, width: 4, originX: grid.originX + 40 },
    ];
    const classes = (value: number, on: Grid) => cut(new Uint8Array(on.width * on.height).fill(value), on);
    const images = (on: Grid, value: number) => ({
      green: plain(value, on),
      red: plain(value, on),
      scl: classes(4, on),
    });
    const [first, second] = [images(west, 300), images(east, 400)];
    const ofPass = (one: SceneCuts, other: SceneCuts) => stackOf(aScene(one), aScene(other, { id: 'b' })).scenes;
    const [both] = ofPass(first, { ...second, nir: plain(900, east) });
    expect(Object.keys(both!.bands)).toEqual(['B03', 'B04']);
    expect([...both!.scl!.slice(0, 8)]).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
    const { scl: _classes, green: _green, ...less } = second;
    const [without] = ofPass(first, less);
    expect(Object.keys(without!.bands)).toEqual(['B04']);
    expect(without).not.toHaveProperty('scl');
  });

  test('that lie elsewhere are passed over', () => {
    const { scenes, passed } = stackOf(aScene({ red: plain(300, { ...grid, originX: 600_000 }) }));
    expect(scenes).toEqual([]);
    expect(passed).toEqual([
      { sceneIds: ['a'], date: '2026-06-03', kind: 'elsewhere', reason: 'it does not reach the search region' },
    ]);
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
