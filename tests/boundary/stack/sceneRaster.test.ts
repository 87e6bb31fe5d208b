import { describe, expect, test } from '@jest/globals';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import type { SampleArray } from '../../../shared/raster/tiff/pixels.js';
import { imageOnGrid } from '../../../shared/boundary/stack/sceneRaster.js';
import { aGrid } from '../../raster/samples.js';
import { buildTiff } from '../../raster/tiffBuilder.js';

const grid = aGrid(4, 3);
/** A grid so many pixels to the east and to the south. */
const moved = (east: number, south: number): Grid => ({
  ...grid,
  originX: grid.originX + 10 * east,
  originY: grid.originY - 10 * south,
});
const file = (data: SampleArray, on: Grid = grid, nodata = 0): Promise<Uint8Array> =>
  encodeCog({ grid: on, nodata, pixels: { width: on.width, height: on.height, bands: 1, data } });
const drawn = async (bytes: Uint8Array | Promise<Uint8Array>, name: 'B04' | 'SCL' = 'B04') => {
  const pixels = await imageOnGrid(grid, { name, bytes: await bytes });
  return pixels && [...pixels];
};
const sevens = Uint16Array.from({ length: 12 }, () => 7);

describe('an image of a scene on the grid of the search region', () => {
  test.each([
    { where: 'east of the grid', east: 3, south: 0, expected: [0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 7] },
    { where: 'west of it', east: -3, south: 0, expected: [7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0] },
    { where: 'south of it', east: 0, south: 2, expected: [0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7] },
    { where: 'north of it', east: 0, south: -2, expected: [7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0] },
  ])('has no data beyond a file that begins or ends within it: a file $where', async ({ east, south, expected }) => {
    expect(await drawn(file(sevens, moved(east, south)))).toEqual(expected);
  });

  test.each([
    { where: 'east', east: 6, south: 0 },
    { where: 'west', east: -6, south: 0 },
    { where: 'south', east: 0, south: 5 },
    { where: 'north', east: 0, south: -5 },
  ])('is none where the file lies $where of the grid', async ({ east, south }) => {
    expect(await drawn(file(sevens, moved(east, south)))).toBeUndefined();
  });

  test('is interpolated between the pixels of a coarser band; classes are not', async () => {
    const coarse = { ...aGrid(2, 2), pixelWidth: 20, pixelHeight: 20 };
    const bands = (await drawn(file(Uint16Array.of(4, 8, 4, 8), coarse)))!;
    expect(bands.slice(0, 4)).toEqual([4, 5, 7, 8]);
    const classes = (await drawn(file(Uint8Array.of(4, 8, 4, 8), coarse), 'SCL'))!;
    expect(classes.slice(0, 4)).toEqual([4, 4, 8, 8]);
  });

  test('has 0 where the file says no data, whatever number says so', async () => {
    const numbers = Uint16Array.from({ length: 12 }, (_, k) => (k % 2 === 0 ? 65_535 : 300 + k));
    expect((await drawn(file(numbers, grid, 65_535)))!.slice(0, 4)).toEqual([0, 301, 0, 303]);
    const fractions = Float32Array.from(numbers, (value) => (value === 65_535 ? -9999 : value / 10_000));
    const found = (await drawn(file(fractions, grid, -9999)))!;
    expect(found[0]).toBe(0);
    expect(found[1]).toBeCloseTo(301, 2);
  });

  test('has 0 for numbers of 16 bits, of which Sentinel-2 has 15, and mixes none of them into its neighbours', async () => {
    const numbers = Uint16Array.from({ length: 12 }, (_, k) => (k % 4 === 0 ? 64_536 : 32_767));
    expect((await drawn(file(numbers)))!.slice(0, 2)).toEqual([0, 32_767]);
    expect((await drawn(file(Float32Array.from(numbers))))!.slice(0, 2)).toEqual([0, 32_767]);
    const shifted = { ...grid, originX: grid.originX + 4 };
    expect((await drawn(file(numbers, shifted)))!.slice(0, 3)).toEqual([0, 32_767, 32_767]);
    expect((await drawn(file(Uint8Array.from({ length: 12 }, () => 255)), 'SCL'))![0]).toBe(0);
  });

  test('has 0 where a value lies below 0, which no reflectance does', async () => {
    const data = Int16Array.of(-5, 300, 0, 1);
    const pixels = { width: 4, height: 1, bands: 1, data };
    expect((await drawn(buildTiff({ pixels })))!.slice(0, 4)).toEqual([0, 300, 0, 1]);
    const fractions = Float32Array.from({ length: 12 }, (_, k) => (k === 0 ? -0.5 : 0.03));
    expect((await drawn(file(fractions)))![0]).toBe(0);
  });

  test.each([
    { largest: 10, factor: 10_000, why: 'as bright as ten times white is still a fraction' },
    { largest: 10.5, factor: 1, why: 'more is a number × 10000 already' },
  ])('of decimal numbers up to $largest is taken × $factor: $why', async ({ largest, factor }) => {
    const data = Float32Array.from({ length: 12 }, (_, k) => (k === 3 ? largest : 0.5));
    const found = (await drawn(file(data)))!;
    expect([found[3], found[0]]).toEqual([largest * factor, 0.5 * factor]);
  });

  test('does not take the number for no data for a brightness', async () => {
    const data = Float32Array.from({ length: 12 }, (_, k) => (k === 3 ? 99_999 : 0.5));
    expect((await drawn(file(data, grid, 99_999)))!.slice(2, 4)).toEqual([5_000, 0]);
  });
});

describe('a file that is none', () => {
  const plain = { width: 4, height: 1, bands: 1, data: Uint16Array.of(1, 2, 3, 4) };
  test.each([
    { why: 'says nowhere where it lies', tags: { 33550: null, 33922: null, 34735: null }, text: 'where it lies' },
    {
      why: 'has more than 16 million pixels over the region',
      tags: { 256: [4, [4001]], 257: [4, [4000]], 278: [4, [4000]] },
      text: 'too fine',
    },
  ] as const)('$why is refused', async ({ tags, text }) => {
    const wide = aGrid(5000, 5000);
    await expect(imageOnGrid(wide, { name: 'B04', bytes: buildTiff({ pixels: plain, tags }) })).rejects.toThrow(text);
  });
});
