import { windowGrid, type Grid, type PixelWindow } from '../../shared/geo/grid/grid.js';
import type { Pixels } from '../../shared/raster/tiff/pixels.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import { openRaster, type Raster } from '../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../shared/raster/read/windowReader.js';
import type { FetchPicture } from '../map/mapScene.js';
import { blobSource } from './blobSource.js';

/** A layer of one field and day, its values as stored. */
export interface LayerPixels {
  readonly pixels: Pixels;
  /** Where these pixels lie: the file's grid, or that of the overview. */
  readonly grid: Grid;
  readonly nodata: number | undefined;
  /** False for an overview, whose values are means. */
  readonly isFullSize: boolean;
}

/** Full-size pixels along a side of an image's pixel, a power of two: its last column may reach beyond the grid. */
const factorOf = (grid: Grid, { width }: { readonly width: number }): number =>
  2 ** Math.round(Math.log2(grid.width / width));

/** The coarsest image whose pixels are at most `pixelSizeM`; the full-size one when all are coarser. */
function imageFor(raster: Raster, grid: Grid, pixelSizeM: number) {
  const fits = raster.overviews.filter((overview) => grid.pixelWidth * factorOf(grid, overview) <= pixelSizeM);
  return fits.at(-1) ?? raster.image;
}

/** A layer's file, opened; its grid is known. */
export interface LayerFile {
  readonly raster: Raster;
  readonly grid: Grid;
}

/** @throws RasterError, or the signal's reason */
export async function openLayer(path: string, fetchPicture: FetchPicture, signal: AbortSignal): Promise<LayerFile> {
  const raster = await openRaster(blobSource(path, fetchPicture), signal);
  if (raster.grid === undefined) throw new RasterError('unsupported', `${path}: it does not say where it lies`);
  return { raster, grid: raster.grid };
}

/** A rectangle of a file's full-size pixels. */
export async function readPart(file: LayerFile, window: PixelWindow, signal: AbortSignal): Promise<LayerPixels> {
  const [pixels] = await readWindows(file.raster, [window], { signal });
  if (pixels === undefined) throw new RasterError('corrupt', `${file.raster.source.name}: it has no pixels`);
  return { pixels, grid: windowGrid(file.grid, window), nodata: file.raster.nodata, isFullSize: true };
}

/**
 * Reads a layer: one request of 32 KB for most fields.
 *
 * @param pixelSizeM metres on the ground that need no finer pixel: an overview is read where the file has one
 * @throws RasterError, or the signal's reason
 */
export async function readLayer(
  path: string,
  fetchPicture: FetchPicture,
  pixelSizeM: number,
  signal: AbortSignal,
): Promise<LayerPixels> {
  const { raster, grid } = await openLayer(path, fetchPicture, signal);
  const image = imageFor(raster, grid, pixelSizeM);
  const { width, height } = image;
  const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width, height }], { image, signal });
  if (pixels === undefined) throw new RasterError('corrupt', `${path}: it has no pixels`);
  const factor = factorOf(grid, image);
  const [pixelWidth, pixelHeight] = [grid.pixelWidth * factor, grid.pixelHeight * factor];
  const isFullSize = image === raster.image;
  return { pixels, grid: { ...grid, width, height, pixelWidth, pixelHeight }, nodata: raster.nodata, isFullSize };
}
