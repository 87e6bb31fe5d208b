import type { MgrsTile } from './mgrsTiles.js';
import type { Overpass } from './sceneCalendar.js';
import { outlineOf, type Side } from './sceneCases.js';

/** The collections of Earth Search that the stand-in has. */
export const COLLECTION_1 = 'sentinel-2-c1-l2a';
export const COLLECTION_0 = 'sentinel-2-l2a';
export type CollectionId = typeof COLLECTION_1 | typeof COLLECTION_0;

/** One synthetic scene of a collection. */
export interface SyntheticScene {
  readonly collection: CollectionId;
  readonly tile: MgrsTile;
  readonly overpass: Overpass;
  /** Which of the granules of its tile; 0 where no datastrip ends. */
  readonly granule: 0 | 1;
  /** 1 when it was processed again. */
  readonly version: 0 | 1;
  /** What it shows: all of its tile without any. */
  readonly sides: readonly Side[];
  /** The tile as its catalogue writes it. */
  readonly tileName: string;
}

const MINUTE_MS = 60_000;
/** From the acquisition of one granule to the next, to the product, and to a new version of it. */
const GRANULE_MS = 5_000;
const GENERATED_MS = 180 * MINUTE_MS;
const REPROCESSED_MS = 2 * 1440 * MINUTE_MS;

type Made = Pick<SyntheticScene, 'overpass' | 'granule' | 'version'>;
const takenAtOf = ({ overpass, granule }: Omit<Made, 'version'>): Date =>
  new Date(overpass.takenAt.getTime() + granule * GRANULE_MS);
const generatedAtOf = (scene: Made): Date =>
  new Date(takenAtOf(scene).getTime() + GENERATED_MS + scene.version * REPROCESSED_MS);
/** When the catalogue shows it. */
export const publishedAtOf = ({ overpass, version }: Made): Date =>
  new Date(overpass.publishedAt.getTime() + version * REPROCESSED_MS);

/** `20260617T100559` of an instant. */
const stampOf = (instant: Date): string => instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** Folder of its files below `/files/`. */
export function folderOf({ collection, tile, overpass, granule, version }: SyntheticScene): string {
  const sequence = granule + 2 * version;
  return `${collection}/${tile.name}/${overpass.date}${sequence === 0 ? '' : `_${sequence}`}`;
}

/** An item as a catalogue answers it. */
export type ItemDocument = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly collection: string;
  readonly geometry: { readonly type: 'Polygon' | 'MultiPolygon'; readonly coordinates: readonly unknown[] };
  readonly properties: Readonly<Record<string, unknown>> & { readonly datetime: string };
};

/** Baselines from 04.00 on add 1000 to every number; ESA's switch was on this day. */
const OFFSET_SINCE = '2022-01-25';
const FILES = {
  red: { key: 'B04', name: 'Red' },
  green: { key: 'B03', name: 'Green' },
  blue: { key: 'B02', name: 'Blue' },
  nir: { key: 'B08', name: 'NIR 1' },
} as const;

/** Whether the digital numbers of a scene's files carry the offset of 1000. */
export const hasOffset = ({ collection }: Pick<SyntheticScene, 'collection'>): boolean => collection === COLLECTION_1;

function baselineOf({ collection, overpass, version }: SyntheticScene): string {
  if (version === 1) return '05.12';
  if (collection === COLLECTION_1) return '05.11';
  return overpass.date < OFFSET_SINCE ? '03.01' : '05.11';
}

const letterOf = ({ platform }: Overpass): string => platform.slice(-1).toUpperCase();

/** Ids in the form of the real collections, with a mark that no real one has. */
export function idOf(scene: SyntheticScene): string {
  const { collection, overpass, tileName, granule, version } = scene;
  const start = `S2${letterOf(overpass)}_`;
  return collection === COLLECTION_1
    ? `${start}T${tileName}_${stampOf(takenAtOf(scene))}_L2A_SYNTHETIC`
    : `${start}${tileName}_${overpass.date.replaceAll('-', '')}_${granule + 2 * version}_L2A_SYNTHETIC`;
}

/** The id of the datastrip: the satellite's ground segment, when it was processed, when it began, its baseline. */
function datastripOf(scene: SyntheticScene): string {
  const letter = letterOf(scene.overpass);
  const [made, began] = [stampOf(generatedAtOf(scene)), stampOf(takenAtOf(scene))];
  return `S2${letter}_OPER_MSI_L2A_DS_2${letter}PS_${made}_S${began}_N${baselineOf(scene)}`;
}

function assetOf(scene: SyntheticScene, file: 'scl' | keyof typeof FILES, folder: string): object {
  const { grid } = scene.tile;
  const metres = file === 'scl' ? 20 : 10;
  const side = (grid.width * 10) / metres;
  const common = {
    type: 'image/tiff; application=geotiff; profile=cloud-optimized',
    'proj:shape': [side, side],
    'proj:transform': [metres, 0, grid.originX, 0, -metres, grid.originY],
    gsd: metres,
    roles: ['data', 'reflectance'],
  };
  if (file === 'scl') {
    const bands = [{ nodata: 0, data_type: 'uint8', spatial_resolution: 20 }];
    return { ...common, href: `${folder}/SCL.tif`, title: 'Scene classification map (SCL)', 'raster:bands': bands };
  }
  const { key, name } = FILES[file];
  // As in the real catalogue: the old collection shows the offset although it was removed from the pixels.
  const bands = [{ nodata: 0, data_type: 'uint16', spatial_resolution: 10, scale: 0.0001, offset: -0.1 }];
  const eoBands = [{ name: file, common_name: file, description: name }];
  return { ...common, href: `${folder}/${key}.tif`, title: name, 'eo:bands': eoBands, 'raster:bands': bands };
}

function propertiesOf(scene: SyntheticScene): ItemDocument['properties'] {
  const { tile, overpass, collection, tileName, sides } = scene;
  const baseline = baselineOf(scene);
  const isOld = collection === COLLECTION_0;
  return {
    datetime: takenAtOf(scene).toISOString(),
    created: publishedAtOf(scene).toISOString(),
    updated: publishedAtOf(scene).toISOString(),
    platform: overpass.platform,
    constellation: 'sentinel-2',
    'eo:cloud_cover': overpass.cloudFraction * 100,
    'proj:epsg': tile.grid.epsg,
    'grid:code': `MGRS-${tileName}`,
    // The line may cut off any share; that it is a half serves as well.
    's2:nodata_pixel_percentage': sides.length === 0 ? 0 : 50,
    's2:processing_baseline': baseline,
    's2:generation_time': generatedAtOf(scene).toISOString(),
    's2:datastrip_id': datastripOf(scene),
    's2:datatake_id': `${overpass.datatake}_N${baseline}`,
    ...(isOld ? { 'earthsearch:boa_offset_applied': overpass.date >= OFFSET_SINCE } : {}),
    // Nobody must take these pictures for observations.
    description: 'Synthetic scene of the local environment',
    'fieldimagery:synthetic': true,
  };
}

/** The item of a scene as Earth Search v1 answers it. @param origin of the stand-in */
export function itemOf(scene: SyntheticScene, origin: string): ItemDocument {
  const { tile, collection, sides } = scene;
  const id = idOf(scene);
  const folder = `${origin}/files/${folderOf(scene)}`;
  const outline = outlineOf(tile.grid, sides) ?? tile.outline;
  const positions = outline.coordinates[0] ?? [];
  const [longitudes, latitudes] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  const files = ['red', 'green', 'blue', 'nir', 'scl'] as const;
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: [
      'https://stac-extensions.github.io/eo/v1.0.0/schema.json',
      'https://stac-extensions.github.io/projection/v1.0.0/schema.json',
      'https://stac-extensions.github.io/raster/v1.1.0/schema.json',
      'https://stac-extensions.github.io/grid/v1.0.0/schema.json',
    ],
    id,
    collection,
    bbox: [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)],
    geometry: outline,
    properties: propertiesOf(scene),
    links: [
      { rel: 'self', type: 'application/geo+json', href: `${origin}/v1/collections/${collection}/items/${id}` },
      { rel: 'collection', type: 'application/json', href: `${origin}/v1/collections/${collection}` },
    ],
    assets: Object.fromEntries(files.map((file) => [file, assetOf(scene, file, folder)])),
  };
}
