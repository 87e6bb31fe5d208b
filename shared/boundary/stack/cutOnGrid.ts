import { MOST_DN } from '../../scenes/layers/reflectance.js';
import { MOST_CLASS } from '../../scenes/layers/visibility.js';
import type { SceneFile } from '../../scenes/item/scene.js';
import type { CutImage } from '../../scenes/library/cutImage.js';
import { windowGrid, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { cutOut } from '../../raster/tiff/pixels.js';
import { resample, sourceWindow } from '../../raster/read/resample.js';

/**
 * A file of a scene drawn on the given grid: bands as reflectance × 10000 with 0 for no data, the classification (`scl`) as
 * its classes; what can be no number or class becomes 0.
 *
 * @returns undefined when the file doesn't reach the grid
 */
export function cutOnGrid(grid: Grid, file: SceneFile, cut: CutImage): Uint16Array | undefined {
  const window = overlap(sourceWindow(cut.grid, grid), cut.grid);
  if (window === undefined) return undefined;
  const [most, by] = file === 'scl' ? ([MOST_CLASS, 'nearest'] as const) : ([MOST_DN, 'bilinear'] as const);
  const data = Uint16Array.from(cutOut(cut.pixels.data, cut.pixels.width, window), (value) =>
    value >= 0 && value <= most ? value : 0,
  );
  const { width, height } = window;
  const from = windowGrid(cut.grid, window);
  return resample({ width, height, bands: 1, data }, { from, to: grid, nodata: 0, by }).data as Uint16Array;
}

function overlap({ column, row, width, height }: PixelWindow, size: Grid): PixelWindow | undefined {
  const [left, top] = [Math.max(0, column), Math.max(0, row)];
  const [right, bottom] = [Math.min(size.width, column + width), Math.min(size.height, row + height)];
  return right > left && bottom > top
    ? { column: left, row: top, width: right - left, height: bottom - top }
    : undefined;
}
