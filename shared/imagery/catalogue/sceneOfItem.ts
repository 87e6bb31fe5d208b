import type { Grid } from '../../raster/grid.js';
import { findUtmZone } from '../../raster/utmZone.js';
import { isValid } from '../../validation/validator.js';
import { offsetRule, untouchedOffsetRule, type OffsetRule } from './boaOffset.js';
import type { Catalogue } from '../imagerySettings.js';
import { SCENE_FILES, type Granule, type Scene, type SceneFile, type UnusableScene } from './scene.js';
import { SceneProperties, StacAsset, type OutlinedFeature, type StacItem } from './stacSchemas.js';

/** Sentinel-2 band names by the STAC common names, as assets are keyed in some catalogues. */
const BAND_KEYS: Readonly<Record<SceneFile, string>> = {
  scl: 'SCL',
  red: 'B04',
  green: 'B03',
  blue: 'B02',
  nir: 'B08',
};

/** What a description lacks; its text says so. */
class Unusable extends Error {}

const metresOf = (file: SceneFile): 10 | 20 => (file === 'scl' ? 20 : 10);

function assetOf({ assets }: StacItem, file: SceneFile): StacAsset {
  // By key: `eo:bands` names near infrared of 20 m alike, and the JPEG 2000 twins carry the same names.
  const found = assets[file] ?? assets[BAND_KEYS[file]];
  if (found === undefined) throw new Unusable(`it has no asset ${file}`);
  if (!isValid(StacAsset, found)) throw new Unusable(`its asset ${file} is malformed`);
  return found;
}

function epsgOf(properties: SceneProperties, asset: StacAsset): number {
  const fromCode = /^EPSG:(\d{4,6})$/.exec(asset['proj:code'] ?? properties['proj:code'] ?? '')?.[1];
  const epsg = asset['proj:epsg'] ?? properties['proj:epsg'] ?? (fromCode === undefined ? undefined : Number(fromCode));
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

/** The 10 m grid, when every file lies on it. */
function commonGrid(epsg: number, assets: Readonly<Record<SceneFile, StacAsset>>): Grid {
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

/** The tile of an item, empty when it doesn't say. Those of zones 1 to 9 have one digit or two there: 9VWK is 09VWK. */
export function tileOfItem({ id }: Pick<StacItem, 'id'>, properties: SceneProperties): string {
  const code = properties['s2:mgrs_tile'] ?? properties['grid:code']?.replace(/^MGRS-/, '');
  const name = code ?? /_T?(\d{1,2}[C-X][A-Z]{2})_/.exec(id)?.[1] ?? '';
  return /^\d[A-Z]/.test(name) ? `0${name}` : name;
}

/**
 * When the strip of the overpass began that the granule was cut from, e.g. 20230628T071848: in the datastrip's id, and
 * in the ids of `sentinel-2-c1-l2a`. Reprocessing keeps it.
 */
function datastripStartOf(
  { id }: Pick<StacItem, 'id'>,
  { 's2:datastrip_id': datastrip = '' }: SceneProperties,
): string {
  return (/_S(\d{8}T\d{6})_/.exec(datastrip) ?? /^S2[A-Z]_T\d{2}[A-Z]{3}_(\d{8}T\d{6})_/.exec(id))?.[1] ?? '';
}

function offsetOf(catalogue: Catalogue, item: StacItem, properties: SceneProperties, red: StacAsset): OffsetRule {
  const baseline = properties['s2:processing_baseline'] ?? '';
  if (catalogue === 'planetary-computer') return untouchedOffsetRule(baseline);
  const isRemoved = properties['earthsearch:boa_offset_applied'];
  const bandOffset = red['raster:bands']?.[0]?.offset;
  return offsetRule({
    collection: item.collection ?? '',
    baseline,
    ...(isRemoved === undefined ? {} : { isRemoved }),
    ...(bandOffset === undefined ? {} : { bandOffset }),
  });
}

function assetsOf(item: StacItem): Readonly<Record<SceneFile, StacAsset>> {
  return {
    scl: assetOf(item, 'scl'),
    red: assetOf(item, 'red'),
    green: assetOf(item, 'green'),
    blue: assetOf(item, 'blue'),
    nir: assetOf(item, 'nir'),
  };
}

/** Instant of an item's acquisition, ISO 8601 UTC. */
export const takenAtOf = ({ properties }: Pick<StacItem, 'properties'>): string =>
  new Date(properties.datetime).toISOString();

/** `GS2A_20230628T070631_041859_N05.09` without its baseline. */
const datatakeOf = (id: string | undefined): string => (id ?? '').replace(/_N\d{2}\.\d{2}$/, '');

/** How much of the tile is cloud, and how much no data, where the catalogue says so. */
function percentsOf(properties: SceneProperties): Pick<Scene, 'cloudPercent' | 'nodataPercent'> {
  const [cloud, nodata] = [properties['eo:cloud_cover'], properties['s2:nodata_pixel_percentage']];
  return {
    ...(typeof cloud === 'number' ? { cloudPercent: cloud } : {}),
    ...(typeof nodata === 'number' ? { nodataPercent: nodata } : {}),
  };
}

function versionOf({ id }: StacItem, properties: SceneProperties): Pick<Scene, 'id' | 'baseline' | 'generatedAt'> {
  const baseline = properties['s2:processing_baseline'] ?? '';
  return { id, baseline, generatedAt: properties['s2:generation_time'] ?? properties.updated ?? '' };
}

/** Which granule an item is, and what it shows. */
export const granuleOfItem = (item: OutlinedFeature, properties: SceneProperties): Granule => ({
  platform: (properties.platform ?? '').toLowerCase(),
  takenAt: takenAtOf(item),
  datatake: datatakeOf(properties['s2:datatake_id']),
  datastripStart: datastripStartOf(item, properties),
  tile: tileOfItem(item, properties),
  footprint: item.geometry,
});

function describedScene(catalogue: Catalogue, item: StacItem): Scene {
  const { properties } = item;
  if (!isValid(SceneProperties, properties)) throw new Unusable('its properties are malformed');
  const assets = assetsOf(item);
  const page = item.links?.find(({ rel, href }) => rel === 'self' && /^https?:/.test(href))?.href;
  const hrefs = SCENE_FILES.map((file) => [file, assets[file].href]);
  return {
    ...versionOf(item, properties),
    collection: item.collection ?? '',
    ...granuleOfItem(item, properties),
    ...(properties['fieldimagery:synthetic'] === true ? { isSynthetic: true } : {}),
    ...percentsOf(properties),
    grid: commonGrid(epsgOf(properties, assets.red), assets),
    offset: offsetOf(catalogue, item, properties, assets.red),
    files: Object.fromEntries(hrefs) as Scene['files'],
    ...(page === undefined ? {} : { page }),
  };
}

/**
 * What the service needs of a catalogue's item.
 *
 * Earth Search's `sentinel-2-l2a` and `sentinel-2-c1-l2a` and the Planetary Computer's `sentinel-2-l2a` are read,
 * with the projection extension before and after `proj:code`.
 */
export function sceneOfItem(catalogue: Catalogue, item: StacItem): Scene | UnusableScene {
  try {
    return describedScene(catalogue, item);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return {
      id: item.id,
      takenAt: takenAtOf(item),
      footprint: item.geometry,
      fault: error.message,
    };
  }
}

/** Whether the catalogue describes the scene well enough. */
export const isUsable = (scene: Scene | UnusableScene): scene is Scene => !('fault' in scene);
