import type { Pixels } from '../../raster/tiff/pixels.js';
import type { Raster } from '../../raster/read/rasterReader.js';
import type { TiffImage } from '../../raster/tiff/tiffImage.js';
import type { KnownOffset } from '../item/boaOffset.js';

/** One value for each band by which the offset is measured. */
export type AskedBands<T> = Readonly<Record<'blue' | 'red' | 'nir', T>>;

/** The longest side of an overview: 160 m per pixel tell as much as 10 m, and take 2 MB per band. */
const MOST_PIXELS = 1_400;

/** Lit ground: near infrared exceeds blue by this much, with or without the offset in both. */
const LIT_CONTRAST_DN = 1_000;
/** A value below this, with the offset in it, is a reflectance below −0.02, which no lit ground has. */
const DARK_DN = 800;
/** The share of the lit ground that has to be that dark in one band, and the fewest pixels of lit ground that count. */
const DARK_FRACTION = 0.2;
const FEWEST_LIT_PIXELS = 500;

/** Overviews of the three bands of the same size, small enough to be read whole; undefined when there are none. */
export function overviewsToAsk(rasters: AskedBands<Raster>): AskedBands<TiffImage> | undefined {
  const pictureOf = ({ image, overviews }: Raster, size: TiffImage): TiffImage | undefined =>
    [image, ...overviews].find(({ width, height }) => width === size.width && height === size.height);
  for (const red of [rasters.red.image, ...rasters.red.overviews]) {
    const [blue, nir] = [pictureOf(rasters.blue, red), pictureOf(rasters.nir, red)];
    if (Math.max(red.width, red.height) <= MOST_PIXELS && blue !== undefined && nir !== undefined) {
      return { blue, red, nir };
    }
  }
  return undefined;
}

/**
 * The offset of a scene whose catalogue may be wrong.
 *
 * Only lit ground counts: there near infrared exceeds blue by a tenth of reflectance or more, which the offset doesn't
 * change. With the offset, its blue and red lie above 1000; without the offset, blue lies below 800 on most soils and nearly
 * all vegetation. Shadow, water, cloud and snow have no such contrast and don't count.
 *
 * @param bands overviews of one size, nodata 0; without them the offset of the baseline is assumed
 * @returns `measured`: a fifth of the lit ground is darker in blue or in red than the offset allows. `metadata`: nothing
 *   proves that the offset was removed
 */
export function measuredOffset(bands: AskedBands<Pixels> | undefined): KnownOffset {
  const believed: KnownOffset = { offsetDn: -1000, basis: 'metadata' };
  if (bands === undefined) return believed;
  const { pixels, darkBlue, darkRed } = litGround(bands);
  const isProven = pixels >= FEWEST_LIT_PIXELS && Math.max(darkBlue, darkRed) >= pixels * DARK_FRACTION;
  return isProven ? { offsetDn: 0, basis: 'measured' } : believed;
}

/** How many pixels are lit ground, and how many of them are too dark in each band. */
function litGround({ blue, red, nir }: AskedBands<Pixels>) {
  let [pixels, darkBlue, darkRed] = [0, 0, 0];
  for (let index = 0; index < red.data.length; index += 1) {
    const [blueDn = 0, redDn = 0, nirDn = 0] = [blue.data[index], red.data[index], nir.data[index]];
    if (blueDn === 0 || redDn === 0 || nirDn - blueDn < LIT_CONTRAST_DN) continue;
    pixels += 1;
    if (blueDn < DARK_DN) darkBlue += 1;
    if (redDn < DARK_DN) darkRed += 1;
  }
  return { pixels, darkBlue, darkRed };
}
