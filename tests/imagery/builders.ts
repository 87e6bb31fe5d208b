import type { Polygon } from '../../shared/geo/shapes/geoJson.js';
import type { GeoBox } from '../../shared/scenes/place/footprint.js';
import type { Scene } from '../../shared/scenes/item/scene.js';
import type { StacItem } from '../../shared/scenes/item/stacSchemas.js';

/** A rectangle in degrees. */
export const boxPolygon = ([west, south, east, north]: GeoBox): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

/** Outline of tile 33UUP in degrees, a little generous. */
export const TILE_BOX: GeoBox = [12.27, 47.75, 13.77, 48.76];

/** A scene of tile 33UUP over Upper Austria; each id has files of its own. */
export function aScene(changes: Partial<Scene> = {}): Scene {
  const id = changes.id ?? 'S2B_33UUP_20260617_0_L2A';
  const file = (name: string): string => `https://files.example/${id}/${name}.tif`;
  return {
    id,
    collection: 'sentinel-2-l2a',
    platform: 'sentinel-2b',
    takenAt: '2026-06-17T10:05:59.000Z',
    datatake: 'GS2B_20260617T100559_043001',
    datastripStart: '20260617T100612',
    tile: '33UUP',
    baseline: '05.11',
    generatedAt: '2026-06-17T13:00:00Z',
    cloudPercent: 5,
    nodataPercent: 0,
    footprint: boxPolygon(TILE_BOX),
    grid: {
      epsg: 32633,
      originX: 300_000,
      originY: 5_400_000,
      pixelWidth: 10,
      pixelHeight: 10,
      width: 10_980,
      height: 10_980,
    },
    offset: { offsetDn: 0, basis: 'catalogue' },
    files: { scl: file('scl'), red: file('red'), green: file('green'), blue: file('blue'), nir: file('nir') },
    ...changes,
  };
}

export const FIELD_BOX: GeoBox = [13.14, 48.29, 13.145, 48.293];

const asset = (name: string, metres: 10 | 20, more: object = {}): object => ({
  href: `https://sentinel-cogs.s3.us-west-2.amazonaws.com/33/U/UP/${name}.tif`,
  type: 'image/tiff; application=geotiff; profile=cloud-optimized',
  'proj:shape': [109_800 / metres, 109_800 / metres],
  'proj:transform': [metres, 0, 300_000, 0, -metres, 5_400_000],
  ...more,
});

/** An item of Earth Search's `sentinel-2-l2a` as the catalogue answers it. */
export const anItem = (changes: Record<string, unknown> = {}, properties: Record<string, unknown> = {}): StacItem =>
  ({
    type: 'Feature',
    id: 'S2B_33UUP_20260617_0_L2A',
    collection: 'sentinel-2-l2a',
    geometry: boxPolygon(TILE_BOX),
    properties: {
      datetime: '2026-06-17T10:05:59.024Z',
      platform: 'sentinel-2b',
      'eo:cloud_cover': 4.03,
      'proj:epsg': 32633,
      'grid:code': 'MGRS-33UUP',
      's2:nodata_pixel_percentage': 0.5,
      's2:processing_baseline': '05.11',
      's2:generation_time': '2026-06-17T13:39:55.000000Z',
      's2:datatake_id': 'GS2B_20260617T100559_043001_N05.11',
      's2:datastrip_id': 'S2B_OPER_MSI_L2A_DS_2BPS_20260617T133955_S20260617T100612_N05.11',
      'earthsearch:boa_offset_applied': true,
      ...properties,
    },
    links: [{ rel: 'self', href: 'https://earth-search.aws.element84.com/v1/collections/x/items/y' }],
    assets: {
      red: asset('B04', 10, { 'raster:bands': [{ nodata: 0, scale: 0.0001, offset: -0.1 }] }),
      green: asset('B03', 10),
      blue: asset('B02', 10),
      nir: asset('B08', 10),
      scl: asset('SCL', 20),
      'red-jp2': { href: 's3://sentinel-s2-l2a/red.jp2', type: 'image/jp2' },
    },
    ...changes,
  }) as unknown as StacItem;
