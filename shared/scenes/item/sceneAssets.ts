import type { Grid } from '../../geo/grid/grid.js';
import { findUtmZone } from '../../geo/grid/utmZone.js';
import { isValid } from '../../kit/validation/validator.js';
import { allowedUrl, EgressRefused } from '../../kit/outbound/egressRule.js';
import { gridOfFile, SCENE_FILES, Unusable, type SceneFile } from './scene.js';
import { SelfLink, StacAsset, type SceneProperties, type StacItem } from './stacSchemas.js';
import { cutText } from './unusableFacts.js';

/** The files of an item that layers are made of. */
export type SceneAssets = Readonly<Record<SceneFile, StacAsset>>;

/** Keys of the assets in catalogues that use Sentinel-2's names of bands. */
const BAND_KEYS: Readonly<Record<SceneFile, string>> = {
  scl: 'SCL',
  red: 'B04',
  green: 'B03',
  blue: 'B02',
  nir: 'B08',
};

const ofEachFile = <T>(valueOf: (file: SceneFile) => T): Readonly<Record<SceneFile, T>> =>
  Object.fromEntries(SCENE_FILES.map((file) => [file, valueOf(file)])) as Record<SceneFile, T>;

function assetOf({ assets }: StacItem, file: SceneFile): StacAsset {
  // By key: names in `eo:bands` are the same for near infrared of 20 m and for JPEG 2000 files.
  const found = assets[file] ?? assets[BAND_KEYS[file]];
  if (found === undefined || found === null) throw new Unusable(`it has no asset ${file}`);
  if (!isValid(StacAsset, found)) throw new Unusable(`its asset ${file} is malformed`);
  return found;
}

/** Every file that layers are made of. @throws Unusable when one is missing or malformed */
export const assetsOf = (item: StacItem): SceneAssets => ofEachFile((file) => assetOf(item, file));

/** The address of an item's own page; undefined when the item names none. */
export const pageOf = ({ links }: StacItem): string | undefined =>
  (links ?? []).find((link) => isValid(SelfLink, link))?.href;

/** An absolute address; a relative one is resolved against the item's own page. */
function absoluteAddress(href: string, page: string | undefined): string | undefined {
  if (URL.canParse(href)) return href;
  return page !== undefined && URL.canParse(href, page) ? new URL(href, page).href : undefined;
}

/**
 * Checks an address by the rule by which files are read, without the list of hosts, which may change until then.
 *
 * @throws Unusable for a user or password, and for http or a port, unless the address is one of this machine
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

/** The address of a file. @throws Unusable when the address tells that the file can't be fetched or decoded */
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
 * @param page the item's own address, against which relative ones are resolved
 * @throws Unusable when a file can't be fetched, or is of a format that isn't read
 */
export const addressesOf = (assets: SceneAssets, page: string | undefined): Readonly<Record<SceneFile, string>> =>
  ofEachFile((file) => addressOf(file, assets[file], page));

type Projection = Pick<SceneProperties, 'proj:epsg' | 'proj:code'>;

/** The EPSG code that an item or file names by number or, since STAC 1.1, by text; undefined when there is none. */
export function epsgTold({ 'proj:epsg': epsg, 'proj:code': code }: Projection): number | undefined {
  const inCode = /^EPSG:(\d{4,6})$/.exec(code ?? '')?.[1];
  return epsg ?? (inCode === undefined ? undefined : Number(inCode));
}

/** The EPSG code of a scene. @throws Unusable when the projection is no UTM zone */
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

/** The 10 m grid of a scene. @throws Unusable when a file doesn't lie on it */
export function commonGrid(epsg: number, assets: SceneAssets): Grid {
  const grids = ofEachFile((file) => gridOf(epsg, assets[file], file === 'scl' ? 20 : 10));
  const grid = grids.red;
  const differs = SCENE_FILES.some(
    (file) => JSON.stringify(grids[file]) !== JSON.stringify(gridOfFile({ grid }, file)),
  );
  if (differs) throw new Unusable('its assets lie on different grids');
  return grid;
}
