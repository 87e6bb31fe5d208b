import { coarserWindow, windowGrid, withMargin, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import { resample, sourceWindow } from '../../raster/read/resample.js';
import { SCL_MARGIN_PIXELS } from '../layers/visibility.js';

/** The grids a field is drawn on. */
export interface FieldWindow {
  /** 10 m, on whole pixels of 20 m. */
  readonly grid: Grid;
  /** 20 m, larger by `SCL_MARGIN_PIXELS` on each side. */
  readonly sclGrid: Grid;
}

/** The grids of a field. @param grid its own, see `fieldGridOf` */
export function fieldWindowOf(grid: Grid): FieldWindow {
  const coarse: Grid = { ...grid, pixelWidth: 20, pixelHeight: 20 };
  const whole = { column: 0, row: 0, width: grid.width, height: grid.height };
  return { grid, sclGrid: windowGrid(coarse, withMargin(coarserWindow(whole, 2), SCL_MARGIN_PIXELS)) };
}

/** Where a file has the pixels of a window on another grid. */
export interface Placement {
  /** What to read of the file. */
  readonly window: PixelWindow;
  /** Whether the file's pixels are the window's pixels, only shifted. */
  readonly isAligned: boolean;
}

/** Finds the pixels of a file that a window needs. @param file grid of the file @param target grid of the window */
export function placementIn(file: Grid, target: Grid): Placement {
  const column = (target.originX - file.originX) / file.pixelWidth;
  const row = (file.originY - target.originY) / file.pixelHeight;
  const isAligned =
    file.epsg === target.epsg &&
    file.pixelWidth === target.pixelWidth &&
    Number.isInteger(column) &&
    Number.isInteger(row);
  return isAligned
    ? { window: { column, row, width: target.width, height: target.height }, isAligned }
    : { window: sourceWindow(file, target), isAligned };
}

/** Draws pixels of a file on the grid of the window. @param by `nearest` for classes */
export function drawnOn(
  pixels: Pixels,
  { file, target, by }: { readonly file: Grid; readonly target: Grid; readonly by: 'bilinear' | 'nearest' },
): Pixels {
  const { window, isAligned } = placementIn(file, target);
  return isAligned ? pixels : resample(pixels, { from: windowGrid(file, window), to: target, nodata: 0, by });
}
