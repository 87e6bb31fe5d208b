import type { Pixels } from '../../raster/pixels.js';
import type { Raster } from '../../raster/rasterReader.js';
import type { TiffImage } from '../../raster/tiffImage.js';
import type { KnownOffset } from '../catalogue/boaOffset.js';

/** The bands that are asked whether their numbers carry the offset. */
export type AskedBands<T> = Readonly<Record<'blue' | 'red' | 'nir', T>>;

/** Side of the overviews that are asked: 160 m a pixel tell as much as 10 m, and cost 2 MB a band. */
const MOST_PIXELS = 1_400;

/** Ground in the light: near infrared is this much above blue, whether both carry the offset or neither does. */
const LIT_CONTRAST_DN = 1_000;
/** Less than this is −0.02 of reflectance if the offset is in it, which no lit ground has. */
const DARK_DN = 800;
/** Share of the lit ground that has to be that dark in one band, and how many pixels of it make a share. */
const DARK_FRACTION = 0.2;
const FEWEST_LIT_PIXELS = 500;

/** Pictures of the bands that are small enough and of one size; undefined when there are none. */
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
 * The offset of a scene whose catalogue can't be believed.
 *
 * Asked is the lit ground alone: there near infrared exceeds blue by a tenth of reflectance or more, which the offset
 * doesn't change. With the offset in them its blue and red lie above 1000; without it blue lies below 800 on most soils and
 * nearly all vegetation. Shadow and water, however dark, and cloud and snow, however many, have no such contrast and
 * don't count.
 *
 * @param bands overviews of one size, nodata 0; without them the baseline has to be believed
 * @returns `measured`: a fifth of the lit ground is darker in blue or in red than the offset allows. `metadata`: nothing
 *   proves that it was removed
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
