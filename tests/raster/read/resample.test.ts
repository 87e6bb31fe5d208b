import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toMapPoint, windowGrid, type Grid } from '../../../shared/geo/grid/grid.js';
import type { Pixels } from '../../../shared/raster/tiff/pixels.js';
import { resample, sourceWindow } from '../../../shared/raster/read/resample.js';
import { projectionOf } from '../../../shared/geo/grid/utm.js';
import { aGrid } from '../samples.js';

const NODATA = -9999;

/** A grid of the neighbouring zone that covers the same place as `aGrid`. */
function neighbour(width: number, height: number): Grid {
  const [longitude, latitude] = projectionOf(32633).toPosition([359_140, 5_352_340]);
  const [x, y] = projectionOf(32632).toMap([longitude, latitude]);
  return { ...aGrid(width, height), epsg: 32632, originX: Math.round(x / 10) * 10, originY: Math.round(y / 10) * 10 };
}

/** A plane over the ground: its value is a linear function of longitude and latitude. */
const planeAt = ([longitude, latitude]: readonly [number, number]): number =>
  (longitude - 13) * 1000 + (latitude - 48) * 700;

function planeOn(grid: Grid): Pixels {
  const projection = projectionOf(grid.epsg);
  const data = Float32Array.from({ length: grid.width * grid.height }, (_, index) => {
    const pixel = [(index % grid.width) + 0.5, Math.floor(index / grid.width) + 0.5] as const;
    return planeAt(projection.toPosition(toMapPoint(grid, pixel)));
  });
  return { width: grid.width, height: grid.height, bands: 1, data };
}

describe('a raster drawn on another grid', () => {
  test.each([
    { why: 'the neighbouring zone', from: neighbour(260, 260) },
    {
      why: 'longitude and latitude',
      from: {
        epsg: 4326,
        originX: 13.09,
        originY: 48.32,
        pixelWidth: 0.00012,
        pixelHeight: 0.00009,
        width: 500,
        height: 500,
      },
    },
  ])('a plane stays a plane: $why', ({ from }) => {
    const to = { ...windowGrid(aGrid(0, 0), { column: 10, row: 10, width: 90, height: 100 }) };
    const window = sourceWindow(from, to);
    const found = resample(planeOn(windowGrid(from, window)), {
      from: windowGrid(from, window),
      to,
      nodata: NODATA,
      by: 'bilinear',
    });
    const expected = planeOn(to);
    // 1e-4 of a pixel: 10 m are about 0.13 of the plane's units.
    found.data.forEach((value, index) => {
      expect(Math.abs(value - expected.data[index]!)).toBeLessThan(2e-4);
    });
  });

  test('the window asked of the source is just large enough', () => {
    const from = neighbour(400, 400);
    const to = windowGrid(aGrid(0, 0), { column: 20, row: 20, width: 33, height: 20 });
    const window = sourceWindow(from, to);
    const found = resample(planeOn(windowGrid(from, window)), {
      from: windowGrid(from, window),
      to,
      nodata: NODATA,
      by: 'bilinear',
    });
    expect(found.data.includes(NODATA)).toBe(false);
    expect(window.width).toBeLessThanOrEqual(33 + 8);
  });

  test('onto its own grid it is itself', () => {
    const grid = aGrid(20, 17);
    const any = fc.uint8Array({ minLength: 340, maxLength: 340 });
    fc.assert(
      fc.property(any, fc.constantFrom('bilinear' as const, 'nearest' as const), (data, by) => {
        const pixels = { width: 20, height: 17, bands: 1, data };
        expect(resample(pixels, { from: grid, to: grid, nodata: 256, by }).data).toEqual(data);
      }),
    );
  });

  test('half a pixel aside is the mean of two, rounded for whole numbers', () => {
    const from = aGrid(4, 1);
    const to = { ...aGrid(3, 1), originX: from.originX + 5 };
    const pixels = { width: 4, height: 1, bands: 1, data: Uint16Array.of(10, 20, 31, 0) };
    expect([...resample(pixels, { from, to, nodata: 9, by: 'bilinear' }).data]).toEqual([15, 26, 16]);
  });

  test('pixels without data take no part; less than half of data is none', () => {
    const from = aGrid(4, 1);
    const pixels = { width: 4, height: 1, bands: 1, data: Uint16Array.of(10, 0, 30, 40) };
    const at = (metres: number): number =>
      resample(pixels, { from, to: { ...aGrid(1, 1), originX: from.originX + metres }, nodata: 0, by: 'bilinear' })
        .data[0]!;
    expect(at(4)).toBe(10);
    expect(at(6)).toBe(0);
    expect(at(14)).toBe(0);
    expect(at(16)).toBe(30);
  });

  test('beyond the source is nodata', () => {
    const pixels = { width: 2, height: 2, bands: 1, data: Uint8Array.of(1, 2, 3, 4) };
    const to = { ...aGrid(4, 4), originX: 359_130, originY: 5_352_350 };
    for (const by of ['bilinear', 'nearest'] as const) {
      expect([...resample(pixels, { from: aGrid(2, 2), to, nodata: 255, by }).data]).toEqual([
        ...[255, 255, 255, 255],
        ...[255, 1, 2, 255],
        ...[255, 3, 4, 255],
        ...[255, 255, 255, 255],
      ]);
    }
  });

  test('classes of 20 m double exactly onto 10 m, every band', () => {
    const from = { ...aGrid(2, 1), pixelWidth: 20, pixelHeight: 20 };
    const pixels = { width: 2, height: 1, bands: 2, data: Uint8Array.of(4, 9, 1, 2) };
    expect([...resample(pixels, { from, to: aGrid(4, 2), nodata: 0, by: 'nearest' }).data]).toEqual([
      ...[4, 4, 9, 9, 4, 4, 9, 9],
      ...[1, 1, 2, 2, 1, 1, 2, 2],
    ]);
  });
});
