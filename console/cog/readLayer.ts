import type { Grid } from '../../shared/raster/grid.js';
import type { Pixels } from '../../shared/raster/pixels.js';
import { RasterError } from '../../shared/raster/rasterError.js';
import { openRaster, type Raster } from '../../shared/raster/rasterReader.js';
import { readWindows } from '../../shared/raster/windowReader.js';
import type { FetchPicture } from '../map/mapScene.js';
import { blobSource } from './blobSource.js';

/** A layer of one field and day, its values as stored. */
export interface LayerPixels {
  readonly pixels: Pixels;
  /** Where these pixels lie: the file's grid, or that of the overview. */
  readonly grid: Grid;
  readonly nodata: number | undefined;
}

/** The coarsest image whose pixels are at most `pixelSizeM`; the full-size one when all are coarser. */
function imageFor(raster: Raster, grid: Grid, pixelSizeM: number) {
  const fits = raster.overviews.filter(({ width }) => (grid.pixelWidth * grid.width) / width <= pixelSizeM);
  return fits.at(-1) ?? raster.image;
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
  const raster = await openRaster(blobSource(path, fetchPicture), signal);
  const { grid, nodata } = raster;
  if (grid === undefined) throw new RasterError('unsupported', `${path}: it does not say where it lies`);
  const image = imageFor(raster, grid, pixelSizeM);
  const { width, height } = image;
  const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width, height }], { image, signal });
  if (pixels === undefined) throw new RasterError('corrupt', `${path}: it has no pixels`);
  const pixelWidth = (grid.pixelWidth * grid.width) / width;
  const pixelHeight = (grid.pixelHeight * grid.height) / height;
  return { pixels, grid: { ...grid, width, height, pixelWidth, pixelHeight }, nodata };
}
