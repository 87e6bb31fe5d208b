import { describe, expect, test } from '@jest/globals';
import { halved, pyramid } from '../../../shared/raster/write/overviews.js';

const of = (width: number, height: number, data: Uint8Array | Float32Array) => ({ width, height, bands: 1, data });

describe('a picture at half the size', () => {
  test('takes the mean of the pixels with data, rounded for whole numbers', () => {
    const pixels = of(4, 2, Uint8Array.of(10, 20, 255, 255, 30, 41, 255, 7));
    expect(halved(pixels, { nodata: 255, by: 'average' })).toEqual(of(2, 1, Uint8Array.of(25, 7)));
  });

  test('has no data where none of four pixels has', () => {
    const pixels = of(2, 2, Float32Array.of(-9999, -9999, NaN, -9999));
    expect(halved(pixels, { nodata: -9999, by: 'average' })).toEqual(of(1, 1, Float32Array.of(-9999)));
  });

  test('odd sides are rounded up, the last pixels stand alone', () => {
    const pixels = of(3, 3, Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
    expect(halved(pixels, { nodata: 0, by: 'average' })).toEqual(of(2, 2, Float32Array.of(3, 4.5, 7.5, 9)));
  });

  test('classes are not mixed: the upper left of four pixels', () => {
    const pixels = { width: 3, height: 2, bands: 2, data: Uint8Array.of(4, 9, 5, 1, 1, 1, 6, 7, 8, 2, 2, 2) };
    expect(halved(pixels, { nodata: 0, by: 'nearest' }).data).toEqual(Uint8Array.of(4, 5, 6, 8));
  });
});

describe('the smaller versions of a picture', () => {
  test('go down until one fits into a tile', () => {
    const pixels = of(1100, 300, new Uint8Array(330_000));
    const sizes = pyramid(pixels, 256, { nodata: 0, by: 'nearest' }).map(({ width, height }) => [width, height]);
    expect(sizes).toEqual([
      [1100, 300],
      [550, 150],
      [275, 75],
      [138, 38],
    ]);
  });
});
