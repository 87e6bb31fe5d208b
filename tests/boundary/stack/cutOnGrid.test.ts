import { describe, expect, test } from '@jest/globals';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import type { SampleArray } from '../../../shared/raster/tiff/pixels.js';
import { cutOnGrid } from '../../../shared/boundary/stack/cutOnGrid.js';
import { aGrid } from '../../raster/samples.js';

const grid = aGrid(4, 3);
/** A grid so many pixels to the east and to the south. */
const moved = (east: number, south: number): Grid => ({
  ...grid,
  originX: grid.originX + 10 * east,
  originY: grid.originY - 10 * south,
});
const drawn = (data: SampleArray, on: Grid = grid, file: 'red' | 'scl' = 'red'): number[] | undefined => {
  const pixels = cutOnGrid(grid, file, {
    pixels: { width: on.width, height: on.height, bands: 1, data },
    grid: on,
  });
  return pixels && [...pixels];
};
const sevens = Uint16Array.from({ length: 12 }, () => 7);

describe('a file of a scene on the grid of the search region', () => {
  test.each([
    { where: 'east of the grid', east: 3, south: 0, expected: [0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7] },
    { where: 'west of it', east: -3, south: 0, expected: [7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0] },
    { where: 'south of it', east: 0, south: 2, expected: [0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7] },
    { where: 'north of it', east: 0, south: -2, expected: [7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0] },
  ])('has no data beyond pixels that begin or end within it: they lie $where', ({ east, south, expected }) => {
    expect(drawn(sevens, moved(east, south))).toEqual(expected);
  });

  test.each([
    { where: 'east', east: 6, south: 0 },
    { where: 'west', east: -6, south: 0 },
    { where: 'south', east: 0, south: 5 },
    { where: 'north', east: 0, south: -5 },
  ])('is none where its pixels lie $where of the grid', ({ east, south }) => {
    expect(drawn(sevens, moved(east, south))).toBeUndefined();
  });

  test('is interpolated between the pixels of a coarser band; classes are not', () => {
    const coarse = { ...aGrid(2, 2), pixelWidth: 20, pixelHeight: 20 };
    expect(drawn(Uint16Array.of(4, 8, 4, 8), coarse)!.slice(0, 4)).toEqual([4, 5, 7, 8]);
    expect(drawn(Uint8Array.of(4, 8, 4, 8), coarse, 'scl')!.slice(0, 4)).toEqual([4, 4, 8, 8]);
  });

  test('has 0 for numbers of 16 bits, of which Sentinel-2 has 15, and mixes none of them into its neighbours', () => {
    const numbers = Uint16Array.from({ length: 12 }, (_, k) => (k % 4 === 0 ? 64_536 : 32_767));
    expect(drawn(numbers)!.slice(0, 2)).toEqual([0, 32_767]);
    const shifted = { ...grid, originX: grid.originX + 4 };
    expect(drawn(numbers, shifted)!.slice(0, 3)).toEqual([0, 32_767, 32_767]);
    expect(
      drawn(
        Uint8Array.from({ length: 12 }, () => 255),
        grid,
        'scl',
      )![0],
    ).toBe(0);
  });

  test('has 0 where a value lies below 0, which no reflectance does', () => {
    const data = Int16Array.from({ length: 12 }, (_, k) => (k === 0 ? -5 : 300));
    expect(drawn(data)!.slice(0, 2)).toEqual([0, 300]);
  });
});
