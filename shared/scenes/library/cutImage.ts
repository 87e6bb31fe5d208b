import { gridOfFile, type Scene, type SceneFile } from '../item/scene.js';
import type { GeoBox } from '../place/footprint.js';
import type { SceneReader } from '../pixels/pixelPorts.js';
import { windowGrid, type Grid } from '../../geo/grid/grid.js';
import { cutOut, type Pixels } from '../../raster/tiff/pixels.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { windowOfBox } from './sceneRegion.js';

/** A file of a scene, cut to a box. */
export interface CutImage {
  readonly pixels: Pixels;
  readonly grid: Grid;
}

/** Which file is cut, and to which box in degrees. */
export interface Cut {
  readonly scene: Scene;
  readonly file: SceneFile;
  readonly box: GeoBox;
}

/** Ground around the box, so that interpolation has neighbours at its edge. */
const MARGIN_PIXELS = 3;

/**
 * Reads what a file shows of a box, three pixels more on each side.
 *
 * @returns undefined when the file doesn't reach the box; the error of a file that is broken for good
 * @throws RasterError when the files are away
 */
export async function readCut(
  reader: Pick<SceneReader, 'read'>,
  { scene, file, box }: Cut,
  signal: AbortSignal,
): Promise<CutImage | RasterError | undefined> {
  const grid = gridOfFile(scene, file);
  const window = windowOfBox(grid, box, MARGIN_PIXELS);
  if (window === undefined) return undefined;
  const [pixels = new RasterError('corrupt', `${scene.id}: pixels are missing`)] = await reader.read(scene, file, {
    windows: [window],
    signal,
  });
  return pixels instanceof RasterError ? pixels : { pixels, grid: windowGrid(grid, window) };
}

/** No data, and clouds with thin cirrus, in the scene classification (SCL). */
const NODATA_CLASS = 0;
const CLOUD_CLASSES: ReadonlySet<number> = new Set([8, 9, 10]);

/**
 * The share of clouds among the pixels with data that a classification shows of a box, 0–100; undefined without data.
 *
 * In whole tenths: small differences must not outweigh the day when the clearest passes are chosen.
 */
export function cloudPercentOf({ pixels, grid }: CutImage, box: GeoBox): number | undefined {
  const window = windowOfBox(grid, box);
  if (window === undefined) return undefined;
  let [clouded, shown] = [0, 0];
  for (const value of cutOut(pixels.data, pixels.width, window)) {
    if (value !== NODATA_CLASS) shown += 1;
    if (CLOUD_CLASSES.has(value)) clouded += 1;
  }
  return shown === 0 ? undefined : Math.round((1000 * clouded) / shown) / 10;
}
