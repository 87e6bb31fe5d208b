import { beforeAll, describe, expect, test } from '@jest/globals';
import { readLayer } from '../../console/cog/readLayer.js';
import type { FetchPicture } from '../../console/map/mapScene.js';
import { exactValues, valueAt } from '../../console/map/readValue.js';
import { encodeCog } from '../../shared/raster/write/encodeCog.js';
import { toMapPoint, type Grid } from '../../shared/geo/grid/grid.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { aCog, aGrid, somePixels } from '../raster/samples.js';

const signal = new AbortController().signal;
/** Larger than a tile, so that the file has overviews of half and quarter size. */
const size = { width: 1100, height: 700 };
const pixels = somePixels('uint8', size.width, size.height);
const grid: Grid = aGrid(size.width, size.height);
let file: Uint8Array;
let asked = 0;

const fetchPicture: FetchPicture = (_path, range) => {
  asked += 1;
  const [first = 0, last = 0] = range.replace('bytes=', '').split('-').map(Number);
  const piece = Uint8Array.from(file.subarray(first, last + 1));
  const headers = { 'content-range': `bytes ${first}-${first + piece.length - 1}/${file.length}` };
  return Promise.resolve(new Response(piece.buffer, { status: 206, headers }));
};

const placeOf = (column: number, row: number) =>
  projectionOf(grid.epsg).toPosition(toMapPoint(grid, [column + 0.5, row + 0.5]));

beforeAll(async () => {
  file = await encodeCog(aCog({ pixels, nodata: 255 }));
});

describe('a layer read in the browser', () => {
  test('has every value of the file', async () => {
    const layer = await readLayer('north/vegetation.tif', fetchPicture, 1, signal);
    expect(layer).toMatchObject({ grid, nodata: 255, isFullSize: true });
    expect(Buffer.compare(layer.pixels.data as Uint8Array, pixels.data as Uint8Array)).toBe(0);
  });

  test.each([
    { metres: 9, width: 1100, pixelWidth: 10 },
    { metres: 19, width: 1100, pixelWidth: 10 },
    { metres: 25, width: 550, pixelWidth: 20 },
    // 1100 / 8 is no whole number: the last pixel reaches beyond the field.
    { metres: 100, width: 138, pixelWidth: 80 },
  ])('at $metres m to a pixel of the screen has $width pixels of $pixelWidth m', async (expected) => {
    const { metres, width, pixelWidth } = expected;
    const layer = await readLayer('north/vegetation.tif', fetchPicture, metres, signal);
    expect(layer.pixels.width).toBe(width);
    const { originX, originY } = grid;
    expect(layer.grid).toMatchObject({ originX, originY, width, pixelWidth, pixelHeight: pixelWidth });
  });
});

describe('the value at a place', () => {
  test('is that of the pixel it lies in, and none outside', async () => {
    const layer = await readLayer('north/vegetation.tif', fetchPicture, 1, signal);
    for (const [column, row] of [
      [0, 0],
      [1099, 699],
      [417, 305],
    ] as const) {
      expect(valueAt(layer, placeOf(column, row))).toBe(pixels.data[row * size.width + column]);
    }
    expect(valueAt(layer, placeOf(-1, 0))).toBeUndefined();
    expect(valueAt(layer, placeOf(1100, 699))).toBeUndefined();
  });

  test('is the file’s own while an overview is shown: a piece of it is read around the place, once', async () => {
    let tell = (): void => undefined;
    const exact = exactValues(fetchPicture, () => {
      tell();
    });
    const isRead = new Promise<void>((resolve) => {
      tell = resolve;
    });
    expect(exact.find('north/vegetation.tif', placeOf(417, 305))).toBeUndefined();
    await isRead;
    const before = asked;
    for (const [column, row] of [
      [417, 305],
      [300, 400],
      [511, 511],
    ] as const) {
      const layer = exact.find('north/vegetation.tif', placeOf(column, row));
      expect(layer === undefined ? undefined : valueAt(layer, placeOf(column, row))).toBe(
        pixels.data[row * size.width + column],
      );
    }
    expect(asked).toBe(before);
  });
});
