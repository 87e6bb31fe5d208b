import type { Grid } from '../../raster/grid.js';
import { findUtmZone } from '../../raster/utmZone.js';
import { isValid } from '../../validation/validator.js';
import { allowedUrl, EgressRefused } from './egressRule.js';
import { SCENE_FILES, Unusable, type SceneFile } from './scene.js';
import { SelfLink, StacAsset, type SceneProperties, type StacItem } from './stacSchemas.js';
import { cutText } from './unusableFacts.js';

/** The files of an item that layers are made of. */
export type SceneAssets = Readonly<Record<SceneFile, StacAsset>>;

/** Sentinel-2 band names by the STAC common names, as assets are keyed in some catalogues. */
const BAND_KEYS: Readonly<Record<SceneFile, string>> = {
  scl: 'SCL',
  red: 'B04',
  green: 'B03',
  blue: 'B02',
  nir: 'B08',
};

const metresOf = (file: SceneFile): 10 | 20 => (file === 'scl' ? 20 : 10);

function assetOf({ assets }: StacItem, file: SceneFile): StacAsset {
  // By key: `eo:bands` names near infrared of 20 m alike, and the JPEG 2000 twins carry the same names.
  const found = assets[file] ?? assets[BAND_KEYS[file]];
  if (found === undefined || found === null) throw new Unusable(`it has no asset ${file}`);
  if (!isValid(StacAsset, found)) throw new Unusable(`its asset ${file} is malformed`);
  return found;
}

/** Every file that layers are made of. @throws Unusable when one is missing or malformed */
export const assetsOf = (item: StacItem): SceneAssets => ({
  scl: assetOf(item, 'scl'),
  red: assetOf(item, 'red'),
  green: assetOf(item, 'green'),
  blue: assetOf(item, 'blue'),
  nir: assetOf(item, 'nir'),
});

/** The address of an item's own page, where it names one. */
export const pageOf = ({ links }: StacItem): string | undefined =>
  (links ?? []).find((link) => isValid(SelfLink, link))?.href;

/** An address as it stands or, where it is relative, as it is from the item's own. */
function absoluteAddress(href: string, page: string | undefined): string | undefined {
  if (URL.canParse(href)) return href;
  return page !== undefined && URL.canParse(href, page) ? new URL(href, page).href : undefined;
}

/**
 * Holds an address against the rule by which files are read, but for the list of hosts, which may change until then.
 *
 * @throws Unusable for http, a port, or a user and password, but for http and ports of this machine
 */
function requireCallable(file: SceneFile, address: string): void {
  const { host, hostname } = new URL(address);
  try {
    allowedUrl(address, [host, hostname]);
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    throw new Unusable(`its file ${file} is not fetched: ${cutText(error.message)}`);
  }
}

const JPEG_2000_NAME = /\.(?:jp2|jpx|jpf|j2k|j2c|jpc)$/i;
const JPEG_2000_TYPE = /^image\/(?:jp2|jpx|jpm|j2k|j2c|jpeg2000|x-jp2)\b/i;

/** The address of a file that can be fetched and decoded, as far as the address tells. */
function addressOf(file: SceneFile, { href, type }: StacAsset, page: string | undefined): string {
  const address = absoluteAddress(href, page);
  if (address === undefined)
    throw new Unusable(`the address of its file ${file} is relative, and the item has no address of its own`);
  const { protocol, pathname } = new URL(address);
  if (!/^https?:$/.test(protocol))
    throw new Unusable(`its file ${file} lies at ${cutText(protocol)} and not at https:`);
  requireCallable(file, address);
  const isJpeg = JPEG_2000_NAME.test(pathname) || JPEG_2000_TYPE.test(type ?? '');
  if (isJpeg) throw new Unusable(`its file ${file} is a JPEG 2000 file, and GeoTIFFs alone are read`);
  return address;
}

/**
 * The addresses of a scene's files, without a signature.
 *
 * @param page the item's own address, to which relative ones are
 * @throws Unusable when a file can't be fetched, or is of a format that isn't read
 */
export function addressesOf(assets: SceneAssets, page: string | undefined): Readonly<Record<SceneFile, string>> {
  const addresses = SCENE_FILES.map((file) => [file, addressOf(file, assets[file], page)]);
  return Object.fromEntries(addresses) as Record<SceneFile, string>;
}

type Projection = Pick<SceneProperties, 'proj:epsg' | 'proj:code'>;

/** The EPSG code that item or file names by number or, since STAC 1.1, by text; undefined when it names none. */
export function epsgTold({ 'proj:epsg': epsg, 'proj:code': code }: Projection): number | undefined {
  const inCode = /^EPSG:(\d{4,6})$/.exec(code ?? '')?.[1];
  return epsg ?? (inCode === undefined ? undefined : Number(inCode));
}

/** The projection of a scene. @throws Unusable when that is no UTM zone */
export function epsgOf(properties: Projection, asset: StacAsset): number {
  const epsg = epsgTold(asset) ?? epsgTold(properties);
  if (epsg === undefined || findUtmZone(epsg) === undefined) throw new Unusable('its projection is no UTM zone');
  return epsg;
}

function gridOf(epsg: number, asset: StacAsset, metres: 10 | 20): Grid {
  const { 'proj:shape': shape = [], 'proj:transform': transform = [] } = asset;
  const [height, width] = shape;
  const [originX, originY] = [transform[2], transform[5]];
  if (height === undefined || width === undefined || originX === undefined || originY === undefined) {
    throw new Unusable('an asset has no proj:shape or proj:transform');
  }
  const isNorthUp = [metres, 0, originX, 0, -metres, originY].every((value, index) => transform[index] === value);
  if (!isNorthUp || width < 1 || height < 1) throw new Unusable(`an asset is no north-up raster of ${metres} m`);
  return { epsg, originX, originY, pixelWidth: metres, pixelHeight: metres, width, height };
}

/** The 10 m grid, when every file lies on it. @throws Unusable when one doesn't */
export function commonGrid(epsg: number, assets: SceneAssets): Grid {
  const grids = SCENE_FILES.map((file) => gridOf(epsg, assets[file], metresOf(file)));
  const grid = gridOf(epsg, assets.red, 10);
  const differs = grids.some(
    ({ originX, originY, pixelWidth, width, height }) =>
      originX !== grid.originX ||
      originY !== grid.originY ||
      width !== Math.ceil((grid.width * 10) / pixelWidth) ||
      height !== Math.ceil((grid.height * 10) / pixelWidth),
  );
  if (differs) throw new Unusable('its assets lie on different grids');
  return grid;
}
