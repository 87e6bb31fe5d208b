import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { nameOfTile, tilesOfField } from '../../shared/scenes/place/tiles.js';
import { encodeCog } from '../../shared/raster/write/encodeCog.js';
import { toMapPoint, type Grid } from '../../shared/geo/grid/grid.js';
import { sampleArray } from '../../shared/raster/tiff/pixels.js';
import { utmProjection } from '../../shared/geo/grid/utm.js';

/** A small scene to be written as a STAC item with its files. */
export interface SmallScene {
  readonly id: string;
  /** UTC day; taken at 10:30. */
  readonly date: string;
  readonly grid: Grid;
  /** Class or digital number of a pixel of 10 m; the files of 20 m take every second one. */
  readonly valueAt: (file: 'scl' | 'red' | 'green' | 'blue' | 'nir', column: number, row: number) => number;
  readonly properties?: Readonly<Record<string, unknown>>;
}

const FILES = ['scl', 'red', 'green', 'blue', 'nir'] as const;

async function writeFile(folder: string, file: (typeof FILES)[number], { grid, valueAt }: SmallScene): Promise<object> {
  const step = file === 'scl' ? 2 : 1;
  const metres = 10 * step;
  const own = {
    ...grid,
    pixelWidth: metres,
    pixelHeight: metres,
    width: grid.width / step,
    height: grid.height / step,
  };
  const data = sampleArray(file === 'scl' ? 'uint8' : 'uint16', own.width * own.height);
  for (let index = 0; index < data.length; index += 1) {
    data[index] = valueAt(file, (index % own.width) * step, Math.floor(index / own.width) * step);
  }
  const pixels = { width: own.width, height: own.height, bands: 1, data };
  const bytes = await encodeCog({ pixels, grid: own, nodata: 0, tileSize: 128, overviewsBy: 'nearest' });
  writeFileSync(join(folder, `${file}.tif`), bytes);
  return {
    href: `./${file}.tif`,
    type: 'image/tiff; application=geotiff; profile=cloud-optimized',
    'proj:shape': [own.height, own.width],
    'proj:transform': [metres, 0, own.originX, 0, -metres, own.originY],
  };
}

/** Position of a pixel's upper left corner, rounded as GeoJSON usually is. */
export function positionOf(grid: Grid, pixel: readonly [column: number, row: number]): Position {
  const [longitude, latitude] = utmProjection(grid.epsg).toPosition(toMapPoint(grid, pixel));
  return [Number(longitude.toFixed(7)), Number(latitude.toFixed(7))];
}

/** Writes a scene into a folder of its own below `root`: first the files, then the item that names them. */
export async function writeScene(root: string, scene: SmallScene): Promise<void> {
  const folder = join(root, scene.id);
  mkdirSync(folder, { recursive: true });
  const assets: Record<string, object> = {};
  for (const file of FILES) assets[file] = await writeFile(folder, file, scene);
  const { width, height } = scene.grid;
  const corners = [
    [0, 0],
    [0, height],
    [width, height],
    [width, 0],
    [0, 0],
  ] as const;
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: scene.id,
    collection: 'sentinel-2-l2a',
    geometry: { type: 'Polygon', coordinates: [corners.map((corner) => positionOf(scene.grid, corner))] },
    properties: {
      datetime: `${scene.date}T10:30:00Z`,
      platform: 'sentinel-2b',
      'eo:cloud_cover': 1,
      'proj:epsg': scene.grid.epsg,
      's2:processing_baseline': '05.11',
      's2:generation_time': `${scene.date}T14:00:00Z`,
      'earthsearch:boa_offset_applied': true,
      ...scene.properties,
    },
    assets,
  };
  writeFileSync(join(folder, 'item.json'), JSON.stringify(item));
}

const GRID: Grid = {
  epsg: 32631,
  originX: 640_000,
  originY: 5_250_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 256,
  height: 256,
};
/** The tile of `burgundyField`. */
export const burgundyTile = nameOfTile(tilesOfField(GRID)[0]);
const CORNERS = [
  [60.5, 60.5],
  [120.5, 60.5],
  [120.5, 120.5],
  [60.5, 120.5],
  [60.5, 60.5],
] as const;

/** A field of 36 ha in Burgundy, away from the fields of the local catalogue. */
export const burgundyField = {
  type: 'Polygon',
  coordinates: [CORNERS.map((corner) => positionOf(GRID, corner))],
} as const;

/** Writes a clear scene that shows `burgundyField`, as `writeScene` does. @returns its id */
export async function writeBurgundyScene(
  directory: string,
  date: string,
  properties: SmallScene['properties'] = {},
): Promise<string> {
  const id = `S2B_${burgundyTile}_${date}`;
  const values = { scl: 4, red: 500, green: 700, blue: 400, nir: 3_500 };
  await writeScene(directory, {
    id,
    date,
    grid: GRID,
    valueAt: (file, column) => values[file] + (file === 'nir' ? column : 0),
    properties: { 'grid:code': `MGRS-${burgundyTile}`, 's2:generation_time': `${date}T11:00:00Z`, ...properties },
  });
  return id;
}
