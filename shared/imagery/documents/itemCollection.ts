import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import { INDEX_FILE, ITEM_FILE, layerFile } from '../records/imageryPaths.js';
import { hasBasis, layersIn, PROJECTION_EXTENSION, readItem, STAC_VERSION, type ItemDocument } from './itemDocument.js';
import { areaOfBoxes, sidesOf, type GeoBox } from '../../scenes/place/footprint.js';
import type { LayerName } from '../../scenes/layers/layers.js';
import { SERIES_LAYERS, statisticsOfAsset, type DayStatistics, type LayerStatistics } from './timeSeries.js';

type Json = Readonly<Record<string, unknown>>;

/** A day's item in `items.json`: enough to open and place its files, nothing whose size grows with the field. */
export interface IndexedItem extends ItemDocument {
  readonly id: string;
}

/** Members of an asset that are listed, in this order; the others stand in the day's own document. */
const ASSET_MEMBERS = [
  'type',
  'title',
  'roles',
  'data_type',
  'nodata',
  'proj:code',
  'proj:shape',
  'proj:transform',
  'proj:epsg',
];

const only = (members: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])));

const STATISTICS = 'fieldimagery:statistics';

function assetOf(date: string, layer: LayerName, asset: Json): Json {
  return {
    href: `./${date}/${layerFile(layer)}`,
    ...only(asset, ASSET_MEMBERS),
    ...(SERIES_LAYERS.includes(layer) ? { [STATISTICS]: statisticsOfAsset(asset) ?? null } : {}),
  };
}

/** The statistics of a listed item's layers; where an earlier version listed it, each layer has the share of the item. */
export function statisticsIn({ assets, properties }: IndexedItem): DayStatistics {
  const { 'fieldimagery:clear_percent': share } = properties;
  const ofItem = typeof share === 'number' ? { clear_percent: share } : {};
  return Object.fromEntries(
    SERIES_LAYERS.flatMap((layer) => {
      const statistics = (assets[layer]?.[STATISTICS] ?? undefined) as LayerStatistics | undefined;
      if (statistics === undefined) return [];
      return [[layer, 'clear_percent' in statistics ? statistics : { ...statistics, ...ofItem }]];
    }),
  );
}

const ITEM_PROPERTIES = ['title', 'datetime', 'platform', 'gsd', 'fieldimagery:field_id', 'fieldimagery:clear_percent'];

/** The item that `items.json` lists of a day; undefined when the day's document isn't one of ours. */
export function indexedItem(date: string, document: unknown): IndexedItem | undefined {
  const item = readItem(document);
  if (item === undefined) return undefined;
  const { id, collection, bbox } = document as { id: string; collection: string; bbox: GeoBox };
  return {
    type: 'Feature',
    stac_version: STAC_VERSION,
    stac_extensions: [PROJECTION_EXTENSION],
    id,
    collection,
    // The field's own boundary would be repeated for each day.
    geometry: areaOfBoxes(sidesOf(bbox)),
    bbox,
    properties: only(item.properties, [...ITEM_PROPERTIES, 'fieldimagery:basis']),
    links: [
      { rel: 'collection', href: `./${INDEX_FILE}`, type: 'application/json' },
      { rel: 'canonical', href: `./${date}/${ITEM_FILE}`, type: 'application/geo+json' },
    ],
    assets: Object.fromEntries(layersIn(item).map((layer) => [layer, assetOf(date, layer, item.assets[layer] ?? {})])),
  } as IndexedItem;
}

/** Whether a listed item matches the record of its day. */
export const isItemOf = (item: IndexedItem, { date, basis, layers }: FieldDate): boolean =>
  dateOf(item) === date &&
  hasBasis(item, basis) &&
  layersIn(item).length === layers.length &&
  layers.every((layer) => item.assets[layer] !== undefined);

const dateOf = ({ id }: IndexedItem): string => id.slice(-'YYYY-MM-DD'.length);

/** The items of a stored `items.json`, by their day; none without a document. */
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
