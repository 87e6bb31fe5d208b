import type { Grid } from '../../shared/geo/grid/grid.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import type { LayerPixels } from '../cog/readLayer.js';

/** What stands for no value in a difference. */
const NODATA = NaN;

/** The value of a pixel; undefined without data, and beside the grid. */
function valueIn({ pixels, grid, nodata }: LayerPixels, column: number, row: number): number | undefined {
  if (column < 0 || row < 0 || column >= grid.width || row >= grid.height) return undefined;
  const value = pixels.data[row * grid.width + column];
  return value === nodata || Number.isNaN(value) ? undefined : value;
}

const isSameKind = (one: Grid, other: Grid): boolean =>
  one.epsg === other.epsg && one.pixelWidth === other.pixelWidth && one.pixelHeight === other.pixelHeight;

/**
 * What each pixel has more on the later day; without data where one of both has none. Pictures of a field lie on the same
 * grid but for a whole number of pixels: each pixel is compared with the one at its place.
 *
 * @throws RasterError where the grids are not of one projection and size of pixel
 */
export function differenceOf(later: LayerPixels, earlier: LayerPixels): LayerPixels {
  const [grid, other] = [later.grid, earlier.grid];
  if (!isSameKind(grid, other)) {
    throw new RasterError('unsupported', 'the pictures of the two days lie on different grids');
  }
  const right = Math.round((grid.originX - other.originX) / grid.pixelWidth);
  const down = Math.round((other.originY - grid.originY) / grid.pixelHeight);
  const data = new Float32Array(grid.width * grid.height).fill(NODATA);
  for (let row = 0; row < grid.height; row += 1) {
    for (let column = 0; column < grid.width; column += 1) {
      const [after, before] = [valueIn(later, column, row), valueIn(earlier, column + right, row + down)];
      if (after !== undefined && before !== undefined) data[row * grid.width + column] = after - before;
    }
  }
  return { ...later, nodata: NODATA, isFullSize: true, pixels: { ...later.pixels, bands: 1, data } };
}
