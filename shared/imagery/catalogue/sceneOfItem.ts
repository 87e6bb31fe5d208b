import { isValid } from '../../validation/validator.js';
import type { Polygon } from '../../geo/geoJson.js';
import type { Catalogue } from './imagerySettings.js';
import { boxOfTile, epsgOfTile, squareOfTile } from './tiles.js';
import { DN_PER_REFLECTANCE } from '../layers/reflectance.js';
import { offsetToldBy } from './bandNumbers.js';
import { offsetRule, untouchedOffsetRule, type OffsetRule } from './boaOffset.js';
import { Unusable, type Granule, type Scene, type UnusableScene } from './scene.js';
import { addressesOf, assetsOf, commonGrid, epsgOf, epsgTold, pageOf, type SceneAssets } from './sceneAssets.js';
import { OutlinedFeature, SceneProperties, StacItem, type FoundFeature } from './stacSchemas.js';

/** A tile's name with a zone of two digits: 9VWK is 09VWK. Empty for what names none. */
const tileNamed = (name: string | null | undefined): string => {
  const [, zone = '', square = ''] = /^(\d{1,2})([C-X][A-Z]{2})$/.exec(name ?? '') ?? [];
  return square === '' ? '' : `${zone.padStart(2, '0')}${square}`;
};

/**
 * The tile of an item, empty when it doesn't say: the one that its properties name if its zone is that of the projection,
 * for they have been seen empty and wrong; else the one in its id.
 *
 * @param epsg of the scene; undefined where that isn't known
 */
export function tileOfItem({ id }: Pick<StacItem, 'id'>, properties: SceneProperties, epsg?: number): string {
  const { 's2:mgrs_tile': tile, 'grid:code': code } = properties;
  const named = [tileNamed(tile), tileNamed(code?.replace(/^MGRS-/, ''))].filter((name) => name !== '');
  const fitting = named.find((name) => epsgOfTile(name) === epsg);
  const inId = tileNamed(/_T?(\d{1,2}[C-X][A-Z]{2})_/.exec(id)?.[1]);
  if (fitting !== undefined || inId !== '') return fitting ?? inId;
  return (epsg === undefined ? named[0] : undefined) ?? '';
}

/**
 * When the strip of the overpass began that the granule was cut from, e.g. 20230628T071848: in the datastrip's id, and
 * in the ids of `sentinel-2-c1-l2a`. Reprocessing keeps it.
 */
function datastripStartOf({ id }: Pick<StacItem, 'id'>, { 's2:datastrip_id': datastrip }: SceneProperties): string {
  return (/_S(\d{8}T\d{6})_/.exec(datastrip ?? '') ?? /^S2[A-Z]_T\d{2}[A-Z]{3}_(\d{8}T\d{6})_/.exec(id))?.[1] ?? '';
}

/** What is known of the offset. @throws Unusable when the bands' numbers aren't what pixels are read with */
function offsetOf(
  catalogue: Catalogue,
  { collection = '' }: StacItem,
  { properties, assets }: { readonly properties: SceneProperties; readonly assets: SceneAssets },
): OffsetRule {
  const baseline = properties['s2:processing_baseline'] ?? '';
  const told = offsetToldBy(assets);
  if (catalogue === 'planetary-computer') {
    const rule = untouchedOffsetRule(baseline);
    const isDenied = told !== undefined && rule !== 'measure' && rule.offsetDn !== told;
    if (isDenied) throw new Unusable(`its bands name another offset than processing baseline ${baseline} has`);
    return rule;
  }
  const isRemoved = properties['earthsearch:boa_offset_applied'] ?? undefined;
  return offsetRule({
    collection,
    baseline,
    ...(isRemoved === undefined ? {} : { isRemoved }),
    ...(told === undefined ? {} : { bandOffset: told / DN_PER_REFLECTANCE }),
  });
}

/** Instant of an item's acquisition, ISO 8601 UTC. */
export const takenAtOf = ({ properties }: Pick<StacItem, 'properties'>): string =>
  new Date(properties.datetime).toISOString();

/** `GS2A_20230628T070631_041859_N05.09` without its baseline. */
const datatakeOf = (id: string | null | undefined): string => (id ?? '').replace(/_N\d{2}\.\d{2}$/, '');

/** How much of the tile is cloud, and how much no data, where the catalogue says so. */
function percentsOf(properties: SceneProperties): Pick<Scene, 'cloudPercent' | 'nodataPercent'> {
  const [cloud, nodata] = [properties['eo:cloud_cover'], properties['s2:nodata_pixel_percentage']];
  return {
    ...(typeof cloud === 'number' ? { cloudPercent: cloud } : {}),
    ...(typeof nodata === 'number' ? { nodataPercent: nodata } : {}),
  };
}

/** Which version an item is. */
export const statedVersionOf = (properties: SceneProperties): Pick<Scene, 'baseline' | 'generatedAt'> => ({
  baseline: properties['s2:processing_baseline'] ?? '',
  generatedAt: properties['s2:generation_time'] ?? properties.updated ?? '',
});

/** Which granule an item is. */
const granuleOfItem = (item: FoundFeature, properties: SceneProperties, epsg?: number): Omit<Granule, 'footprint'> => ({
  platform: (properties.platform ?? '').toLowerCase(),
  takenAt: takenAtOf(item),
  datatake: datatakeOf(properties['s2:datatake_id']),
  datastripStart: datastripStartOf(item, properties),
  tile: tileOfItem(item, properties, epsg),
});

/** The same, and what it shows. */
export const outlinedGranule = (item: OutlinedFeature, properties: SceneProperties, epsg?: number): Granule => ({
  ...granuleOfItem(item, properties, epsg),
  footprint: item.geometry,
});

function describedScene(catalogue: Catalogue, item: StacItem): Scene {
  const { properties } = item;
  if (!isValid(SceneProperties, properties)) throw new Unusable('its properties are malformed');
  const assets = assetsOf(item);
  const page = pageOf(item);
  const epsg = epsgOf(properties, assets.red);
  return {
    id: item.id,
    ...statedVersionOf(properties),
    collection: item.collection ?? '',
    ...outlinedGranule(item, properties, epsg),
    ...(properties['fieldimagery:synthetic'] === true ? { isSynthetic: true } : {}),
    ...percentsOf(properties),
    grid: commonGrid(epsg, assets),
    offset: offsetOf(catalogue, item, { properties, assets }),
    files: addressesOf(assets, page),
    ...(page === undefined ? {} : { page }),
  };
}

/** The outline of a tile, for what tells none of its own; undefined for a name that is no tile's. */
function outlineOfTile(tile: string): Polygon | undefined {
  const square = squareOfTile(tile);
  if (square === undefined) return undefined;
  const [west, south, plainEast, north] = boxOfTile(square);
  const east = plainEast < west ? plainEast + 360 : plainEast;
  const ring = [west, east, east, west, west].map(
    (x, corner) => [x, corner < 2 || corner === 4 ? south : north] as const,
  );
  return { type: 'Polygon', coordinates: [ring] };
}

/** What is known of an item that can't be used; undefined when that isn't even its tile. */
function unusableScene(item: FoundFeature, fault: string): UnusableScene | undefined {
  const properties: unknown = item.properties;
  const told = isValid(SceneProperties, properties) ? properties : {};
  const epsg = epsgTold(told);
  const tile = tileOfItem(item, told, epsg);
  const footprint = isValid(OutlinedFeature, item) ? item.geometry : outlineOfTile(tile);
  if (tile === '' || footprint === undefined) return undefined;
  const granule = { ...granuleOfItem(item, told, epsg), footprint };
  return { id: item.id, collection: item.collection ?? '', ...statedVersionOf(told), ...granule, fault };
}

/**
 * What the service needs of a catalogue's item.
 *
 * Earth Search's `sentinel-2-l2a` and `sentinel-2-c1-l2a` and the Planetary Computer's `sentinel-2-l2a` are read,
 * with the projection extension before and after `proj:code`.
 *
 * @returns undefined for an item that can't be used and doesn't name its tile
 */
export function sceneOfItem(catalogue: Catalogue, item: FoundFeature): Scene | UnusableScene | undefined {
  if (!isValid(StacItem, item)) return unusableScene(item, 'its outline or its list of files is malformed');
  try {
    return describedScene(catalogue, item);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return unusableScene(item, error.message);
  }
}

/** Whether the catalogue describes the scene well enough. */
export const isUsable = (scene: Scene | UnusableScene): scene is Scene => !('fault' in scene);
