import { describe, expect, test } from '@jest/globals';
import { fromMercator, toMercator } from '../../console/map/mercator.js';
import { mercatorBoxOf, warp, type WarpedPicture } from '../../console/map/warp.js';
import { toMapPoint, toPixel, type Grid } from '../../shared/geo/grid/grid.js';
import { resample } from '../../shared/raster/read/resample.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';

const iowa: Grid = {
  epsg: 32615,
  originX: 500_030,
  originY: 4_596_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 73,
  height: 41,
};
/** At the edge of its zone the grid stands slanted on the map. */
const edge: Grid = { ...iowa, originX: 738_000, originY: 6_400_000 };
const south: Grid = { ...iowa, epsg: 32722, originY: 7_000_000 };

const numbered = ({ width, height }: Grid): Uint32Array =>
  Uint32Array.from({ length: width * height }, (_, index) => index + 1);

/** Place of a target pixel's centre. */
function centreOf({ box, width, height }: WarpedPicture, at: number) {
  const [column, row] = [at % width, Math.floor(at / width)];
  const x = box[0] + ((column + 0.5) * (box[2] - box[0])) / width;
  return fromMercator([x, box[3] - ((row + 0.5) * (box[3] - box[1])) / height]);
}

describe.each([
  { where: 'in the middle of a zone', grid: iowa },
  { where: 'at the edge of a zone', grid: edge },
  { where: 'south of the equator', grid: south },
])('a picture $where on the map', ({ grid }) => {
  const { toMap } = projectionOf(grid.epsg);

  test.each([1, 2, 5])('has at each of its pixels, %i to a source pixel, the source pixel it lies in', (parts) => {
    const picture = warp(grid, numbered(grid), parts);
    let wrong = 0;
    picture.colours.forEach((colour, at) => {
      const [column, row] = toPixel(grid, toMap(centreOf(picture, at)));
      const isInside = column >= 0 && row >= 0 && column < grid.width && row < grid.height;
      const expected = isInside ? Math.floor(row) * grid.width + Math.floor(column) + 1 : 0;
      // Interpolated places are right to a hundredth of a pixel: on the edge of two, either is.
      const isOnEdge = [column, row].some((place) => Math.abs(place - Math.round(place)) < 0.01);
      if (colour !== expected && !isOnEdge) wrong += 1;
    });
    expect(wrong).toBe(0);
  });

  test('shows every source pixel', () => {
    expect(new Set(warp(grid, numbered(grid), 5).colours.filter((colour) => colour > 0)).size).toBe(
      grid.width * grid.height,
    );
  });

  test('reaches as far as its grid does', () => {
    const box = mercatorBoxOf(grid);
    for (const [column, row] of [
      [0, 0],
      [grid.width, 0],
      [0, grid.height],
      [grid.width, grid.height],
    ] as const) {
      const [x, y] = toMercator(projectionOf(grid.epsg).toPosition(toMapPoint(grid, [column, row])));
      expect(x).toBeGreaterThanOrEqual(box[0] - 1e-6);
      expect(x).toBeLessThanOrEqual(box[2] + 1e-6);
      expect(y).toBeGreaterThanOrEqual(box[1] - 1e-6);
      expect(y).toBeLessThanOrEqual(box[3] + 1e-6);
    }
  });
});

describe('warping', () => {
  test('chooses the pixels that the service chooses when it draws one grid on another', () => {
    const picture = warp(iowa, numbered(iowa), 2);
    const { width, height, box } = picture;
    const degrees: Grid = {
      epsg: 4326,
      originX: fromMercator([box[0], box[3]])[0],
      originY: fromMercator([box[0], box[3]])[1],
      pixelWidth: (fromMercator([box[2], 0])[0] - fromMercator([box[0], 0])[0]) / width,
      pixelHeight: (fromMercator([0, box[3]])[1] - fromMercator([0, box[1]])[1]) / height,
      width,
      height,
    };
    const data = Uint16Array.from(numbered(iowa));
    const source = { width: iowa.width, height: iowa.height, bands: 1, data };
    const drawn = resample(source, { from: iowa, to: degrees, nodata: 0, by: 'nearest' });
    const different = drawn.data.filter((value, at) => value !== picture.colours[at]).length;
    // Rows of degrees and of mercator lie up to a thousandth of a pixel apart over this field.
    expect(different / drawn.data.length).toBeLessThan(0.002);
  });

  test('takes larger pixels where a picture would get more than three million', () => {
    const large = { ...iowa, width: 1000, height: 800 };
    const { width, height } = warp(large, numbered(large), 5);
    expect(width * height).toBeLessThan(3_010_000);
    expect(width * height).toBeGreaterThan(2_900_000);
  });
});
