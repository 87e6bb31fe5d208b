import type { Clock } from '../../../kit/clock.js';
import { toPixel } from '../../../geo/grid/grid.js';
import { httpRangeSource } from '../../../raster/read/httpRangeSource.js';
import type { Pixels } from '../../../raster/tiff/pixels.js';
import { RasterError } from '../../../raster/tiff/rasterError.js';
import { openRaster, type Raster } from '../../../raster/read/rasterReader.js';
import { readWindows } from '../../../raster/read/windowReader.js';
import type { TerrainSource } from './fieldHeight.js';
import { terrainTileName, terrainTileOf } from './terrainTile.js';
import { type GroundPoint, WeatherError } from '../weatherSource.js';

interface TerrainOptions {
  /** The folder of the tiles, such as https://copernicus-dem-90m.s3.amazonaws.com */
  readonly url: string;
  readonly clock: Clock;
}

const provider = 'copernicus-dem';
/** Rows of the overview that is read: about 370 m a pixel, so that a single tree or barn does not count. */
const overviewRows = 300;
const timeoutMs = 10_000;
/** The first try and one more: without the height a job has a warning, and does not fail. */
const tries = 2;

/**
 * Heights of the ground from Copernicus DEM GLO-90: two requests and at most 400 kB a place.
 *
 * @see https://registry.opendata.aws/copernicus-dem/
 */
export const terrainSource = ({ url, clock }: TerrainOptions): TerrainSource => ({
  heightAt: async (place, signal) => {
    const tile = terrainTileOf(place);
    const name = terrainTileName(tile);
    const file = httpRangeSource(`${url}/${name}/${name}.tif`, { clock, attempts: tries, timeoutMs });
    try {
      const raster = await openRaster(file, signal);
      // The tile of a field at 180° begins at −180°.
      const longitude = place.longitude - tile.west >= 180 ? place.longitude - 360 : place.longitude;
      return await heightIn(raster, { ...place, longitude }, signal);
    } catch (error) {
      if (!(error instanceof RasterError)) throw error;
      if (isNoTile(error)) return undefined;
      throw new WeatherError('unavailable', provider, 'could not be read.', { cause: error });
    }
  },
});

/** Where the bucket has no tile, it answers 403 or 404, depending on the caller's rights. */
const isNoTile = ({ kind }: RasterError): boolean => kind === 'refused';

async function heightIn(raster: Raster, { latitude, longitude }: GroundPoint, signal?: AbortSignal): Promise<number> {
  const { grid, image: full } = raster;
  if (grid?.epsg !== 4326) throw new RasterError('unsupported', 'a terrain tile that is not on EPSG:4326');
  const image = raster.overviews.findLast(({ height }) => height >= overviewRows) ?? full;
  const [column, row] = toPixel(grid, [longitude, latitude]);
  const x = within((column * image.width) / full.width - 0.5, image.width);
  const y = within((row * image.height) / full.height - 0.5, image.height);
  const window = { column: Math.min(Math.floor(x), image.width - 2), row: Math.min(Math.floor(y), image.height - 2) };
  const [pixels] = await readWindows(raster, [{ ...window, width: 2, height: 2 }], {
    image,
    ...(signal && { signal }),
  });
  const height = pixels === undefined ? NaN : between(pixels, x - window.column, y - window.row);
  // The lowest land lies 430 m below the sea, the highest 8,849 m above it.
  if (!(height > -500 && height < 9000)) throw new RasterError('corrupt', 'a height that no ground has');
  return height;
}

/** A position beyond the middle of the outermost pixel takes that pixel's value. */
const within = (pixel: number, count: number): number => Math.min(Math.max(pixel, 0), count - 1);

/** Bilinear interpolation between the middles of four pixels. @param right 0–1 @param down 0–1 */
function between({ data }: Pixels, right: number, down: number): number {
  const [a = NaN, b = NaN, c = NaN, d = NaN] = data;
  return (a * (1 - right) + b * right) * (1 - down) + (c * (1 - right) + d * right) * down;
}
