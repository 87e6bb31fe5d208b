import { BAND_NAMES, type BandName } from '../layers/layers.js';
import { DN_PER_REFLECTANCE, type OffsetDn } from '../layers/reflectance.js';
import { Unusable } from './scene.js';
import type { SceneAssets } from './sceneAssets.js';
import type { StacAsset } from './stacSchemas.js';
import { cutText } from './unusableFacts.js';

const given = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => value !== undefined && value !== null);

/** What an asset says of its numbers: before STAC 1.1 in `raster:bands`, since then in `bands` or in the asset itself. */
function numbersOf(asset: StacAsset) {
  const [before, since] = [asset['raster:bands']?.[0], asset.bands?.[0]];
  return {
    scale: given([before?.scale, since?.['raster:scale'], asset['raster:scale']]),
    offset: given([before?.offset, since?.['raster:offset'], asset['raster:offset']]),
    nodata: given([before?.nodata, since?.nodata, asset.nodata]),
  };
}

/** Relative difference of two numbers that count as one: some catalogues write them in single precision. */
const SAME = 1e-6;
const isSame = (value: unknown, wanted: number): boolean =>
  typeof value === 'number' && Math.abs(value - wanted) <= SAME * Math.abs(wanted);

const SCALE = 1 / DN_PER_REFLECTANCE;
/** The offsets that Sen2Cor gives, in digital numbers. */
const OFFSETS = [0, -1000] as const satisfies readonly OffsetDn[];

const offsetDnOf = (value: unknown): OffsetDn | undefined =>
  OFFSETS.find((offsetDn) => isSame(value, offsetDn / DN_PER_REFLECTANCE));

/** The offsets that one band names, in digital numbers. @throws Unusable when a number differs from what pixels are read with */
function offsetsOfBand(band: BandName, asset: StacAsset): readonly OffsetDn[] {
  const { scale, offset, nodata } = numbersOf(asset);
  const refuse = (what: string, value: unknown, read: string): never => {
    throw new Unusable(`its band ${band} has the ${what} ${cutText(JSON.stringify(value))}, and is read with ${read}`);
  };
  for (const value of scale) if (!isSame(value, SCALE)) refuse('scale', value, String(SCALE));
  for (const value of nodata) if (value !== 0) refuse('nodata', value, '0');
  return offset.map((value) => offsetDnOf(value) ?? refuse('offset', value, '0 or -0.1'));
}

/**
 * The offset that a scene's bands name, in digital numbers; undefined when none does. The offset of one band counts for
 * bands that name none: Sen2Cor adds one offset to all.
 *
 * @throws Unusable when a scale, nodata or offset differs from what pixels are read with, or the offsets differ
 */
export function offsetToldBy(assets: SceneAssets): OffsetDn | undefined {
  const offsets = new Set(BAND_NAMES.flatMap((band) => offsetsOfBand(band, assets[band])));
  if (offsets.size > 1) throw new Unusable('its bands have different offsets');
  return [...offsets][0];
}
