import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  boxOf,
  coarserWindow,
  isInside,
  toMapPoint,
  toPixel,
  windowAround,
  windowGrid,
  withMargin,
  type Grid,
} from '../../../shared/geo/grid/grid.js';

const tile: Grid = {
  epsg: 32633,
  originX: 300_000,
  originY: 5_400_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 10_980,
  height: 10_980,
};

describe('pixels and map points', () => {
  test('the north-west corner is pixel 0, 0 and rows count southward', () => {
    expect(toPixel(tile, [300_000, 5_400_000])).toEqual([0, 0]);
    expect(toPixel(tile, [300_025, 5_399_990])).toEqual([2.5, 1]);
    expect(boxOf(tile)).toEqual([300_000, 5_290_200, 409_800, 5_400_000]);
  });

  test('pixel → map → pixel returns', () => {
    const coordinate = fc.double({ min: -20_000, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(coordinate, coordinate, (column, row) => {
        const [backColumn, backRow] = toPixel(tile, toMapPoint(tile, [column, row]));
        expect(Math.abs(backColumn - column)).toBeLessThan(1e-9);
        expect(Math.abs(backRow - row)).toBeLessThan(1e-9);
      }),
    );
  });
});

describe('the window around a box', () => {
  test.each([
    { why: 'a box on pixel edges', box: [300_020, 5_399_960, 300_060, 5_399_980], step: 1, expected: [2, 2, 4, 2] },
    {
      why: 'any part of a pixel takes it whole',
      box: [300_021, 5_399_961, 300_059, 5_399_979],
      step: 1,
      expected: [2, 2, 4, 2],
    },
    { why: 'outward to even pixels', box: [300_031, 5_399_951, 300_052, 5_399_969], step: 2, expected: [2, 2, 4, 4] },
    { why: 'beyond the raster', box: [299_985, 5_399_990, 300_005, 5_400_011], step: 2, expected: [-2, -2, 4, 4] },
    {
      why: 'a box without extent still has a pixel',
      box: [300_020, 5_399_980, 300_020, 5_399_980],
      step: 1,
      expected: [2, 2, 1, 1],
    },
    {
      why: 'a rounding error at an edge adds no row',
      box: [300_019.9999999, 5_399_960, 300_060.0000001, 5_399_980],
      step: 1,
      expected: [2, 2, 4, 2],
    },
  ] as const)('$why', ({ box, step, expected }) => {
    const { column, row, width, height } = windowAround(tile, box, step);
    expect([column, row, width, height]).toEqual(expected);
  });

  test('an even window nests exactly in the pixels of twice the size', () => {
    const coordinate = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(coordinate, coordinate, fc.nat(2000), fc.nat(2000), (east, south, wide, high) => {
        const west = 300_000 + east;
        const north = 5_400_000 - south;
        const window = windowAround(tile, [west, north - high, west + wide, north], 2);
        const coarse = coarserWindow(window, 2);
        expect([window.column, window.row, window.width, window.height]).toEqual(
          [coarse.column, coarse.row, coarse.width, coarse.height].map((value) => value * 2),
        );
        expect(boxOf(windowGrid(tile, window))[0]).toBeLessThanOrEqual(west + 1e-4);
        expect(boxOf(windowGrid(tile, window))[3]).toBeGreaterThanOrEqual(north - 1e-4);
      }),
    );
  });

  test('an odd window is covered by the coarser one', () => {
    expect(coarserWindow({ column: -3, row: 1, width: 4, height: 2 }, 2)).toEqual({
      column: -2,
      row: 0,
      width: 3,
      height: 2,
    });
  });

  test('a margin goes on each side and may leave the raster', () => {
    const window = withMargin({ column: 1, row: 5, width: 4, height: 4 }, 2);
    expect(window).toEqual({ column: -1, row: 3, width: 8, height: 8 });
    expect(isInside(window, tile)).toBe(false);
    expect(isInside({ column: 0, row: 0, width: 10_980, height: 10_980 }, tile)).toBe(true);
    expect(isInside({ column: 1, row: 0, width: 10_980, height: 10_980 }, tile)).toBe(false);
  });
});
