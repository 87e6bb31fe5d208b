import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { toMapPoint, type Grid } from '../../../shared/geo/grid/grid.js';
import type { Pixels } from '../../../shared/raster/tiff/pixels.js';
import type { PlanarPart } from '../../../shared/geo/grid/polygonMask.js';
import type { MapPoint } from '../../../shared/geo/grid/utm.js';

/** A Sentinel-2 tile at 10 m. */
export const TILE: Grid = {
  epsg: 32633,
  originX: 300_000,
  originY: 5_400_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 10_980,
  height: 10_980,
};

export const FIELD_COUNT = 250;

/** Digital numbers of each band: parcels between `low` and `high`, ± `noise` a pixel. */
const BANDS = {
  red: { low: 300, high: 2200, noise: 50 },
  green: { low: 400, high: 1800, noise: 45 },
  blue: { low: 250, high: 1500, noise: 40 },
  nir: { low: 1800, high: 4800, noise: 80 },
} as const;

export const FILES = [...Object.keys(BANDS), 'scl'];

/** Repeatable pseudo-random numbers from 0 to 2^32 − 1. */
function noiseFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** A number from 0 to 1 that belongs to one parcel of about 64 × 48 pixels. */
const parcelAt = (column: number, row: number): number => {
  const mixed = Math.imul((column >> 6) * 7919 + Math.floor(row / 48) * 104_729, 0x9e3779b1) >>> 8;
  return mixed / 0x1000000;
};

/** Parcels with noise: packs to about 70–80 % of its size, as real bands do. */
function bandPixels({ low, high, noise }: (typeof BANDS)[keyof typeof BANDS], seed: number): Pixels {
  const { width, height } = TILE;
  const random = noiseFrom(seed);
  const data = new Uint16Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const shade = 0.15 * Math.sin(column / 190) * Math.cos(row / 230);
      const ground = low + (high - low) * Math.min(1, Math.max(0, parcelAt(column, row) + shade));
      data[row * width + column] = Math.max(1, ground + (random() / 0x100000000 - 0.5) * 2 * noise);
    }
  }
  return { width, height, bands: 1, data };
}

/** Vegetation and soil by parcel, clear everywhere: every field gets all its layers. */
function sclPixels(): Pixels {
  const [width, height] = [TILE.width / 2, TILE.height / 2];
  const data = Uint8Array.from({ length: width * height }, (_, index) =>
    parcelAt((index % width) * 2, Math.floor(index / width) * 2) < 0.3 ? 5 : 4,
  );
  return { width, height, bands: 1, data };
}

async function write(path: string, pixels: Pixels, tileSize: number): Promise<void> {
  const pixelSize = (TILE.width / pixels.width) * TILE.pixelWidth;
  const grid = { ...TILE, pixelWidth: pixelSize, pixelHeight: pixelSize, width: pixels.width, height: pixels.height };
  writeFileSync(`${path}.part`, await encodeCog({ pixels, grid, nodata: 0, tileSize, overviewsBy: 'nearest' }));
  renameSync(`${path}.part`, path);
}

/** Makes the five files of a scene with blocks of one size, unless they are there. */
export async function makeScene(folder: string, tileSize: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [index, name] of FILES.entries()) {
    const path = join(folder, `${name}.tif`);
    if (existsSync(path)) continue;
    process.stderr.write(`making ${path}\n`);
    const band = BANDS[name as keyof typeof BANDS] as (typeof BANDS)[keyof typeof BANDS] | undefined;
    await write(path, band === undefined ? sclPixels() : bandPixels(band, 1000 + index), tileSize);
  }
}

/**
 * 250 fields of 70 to 90 pixels on the tile's map: in a district of 41 × 41 km, or spread over the whole tile.
 *
 * @returns one part with one ring of eight corners each
 */
export function fieldsOf(placement: 'clustered' | 'spread'): readonly PlanarPart[] {
  const random = noiseFrom(4711);
  const between = (low: number, high: number): number => low + (random() / 0x100000000) * (high - low);
  const [first, last] = placement === 'clustered' ? [3000, 7100] : [100, 10_880];
  return Array.from({ length: FIELD_COUNT }, () => {
    const centre = [between(first, last), between(first, last)] as const;
    const radius = between(35, 45);
    const corners = Array.from({ length: 8 }, (_, index): MapPoint => {
      const angle = (index * Math.PI) / 4;
      const reach = index % 2 === 0 ? radius : radius * between(0.7, 1);
      return toMapPoint(TILE, [centre[0] + reach * Math.cos(angle), centre[1] + reach * Math.sin(angle)]);
    });
    return [[...corners, corners[0] ?? [0, 0]]];
  });
}
