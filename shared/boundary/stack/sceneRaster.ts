import type { SceneImage } from '../../jobs/dataManager/scenes.js';
import { MOST_DN } from '../../scenes/layers/reflectance.js';
import { MOST_CLASS } from '../../scenes/layers/visibility.js';
import { windowGrid, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { memorySource } from '../../raster/read/memorySource.js';
import type { SampleArray } from '../../raster/tiff/pixels.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { openRaster, type Raster } from '../../raster/read/rasterReader.js';
import { resample, sourceWindow } from '../../raster/read/resample.js';
import { readWindows } from '../../raster/read/windowReader.js';

/** Most pixels that are read of one file. */
const MOST_PIXELS = 16_000_000;
/** A band whose largest value is at most this holds reflectance as a fraction, else × 10000. */
const LARGEST_FRACTION = 10;

/**
 * One image of a scene on the given grid, from the bytes of its GeoTIFF: bands as reflectance × 10000 with 0 for no
 * data, the classification (SCL) as its classes.
 *
 * @returns undefined when the file doesn't reach the grid
 * @throws RasterError or RangeError for a file that can't be read or placed
 */
export async function imageOnGrid(
  grid: Grid,
  { name, bytes }: { readonly name: SceneImage; readonly bytes: Uint8Array },
): Promise<Float32Array | Uint16Array | undefined> {
  const raster = await openRaster(memorySource(bytes, name));
  if (raster.grid === undefined) throw new RasterError('unsupported', `${name}: the file does not say where it lies`);
  if (name !== 'SCL' && raster.image.sampleType === 'uint8') {
    throw new RasterError('unsupported', `${name}: 8-bit values are a picture, no reflectance`);
  }
  const window = overlap(sourceWindow(raster.grid, grid), raster.image);
  if (window === undefined) return undefined;
  if (window.width * window.height > MOST_PIXELS)
    throw new RasterError('too_large', `${name}: its pixels are too fine`);
  const [pixels] = await readWindows(raster, [window]);
  if (pixels === undefined) return undefined;
  const { width, height, data } = pixels;
  const most = name === 'SCL' ? MOST_CLASS : MOST_DN;
  const numbers = numbersOf(data.subarray(0, width * height), { nodata: raster.nodata ?? 0, most });
  const from = windowGrid(raster.grid, window);
  const by = name === 'SCL' ? 'nearest' : 'bilinear';
  return resample({ width, height, bands: 1, data: numbers }, { from, to: grid, nodata: 0, by }).data as typeof numbers;
}

function overlap({ column, row, width, height }: PixelWindow, size: Raster['image']): PixelWindow | undefined {
  const [left, top] = [Math.max(0, column), Math.max(0, row)];
  const [right, bottom] = [Math.min(size.width, column + width), Math.min(size.height, row + height)];
  return right > left && bottom > top
    ? { column: left, row: top, width: right - left, height: bottom - top }
    : undefined;
}

/** No data, and what can be no number or class, becomes 0, a fraction becomes × 10000. */
function numbersOf(
  data: SampleArray,
  { nodata, most }: { readonly nodata: number; readonly most: number },
): Float32Array | Uint16Array {
  const isNone = (value: number): boolean => !(value >= 0 && value <= most) || value === nodata;
  if (!(data instanceof Float32Array)) return Uint16Array.from(data, (value) => (isNone(value) ? 0 : value));
  const factor = largestOf(data, isNone) <= LARGEST_FRACTION ? 10_000 : 1;
  return Float32Array.from(data, (value) => (isNone(value) ? 0 : value * factor));
}

function largestOf(data: SampleArray, isNone: (value: number) => boolean): number {
  let largest = 0;
  for (const value of data) if (!isNone(value) && value > largest) largest = value;
  return largest;
}
