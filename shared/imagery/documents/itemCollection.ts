import type { FieldDate } from '../records/fieldDate.js';
import { INDEX_FILE, ITEM_FILE, layerFile } from '../records/imageryPaths.js';
import { hasBasis, layersIn, PROJECTION_EXTENSION, readItem, STAC_VERSION, type ItemDocument } from './itemDocument.js';
import type { LayerName } from '../layers/layers.js';
import { SERIES_LAYERS, statisticsOfAsset, type DayStatistics } from './timeSeries.js';

type Json = Readonly<Record<string, unknown>>;

/** A day's item in `items.json`: what opens and places its files, nothing that grows with the field or its pixels. */
export interface IndexedItem extends ItemDocument {
  readonly id: string;
}

/** Of an asset; the rest stands in the day's own document. */
const ASSET_MEMBERS = ['type', 'title', 'roles', 'data_type', 'nodata', 'proj:code', 'proj:shape', 'proj:transform'];

const only = (members: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])));

/** GDAL before STAC 1.1 finds no raster without it; documents of before have the code alone. */
const epsgOf = ({ 'proj:epsg': epsg, 'proj:code': code }: Json): unknown => epsg ?? Number(String(code).split(':')[1]);

const STATISTICS = 'fieldimagery:statistics';

function assetOf(date: string, layer: LayerName, asset: Json): Json {
  return {
    href: `./${date}/${layerFile(layer)}`,
    ...only(asset, ASSET_MEMBERS),
    'proj:epsg': epsgOf(asset),
    // Null where there are none: lists of before say nothing, and are completed.
    ...(SERIES_LAYERS.includes(layer) ? { [STATISTICS]: statisticsOfAsset(asset) ?? null } : {}),
  };
}

/** What an item as it is listed says of the values of its layers. */
export function statisticsIn({ assets }: IndexedItem): DayStatistics {
  const told = SERIES_LAYERS.map((layer) => [layer, assets[layer]?.[STATISTICS]] as const);
  return Object.fromEntries(told.filter(([, statistics]) => statistics !== undefined && statistics !== null));
}

/** The box as a ring: the field's own shape would be repeated for each day. */
function boxOf([west, south, east, north]: readonly number[]): Json {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

const ITEM_PROPERTIES = ['title', 'datetime', 'platform', 'gsd', 'fieldimagery:field_id', 'fieldimagery:clear_percent'];

/** A day's item as `items.json` lists it, undefined when its document is none of ours. */
export function indexedItem(date: string, document: unknown): IndexedItem | undefined {
  const item = readItem(document);
  if (item === undefined) return undefined;
  const { id, collection, bbox } = document as { id: string; collection: string; bbox: readonly number[] };
  return {
    type: 'Feature',
    stac_version: STAC_VERSION,
    stac_extensions: [PROJECTION_EXTENSION],
    id,
    collection,
    geometry: boxOf(bbox),
    bbox,
    properties: only(item.properties, [...ITEM_PROPERTIES, 'fieldimagery:basis']),
    links: [
      { rel: 'collection', href: `./${INDEX_FILE}`, type: 'application/json' },
      { rel: 'canonical', href: `./${date}/${ITEM_FILE}`, type: 'application/geo+json' },
    ],
    assets: Object.fromEntries(layersIn(item).map((layer) => [layer, assetOf(date, layer, item.assets[layer] ?? {})])),
  } as IndexedItem;
}

/** Whether an item as it is listed still tells what is recorded of its day. */
export const isItemOf = (item: IndexedItem, { date, basis, layers }: FieldDate): boolean =>
  dateOf(item) === date &&
  hasBasis(item, basis) &&
  layersIn(item).length === layers.length &&
  layers.every((layer) => isComplete(item, layer));

const isComplete = ({ assets }: IndexedItem, layer: LayerName): boolean =>
  assets[layer] !== undefined && (!SERIES_LAYERS.includes(layer) || assets[layer][STATISTICS] !== undefined);

const dateOf = ({ id }: IndexedItem): string => id.slice(-'YYYY-MM-DD'.length);

/** Items that a stored `items.json` lists, by their day. */
export function itemsIn(document: unknown): ReadonlyMap<string, IndexedItem> {
  const { features = [] } = (document ?? {}) as { readonly features?: readonly IndexedItem[] };
  return new Map(features.map((item) => [dateOf(item), item]));
}

/** A field's `items.json`: the items of all days with files as one ItemCollection, as GDAL's STACIT driver opens it. */
export const itemCollection = (items: readonly IndexedItem[]): Json => ({
  type: 'FeatureCollection',
  stac_version: STAC_VERSION,
  links: [{ rel: 'collection', href: `./${INDEX_FILE}`, type: 'application/json' }],
  features: items,
});
