import type { BandPixels, BoundaryScene } from '../window/boundaryInput.js';
import type { DateUse } from '../window/chooseDates.js';
import { encodeCog } from '../../raster/write/encodeCog.js';
import type { Grid } from '../../geo/grid/grid.js';
import { halved } from '../../raster/write/overviews.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import { pngImage } from './pngImage.js';

/** A true-colour picture of one date. */
export interface ScenePicture {
  readonly date: string;
  readonly grid: Grid;
  readonly png: Uint8Array;
  /** The same as a Cloud Optimized GeoTIFF of at most `MOST_TIFF_BYTES`, where need be at half the size. */
  readonly geoTiff: Uint8Array;
}

/** The dates of which one is shown. */
export interface PictureSource {
  readonly grid: Grid;
  readonly scenes: readonly BoundaryScene[];
  readonly uses: readonly DateUse[];
}

/** The quantiles that are shown as black and as white. */
const DARKEST = 0.02;
const BRIGHTEST = 0.98;
/** Fields are darker than roofs: middle tones are lifted. */
const GAMMA = 1 / 1.3;
/** Pixels without data are grey in the PNG. */
const NOTHING = 128;
/** The value of such pixels in the GeoTIFF; what has data is brighter. */
const NODATA = 0;
/** A page that shows the picture waits for all of it. */
export const MOST_TIFF_BYTES = 300_000;

/**
 * The clearest used date, the latest of several, stretched to the range of its own pixels.
 *
 * @returns undefined when that date lacks a band of visible light
 */
export async function scenePicture({ grid, scenes, uses }: PictureSource): Promise<ScenePicture | undefined> {
  const [best] = uses
    .filter(({ isUsed }) => isUsed)
    .sort((a, b) => b.clearFraction - a.clearFraction || b.date.localeCompare(a.date));
  const bands = scenes.find(({ sceneIds }) => sceneIds[0] === best?.sceneIds[0])?.bands;
  const visible = [bands?.B04, bands?.B03, bands?.B02].filter((band) => band !== undefined);
  if (best === undefined || visible.length < 3) return undefined;
  const shades = shadesOf(visible);
  const geoTiff = await geoTiffOf(shades, grid, best.date);
  return { date: best.date, grid, png: pngImage(interleaved(shades), grid), geoTiff };
}

/** How bright a band is at each pixel, 0 to 255; undefined without data. */
type Shades = readonly (number | undefined)[];

/**
 * The shades of red, green and blue. Each begins at its own darkest value, which removes haze; all have the same range, so
 * that bare soil stays brown.
 */
function shadesOf(bands: readonly BandPixels[]): readonly Shades[] {
  const lows = bands.map((band) => quantile(band, DARKEST));
  const range = Math.max(1, ...bands.map((band, channel) => quantile(band, BRIGHTEST) - (lows[channel] ?? 0)));
  return bands.map((band, channel) =>
    Array.from(band, (value) => {
      const share = Math.min(1, Math.max(0, (value - (lows[channel] ?? 0)) / range));
      return value > 0 ? Math.round(255 * share ** GAMMA) : undefined;
    }),
  );
}

/** [row][column][red, green, blue] */
function interleaved(shades: readonly Shades[]): Uint8Array {
  const rgb = new Uint8Array(3 * (shades[0]?.length ?? 0)).fill(NOTHING);
  shades.forEach((band, channel) => {
    band.forEach((shade, k) => {
      if (shade !== undefined) rgb[3 * k + channel] = shade;
    });
  });
  return rgb;
}

async function geoTiffOf(shades: readonly Shades[], grid: Grid, date: string): Promise<Uint8Array> {
  const { width, height } = grid;
  const data = Uint8Array.from(shades.flat(), (shade) => (shade === undefined ? NODATA : Math.max(NODATA + 1, shade)));
  const pixels: Pixels = { width, height, bands: shades.length, data };
  const whole = await encoded(pixels, grid, date);
  if (whole.length <= MOST_TIFF_BYTES) return whole;
  const half = halved(pixels, { nodata: NODATA, by: 'average' });
  const [pixelWidth, pixelHeight] = [2 * grid.pixelWidth, 2 * grid.pixelHeight];
  return encoded(half, { ...grid, width: half.width, height: half.height, pixelWidth, pixelHeight }, date);
}

const encoded = (pixels: Pixels, grid: Grid, date: string): Promise<Uint8Array> =>
  encodeCog({ pixels, grid, nodata: NODATA, metadata: { name: 'true-color', date }, takenAt: new Date(date) });

/** The value that a share of the pixels with data stays below. */
function quantile(band: BandPixels, share: number): number {
  const seen = band.filter((value) => value > 0).sort();
  return seen[Math.floor(share * (seen.length - 1))] ?? 0;
}
