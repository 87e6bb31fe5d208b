import type { Pixels } from '../raster/pixels.js';
import type { Raster } from '../raster/rasterReader.js';
import type { TiffImage } from '../raster/tiffImage.js';
import type { KnownOffset } from './boaOffset.js';
import { darkFloorDn, isOffsetRemoved, isRemovedTwice } from './layersReflectance.js';

/** Sides of the overviews that are asked, in pixels: enough to find the dark ones, and cheap to fetch. */
const FLOOR_PIXELS = { least: 250, most: 3_000 };
const GUARD_PIXELS = { least: 250, most: 1_400 };

const within = ({ width }: TiffImage, { least, most }: typeof FLOOR_PIXELS): boolean => width >= least && width <= most;

/** The largest picture of the red band that is small enough to look for its darkest pixels; undefined without one. */
export function overviewForFloor({ image, overviews }: Raster): TiffImage | undefined {
  return [image, ...overviews].find((candidate) => within(candidate, FLOOR_PIXELS));
}

/** Pictures of the red band and the classification of one size, for the guard; undefined when there are none. */
export function overviewsForGuard(
  red: Raster,
  scl: Raster,
): { readonly red: TiffImage; readonly scl: TiffImage } | undefined {
  const classes = [scl.image, ...scl.overviews];
  for (const image of [red.image, ...red.overviews]) {
    const match = classes.find(({ width, height }) => width === image.width && height === image.height);
    if (match !== undefined && within(image, GUARD_PIXELS)) return { red: image, scl: match };
  }
  return undefined;
}

const asUint16 = ({ data }: Pixels): Uint16Array => (data instanceof Uint16Array ? data : Uint16Array.from(data));

/**
 * The offset of a scene whose catalogue can't be believed.
 *
 * @param red an overview of the red band; without one the baseline has to be believed
 */
export function measuredOffset(red: Pixels | undefined): KnownOffset {
  const isRemoved = red !== undefined && isOffsetRemoved(darkFloorDn(asUint16(red)));
  return isRemoved ? { offsetDn: 0, basis: 'measured' } : { offsetDn: -1000, basis: 'metadata' };
}

/**
 * The offset that a catalogue names, unless it would leave vegetation without reflectance.
 *
 * @param red,scl pictures of the same size
 */
export function checkedOffset(offset: KnownOffset, red: Pixels, scl: Pixels): KnownOffset {
  const isWrong = isRemovedTwice(asUint16(red), Uint8Array.from(scl.data), offset.offsetDn);
  return isWrong ? { offsetDn: 0, basis: 'guard' } : offset;
}
