import type { MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import { rightHanded } from '../../geo/shapes/rightHanded.js';
import { COG_TYPE } from '../../raster/write/encodeCog.js';
import type { Grid } from '../../geo/grid/grid.js';
import type { KnownOffset } from '../../scenes/item/boaOffset.js';
import { percentOf, standsAbove, type Grounds } from '../../enrollments/fields/fieldDate.js';
import type { LayerFile } from '../../scenes/layers/fieldLayers.js';
import type { GeoBox } from '../../scenes/place/footprint.js';
import { INDEX_FILE, layerFile } from '../records/imageryPaths.js';
import { LAYER_NAMES, type LayerName } from '../../scenes/layers/layers.js';
import type { BandStatistics } from '../../scenes/layers/layerStatistics.js';
import type { LayerVisibility, Visibility } from '../../scenes/layers/visibility.js';
import type { Scene } from '../../scenes/item/scene.js';

/** Prefix of our own properties; all others are of the STAC specification and its extensions. */
export const OWN_PREFIX = 'fieldimagery';

/** The version of STAC that all documents follow. */
export const STAC_VERSION = '1.1.0';
/** Version 1.2 allows `proj:epsg` beside `proj:code`; older GDAL finds no raster without it, and version 2.0 forbids it. */
export const PROJECTION_EXTENSION = 'https://stac-extensions.github.io/projection/v1.2.0/schema.json';
const EXTENSIONS = [
  PROJECTION_EXTENSION,
  'https://stac-extensions.github.io/raster/v2.0.0/schema.json',
  'https://stac-extensions.github.io/file/v2.1.0/schema.json',
];

type Json = Readonly<Record<string, unknown>>;

/** What the document of one field and day tells. */
export interface ItemFacts {
  readonly fieldId: string;
  readonly date: string;
  readonly geometry: MultiPolygon;
  readonly bbox: GeoBox;
  readonly grounds: Grounds;
  /** Scenes whose pixels are in the files, the main one first. */
  readonly scenes: readonly [Scene, ...Scene[]];
  readonly offset: KnownOffset;
  /** How much of the field each of the files shows. */
  readonly shown: LayerVisibility;
  /** Area of the field on the ellipsoid. */
  readonly areaHa: number;
  /** 10 m pixels of the field. */
  readonly fieldPixels: number;
  readonly grid: Grid;
  readonly files: readonly LayerFile[];
}

/** The members of a day's document that the service reads back. */
export interface ItemDocument {
  readonly properties: Json;
  readonly assets: Readonly<Partial<Record<LayerName, Json>>>;
}

const own = (name: string): string => `${OWN_PREFIX}:${name}`;
const BASIS = own('basis');
const STANDING = own('standing');

const TITLES: Readonly<Record<LayerName, string>> = {
  ndvi: 'Normalised difference vegetation index (NDVI), −1 to 1',
  vegetation: 'Vegetation in percent (EVI2 of 0.05 to 0.85), comparable over time and fields',
  scouting: 'NDVI relative to the field on that day, in percent',
  'true-color': 'True colour',
};
const BAND_NAMES_OF: Readonly<Record<LayerName, readonly string[]>> = {
  ndvi: ['ndvi'],
  vegetation: ['vegetation'],
  scouting: ['scouting'],
  'true-color': ['red', 'green', 'blue'],
};

/** The field's geometry, as a Polygon when it has one part: geometries are stored as MultiPolygons. */
function geometryOf({ geometry }: ItemFacts): Polygon | MultiPolygon {
  const [first, ...others] = geometry.coordinates;
  const area: Polygon | MultiPolygon =
    first === undefined || others.length > 0 ? geometry : { type: 'Polygon', coordinates: first };
  return rightHanded(area);
}

/** Six decimals are finer than the precision of every layer. */
const rounded = (value: number): number => Number(value.toFixed(6));

function bandOf(name: string, statistics: BandStatistics, scale: LayerFile['scales'][number] | undefined): Json {
  const { min, p2, p25, median, mean, p75, p98, max, std, count, histogram } = statistics;
  return {
    name,
    statistics: { minimum: rounded(min), maximum: rounded(max), mean: rounded(mean), stddev: rounded(std), count },
    'raster:histogram': {
      count: histogram.counts.length,
      min: histogram.min,
      max: histogram.max,
      buckets: histogram.counts,
    },
    ...(scale === undefined ? {} : { 'raster:scale': scale.scale, 'raster:offset': scale.offset }),
    [own('percentiles')]: {
      p2: rounded(p2),
      p25: rounded(p25),
      p50: rounded(median),
      p75: rounded(p75),
      p98: rounded(p98),
    },
  };
}

/** SHA-256 as a multihash: 0x12 says sha2-256, 0x20 that 32 bytes follow. */
const multihash = (sha256: string): string => `1220${sha256}`;

/** Where the pixels of a grid lie, in the words of the projection extension. */
export const placeOf = ({ epsg, originX, originY, pixelWidth, pixelHeight, width, height }: Grid): Json => ({
  'proj:code': `EPSG:${epsg}`,
  'proj:epsg': epsg,
  'proj:shape': [height, width],
  'proj:transform': [pixelWidth, 0, originX, 0, -pixelHeight, originY],
});

const SHARES = ['clear_percent', 'coverage_percent', 'clear_area_ha', 'clear_pixels'].map(own);

/** How much of the field is shown, as share, area and number of its pixels. */
const sharesOf = ({ clearFraction, coverageFraction }: Visibility, { areaHa, fieldPixels }: ItemFacts): Json => ({
  [own('clear_percent')]: percentOf(clearFraction),
  [own('coverage_percent')]: percentOf(coverageFraction),
  [own('clear_area_ha')]: rounded(areaHa * clearFraction),
  [own('clear_pixels')]: Math.round(fieldPixels * clearFraction),
});

/** The shares of the layer that shows least. */
const leastShares = (assets: ItemDocument['assets']): Json =>
  Object.fromEntries(
    SHARES.map((name) => [name, Math.min(...Object.values(assets).map((asset) => Number(asset[name] ?? Infinity)))]),
  );

function assetOf(file: LayerFile, facts: ItemFacts): Json {
  const { grid, shown } = facts;
  const visibility = shown[file.layer];
  return {
    href: `./${layerFile(file.layer)}`,
    type: COG_TYPE,
    title: TITLES[file.layer],
    roles: file.layer === 'true-color' ? ['visual'] : ['data'],
    data_type: file.dataType,
    nodata: file.nodata,
    ...placeOf(grid),
    'raster:spatial_resolution': grid.pixelWidth,
    'file:size': file.bytes.length,
    'file:checksum': multihash(file.sha256),
    ...(visibility === undefined ? {} : sharesOf(visibility, facts)),
    bands: BAND_NAMES_OF[file.layer].flatMap((name, index) => {
      const statistics = file.statistics[index];
      return statistics === undefined ? [] : [bandOf(name, statistics, file.scales[index])];
    }),
  };
}

function propertiesOf(facts: ItemFacts, assets: ItemDocument['assets']): Json {
  const { scenes, offset, areaHa, fieldPixels } = facts;
  const [main] = scenes;
  const clouds = scenes.flatMap(({ cloudPercent }) => cloudPercent ?? []);
  return {
    title: `Field ${facts.fieldId} on ${facts.date}`,
    datetime: main.takenAt,
    ...instrumentOf(main),
    gsd: 10,
    'proj:code': `EPSG:${facts.grid.epsg}`,
    'proj:epsg': facts.grid.epsg,
    [own('field_id')]: facts.fieldId,
    [own('field_area_ha')]: rounded(areaHa),
    [own('field_pixels')]: fieldPixels,
    ...leastShares(assets),
    ...(clouds.length === 0 ? {} : { [own('scene_cloud_percent')]: rounded(Math.max(...clouds)) }),
    [own('scenes')]: scenes.map(({ id }) => id),
    [own('processing_baseline')]: main.baseline,
    [own('boa_offset_dn')]: offset.offsetDn,
    [own('boa_offset_basis')]: offset.basis,
    [own('attribution')]: attributionOf(main),
    [BASIS]: facts.grounds.basis,
    [STANDING]: facts.grounds.standing,
  };
}

const COPERNICUS: Json = {
  name: 'European Union, Copernicus programme',
  roles: ['producer', 'licensor'],
  url: 'https://dataspace.copernicus.eu',
};

/** The satellite and its provider; a synthetic scene says so instead. */
function instrumentOf({ platform, isSynthetic }: Scene): Json {
  if (isSynthetic === true) return { description: `Made of a ${SYNTHETIC}`, platform: 'synthetic' };
  const satellite = { ...(platform === '' ? {} : { platform }), constellation: 'sentinel-2', instruments: ['msi'] };
  return { ...satellite, providers: [COPERNICUS] };
}

const SYNTHETIC = 'synthetic scene of a local environment: nothing of it was observed.';

/** The notice that the licence of the data requires; for a synthetic scene, that it is synthetic. */
export const attributionOf = ({ takenAt, isSynthetic }: Pick<Scene, 'takenAt' | 'isSynthetic'>): string =>
  isSynthetic === true ? `A ${SYNTHETIC}` : `Contains modified Copernicus Sentinel data ${takenAt.slice(0, 4)}`;

function linksOf({ scenes }: ItemFacts): readonly Json[] {
  const index = { href: `../${INDEX_FILE}`, type: 'application/json' };
  return [
    { rel: 'root', ...index },
    { rel: 'parent', ...index },
    { rel: 'collection', ...index },
    ...scenes.flatMap(({ page, id }) =>
      page === undefined ? [] : [{ rel: 'derived_from', href: page, type: 'application/geo+json', title: id }],
    ),
  ];
}

/** Whether a stored document rests on this basis, so that its other layers stay valid. */
export const hasBasis = ({ properties }: ItemDocument, basis: string): boolean => properties[BASIS] === basis;

/** Whether a stored document rests on a better basis. */
export const isAbove = ({ properties }: ItemDocument, standing: string): boolean =>
  standsAbove(String(properties[STANDING]), standing);

/** Whether a stored document names the file with this SHA-256 for a layer. */
export const namesFile = ({ assets }: ItemDocument, layer: LayerName, sha256: string): boolean =>
  assets[layer]?.['file:checksum'] === multihash(sha256);

/** Layers that a stored document names. */
export const layersIn = ({ assets }: ItemDocument): readonly LayerName[] =>
  LAYER_NAMES.filter((name) => assets[name] !== undefined);

/**
 * Parses a stored document; undefined when it isn't one of ours. In those of earlier versions the shares of the item were those
 * of each layer.
 */
export function readItem(document: unknown): ItemDocument | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const { properties, assets } = document as Partial<ItemDocument>;
  if (typeof properties !== 'object' || typeof assets !== 'object') return undefined;
  const shares = Object.fromEntries(SHARES.flatMap((name) => (name in properties ? [[name, properties[name]]] : [])));
  const withShares = Object.entries(assets).map(([layer, asset]) => [layer, { ...shares, ...asset }] as const);
  return { properties, assets: Object.fromEntries(withShares) };
}

/**
 * A day's `metadata.json`: a STAC Item with one asset per layer.
 *
 * @param kept assets of layers that were made on the same basis before, so that two enrollments of one field complete
 *   each other
 */
export function itemDocument(facts: ItemFacts, kept: ItemDocument['assets']): Json {
  const made = Object.fromEntries(facts.files.map((file) => [file.layer, assetOf(file, facts)]));
  const assets: Readonly<Partial<Record<LayerName, Json>>> = { ...kept, ...made };
  return {
    type: 'Feature',
    stac_version: STAC_VERSION,
    stac_extensions: EXTENSIONS,
    id: `${facts.fieldId}_${facts.date}`,
    collection: facts.fieldId,
    geometry: geometryOf(facts),
    bbox: facts.bbox,
    properties: propertiesOf(facts, assets),
    links: linksOf(facts),
    assets: Object.fromEntries(
      LAYER_NAMES.flatMap((name) => (assets[name] === undefined ? [] : [[name, assets[name]]])),
    ),
  };
}
