// Items of two far tiles as the two catalogues write them, and a field in each.
import type { ItemDocument } from '../../../../infra/local/standIns/stac/sceneItems.js';
import type { GeoBox } from '../../../../shared/scenes/place/footprint.js';
import type { Catalogue } from '../../../../shared/scenes/imagerySettings.js';
import { anItem, boxPolygon, TILE_BOX } from '../../builders.js';

export type WorldTile = '33UUP' | '15TWF';

/** A tile: its zone, its north-western corner in metres, its outline in degrees, and a field within. */
interface TilePlace {
  readonly epsg: number;
  readonly origin: readonly [x: number, y: number];
  readonly outline: GeoBox;
  readonly field: GeoBox;
}

export const places: Readonly<Record<WorldTile, TilePlace>> = {
  '33UUP': { epsg: 32633, origin: [300_000, 5_400_000], outline: TILE_BOX, field: [13.14, 48.29, 13.145, 48.293] },
  '15TWF': {
    epsg: 32615,
    origin: [499_980, 4_600_020],
    outline: [-93, 40.55, -91.68, 41.56],
    field: [-92.4, 41.1, -92.395, 41.103],
  },
};

/** A granule of a tile on a day; `strip` tells the datastrips of a day apart, 0 to 9. */
export interface Granule {
  readonly tile: WorldTile;
  /** UTC, such as 2026-06-17. */
  readonly day: string;
  readonly strip?: number;
}

/** When the satellite passes, UTC; the same for all tiles and days. */
const SENSED_AT = 'T10:05:59.000Z';
export const sensedAtOf = (day: string): number => Date.parse(`${day}${SENSED_AT}`);

const KEYS = {
  'earth-search': ['red', 'green', 'blue', 'nir', 'scl'],
  'planetary-computer': ['B04', 'B03', 'B02', 'B08', 'SCL'],
};

function assetsOf(catalogue: Catalogue, { epsg, origin: [x, y] }: TilePlace): object {
  const assets = KEYS[catalogue].map((key) => {
    const metres = key.toLowerCase() === 'scl' ? 20 : 10;
    const side = 109_800 / metres;
    const grid = { 'proj:shape': [side, side], 'proj:transform': [metres, 0, x, 0, -metres, y] };
    return [key, { href: `https://files.example/${epsg}/${key}.tif`, type: 'image/tiff', ...grid }];
  });
  return Object.fromEntries(assets) as object;
}

/** @param changedAt when the catalogue says that it put the item in; only Earth Search says so */
export function worldItem(catalogue: Catalogue, { tile, day, strip = 0 }: Granule, changedAt: number): ItemDocument {
  const [stamp, changed] = [day.replaceAll('-', ''), new Date(changedAt).toISOString()];
  const place = places[tile];
  const isEarthSearch = catalogue === 'earth-search';
  const id = isEarthSearch
    ? `S2B_${tile}_${stamp}_${strip}_L2A`
    : `S2B_MSIL2A_${stamp}T100559_N0511_R022_T${tile}_${stamp}T13395${strip}`;
  const properties = {
    datetime: `${day}${SENSED_AT}`,
    platform: isEarthSearch ? 'sentinel-2b' : 'Sentinel-2B',
    'proj:epsg': place.epsg,
    's2:generation_time': `${day}T13:00:00.000000Z`,
    's2:datatake_id': `GS2B_${stamp}T100559_04300${strip}_N05.11`,
    's2:datastrip_id': `S2B_OPER_MSI_L2A_DS_2BPS_${stamp}T133955_S${stamp}T10060${strip}_N05.11`,
    'grid:code': isEarthSearch ? `MGRS-${tile}` : undefined,
    's2:mgrs_tile': isEarthSearch ? undefined : tile,
    'earthsearch:boa_offset_applied': isEarthSearch ? true : undefined,
    ...(isEarthSearch ? { created: changed, updated: changed } : {}),
  };
  const item = { id, geometry: boxPolygon(place.outline), assets: assetsOf(catalogue, place) };
  return JSON.parse(JSON.stringify(anItem(item, properties))) as ItemDocument;
}
