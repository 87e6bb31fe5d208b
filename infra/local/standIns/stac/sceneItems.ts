import type { MgrsTile } from './mgrsTiles.js';
import type { Overpass } from './sceneCalendar.js';

/** The collections of Earth Search that the stand-in has. */
export const COLLECTION_1 = 'sentinel-2-c1-l2a';
export const COLLECTION_0 = 'sentinel-2-l2a';
export type CollectionId = typeof COLLECTION_1 | typeof COLLECTION_0;

/** One synthetic scene of a collection. */
export interface SyntheticScene {
  readonly collection: CollectionId;
  readonly tile: MgrsTile;
  readonly overpass: Overpass;
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

function baselineOf({ collection, overpass }: SyntheticScene): string {
  if (collection === COLLECTION_1) return '05.11';
  return overpass.date < OFFSET_SINCE ? '03.01' : '05.11';
}

const letterOf = ({ platform }: Overpass): string => platform.slice(-1).toUpperCase();

/** Ids in the form of the real collections, with a mark that no real one has. */
export function idOf({ collection, tile, overpass }: SyntheticScene): string {
  const stamp = overpass.takenAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return collection === COLLECTION_1
    ? `S2${letterOf(overpass)}_T${tile.name}_${stamp}_L2A_SYNTHETIC`
    : `S2${letterOf(overpass)}_${tile.name}_${overpass.date.replaceAll('-', '')}_0_L2A_SYNTHETIC`;
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
  const { tile, overpass, collection } = scene;
  const baseline = baselineOf(scene);
  const isOld = collection === COLLECTION_0;
  return {
    datetime: overpass.takenAt.toISOString(),
    created: overpass.publishedAt.toISOString(),
    updated: overpass.publishedAt.toISOString(),
    platform: overpass.platform,
    constellation: 'sentinel-2',
    'eo:cloud_cover': overpass.cloudFraction * 100,
    'proj:epsg': tile.grid.epsg,
    'grid:code': `MGRS-${tile.name}`,
    's2:nodata_pixel_percentage': 0,
    's2:processing_baseline': baseline,
    's2:generation_time': new Date(overpass.takenAt.getTime() + 3 * 3_600_000).toISOString(),
    's2:datatake_id': `${overpass.datatake}_N${baseline}`,
    ...(isOld ? { 'earthsearch:boa_offset_applied': overpass.date >= OFFSET_SINCE } : {}),
    // Nobody must take these pictures for observations.
    description: 'Synthetic scene of the local environment',
    'fieldimagery:synthetic': true,
  };
}

/** The item of a scene as Earth Search v1 answers it. @param origin of the stand-in */
export function itemOf(scene: SyntheticScene, origin: string): ItemDocument {
  const { tile, collection, overpass } = scene;
  const id = idOf(scene);
  const folder = `${origin}/files/${collection}/${tile.name}/${overpass.date}`;
  const positions = tile.outline.coordinates[0] ?? [];
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
    geometry: tile.outline,
    properties: propertiesOf(scene),
    links: [
      { rel: 'self', type: 'application/geo+json', href: `${origin}/v1/collections/${collection}/items/${id}` },
      { rel: 'collection', type: 'application/json', href: `${origin}/v1/collections/${collection}` },
    ],
    assets: Object.fromEntries(files.map((file) => [file, assetOf(scene, file, folder)])),
  };
}
