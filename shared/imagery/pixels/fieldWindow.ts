import { coarserWindow, windowGrid, withMargin, type Grid, type PixelWindow } from '../../raster/grid.js';
import type { Pixels } from '../../raster/pixels.js';
import { resample, sourceWindow } from '../../raster/resample.js';
import { gridOfFile, type Scene } from '../catalogue/scene.js';
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

/** A field on the scene's own files: a band of 10 m, and the classification. */
export interface BandAndClasses {
  readonly scene: Scene;
  readonly band: Pixels;
  readonly classes: Pixels;
}

/**
 * A band with 0, no data, where the scene's own classification has none: beyond its datastrip a granule may hold any
 * number, and another granule has the good pixel.
 *
 * @param read around the field, by `placementIn`
 */
export function classifiedBand({ grid, sclGrid }: FieldWindow, { scene, band, classes }: BandAndClasses): Pixels {
  const { column, row } = placementIn(scene.grid, grid).window;
  const first = placementIn(gridOfFile(scene, 'scl'), sclGrid).window;
  const data = band.data.slice();
  for (let index = 0; index < data.length; index += 1) {
    const x = Math.floor((column + (index % band.width)) / 2) - first.column;
    const y = Math.floor((row + Math.floor(index / band.width)) / 2) - first.row;
    if (classes.data[y * classes.width + x] === 0) data[index] = 0;
  }
  return { ...band, data };
}

/** Draws pixels of a file on the grid of the window. @param by `nearest` for classes */
export function drawnOn(
  pixels: Pixels,
  { file, target, by }: { readonly file: Grid; readonly target: Grid; readonly by: 'bilinear' | 'nearest' },
): Pixels {
  const { window, isAligned } = placementIn(file, target);
  return isAligned ? pixels : resample(pixels, { from: windowGrid(file, window), to: target, nodata: 0, by });
}
