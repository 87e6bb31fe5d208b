import { isValid } from '../../kit/validation/validator.js';
import type { Catalogue } from '../imagerySettings.js';
import { continuousBox, ringOfBox } from '../place/footprint.js';
import { boxOfTile, epsgOfTile, squareOfTile } from '../place/tiles.js';
import { offsetToldBy } from './bandNumbers.js';
import { offsetRule, untouchedOffsetRule, type OffsetRule } from './boaOffset.js';
import { Unusable, type Granule, type Scene, type UnusableScene } from './scene.js';
import { addressesOf, assetsOf, commonGrid, epsgOf, epsgTold, pageOf, type SceneAssets } from './sceneAssets.js';
import { OutlinedFeature, SceneProperties, StacItem, type FoundFeature } from './stacSchemas.js';

/** A tile's name with a zone of two digits: 09VWK for 9VWK. Empty for a text that is no tile's name. */
const tileNamed = (name: string | null | undefined): string => {
  const [, zone = '', square = ''] = /^(\d{1,2})([C-X][A-Z]{2})$/.exec(name ?? '') ?? [];
  return square === '' ? '' : `${zone.padStart(2, '0')}${square}`;
};

/**
 * The tile of an item; empty when the item doesn't tell. The properties count if they name a tile of the projection's zone,
 * for they have been seen empty and wrong; else the tile in the id.
 *
 * @param epsg of the scene; undefined when unknown
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
 * When the datastrip of the granule began, e.g. 20230628T071848: in the datastrip's id, and in the ids of
 * `sentinel-2-c1-l2a`. Reprocessing keeps this instant.
 */
function datastripStartOf({ id }: Pick<StacItem, 'id'>, { 's2:datastrip_id': datastrip }: SceneProperties): string {
  return (/_S(\d{8}T\d{6})_/.exec(datastrip ?? '') ?? /^S2[A-Z]_T\d{2}[A-Z]{3}_(\d{8}T\d{6})_/.exec(id))?.[1] ?? '';
}

/** What the item tells of the offset. @throws Unusable when the bands' numbers differ from what pixels are read with */
function offsetOf(
  catalogue: Catalogue,
  { collection = '' }: StacItem,
  { properties, assets }: { readonly properties: SceneProperties; readonly assets: SceneAssets },
): OffsetRule {
  const baseline = properties['s2:processing_baseline'] ?? '';
  const bandOffsetDn = offsetToldBy(assets);
  if (catalogue === 'planetary-computer') {
    const rule = untouchedOffsetRule(baseline);
    const isDenied = bandOffsetDn !== undefined && rule !== 'measure' && rule.offsetDn !== bandOffsetDn;
    if (isDenied) throw new Unusable(`its bands name another offset than processing baseline ${baseline} has`);
    return rule;
  }
  const isRemoved = properties['earthsearch:boa_offset_applied'] ?? undefined;
  return offsetRule({ collection, baseline, isRemoved, bandOffsetDn });
}

/** Instant of an item's acquisition, ISO 8601 UTC. */
export const takenAtOf = ({ properties }: Pick<StacItem, 'properties'>): string =>
  new Date(properties.datetime).toISOString();

/** A datatake such as `GS2A_20230628T070631_041859_N05.09` without its baseline. */
const datatakeOf = (id: string | null | undefined): string => (id ?? '').replace(/_N\d{2}\.\d{2}$/, '');

/** Shares of the tile that are cloud and that have no data, where the catalogue tells them. */
function percentsOf(properties: SceneProperties): Pick<Scene, 'cloudPercent' | 'nodataPercent'> {
  const [cloud, nodata] = [properties['eo:cloud_cover'], properties['s2:nodata_pixel_percentage']];
  return {
    ...(typeof cloud === 'number' ? { cloudPercent: cloud } : {}),
    ...(typeof nodata === 'number' ? { nodataPercent: nodata } : {}),
  };
}

/** The version of an item as the catalogue states it. */
export const statedVersionOf = (properties: SceneProperties): Pick<Scene, 'baseline' | 'generatedAt'> => ({
  baseline: properties['s2:processing_baseline'] ?? '',
  generatedAt: properties['s2:generation_time'] ?? properties.updated ?? '',
});

/** The granule of an item. @param epsg of the scene; undefined when unknown */
export const granuleOfItem = (
  item: FoundFeature,
  { properties, epsg }: { readonly properties: SceneProperties; readonly epsg: number | undefined },
  footprint: Granule['footprint'],
): Granule => ({
  platform: (properties.platform ?? '').toLowerCase(),
  takenAt: takenAtOf(item),
  datatake: datatakeOf(properties['s2:datatake_id']),
  datastripStart: datastripStartOf(item, properties),
  tile: tileOfItem(item, properties, epsg),
  footprint,
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
    ...granuleOfItem(item, { properties, epsg }, item.geometry),
    ...(properties['fieldimagery:synthetic'] === true ? { isSynthetic: true } : {}),
    ...percentsOf(properties),
    grid: commonGrid(epsg, assets),
    offset: offsetOf(catalogue, item, { properties, assets }),
    files: addressesOf(assets, page),
    ...(page === undefined ? {} : { page }),
  };
}

/** The outline of a tile, for items without an outline; undefined when no tile has this name. */
function outlineOfTile(tile: string): Granule['footprint'] | undefined {
  const square = squareOfTile(tile);
  if (square === undefined) return undefined;
  return { type: 'Polygon', coordinates: [ringOfBox(continuousBox(boxOfTile(square)))] };
}

/** An item that can't be used; undefined when the item doesn't name its tile. */
function unusableScene(item: FoundFeature, fault: string): UnusableScene | undefined {
  const properties: unknown = item.properties;
  const told = isValid(SceneProperties, properties) ? properties : {};
  const epsg = epsgTold(told);
  const tile = tileOfItem(item, told, epsg);
  const footprint = isValid(OutlinedFeature, item) ? item.geometry : outlineOfTile(tile);
  if (tile === '' || footprint === undefined) return undefined;
  const granule = granuleOfItem(item, { properties: told, epsg }, footprint);
  return { id: item.id, collection: item.collection ?? '', ...statedVersionOf(told), ...granule, fault };
}

/**
 * The scene that a catalogue's item describes.
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

/** Whether the catalogue's description of a scene can be used. */
export const isUsable = (scene: Scene | UnusableScene): scene is Scene => !('fault' in scene);
