import { halved } from '../../../../shared/raster/write/overviews.js';
import type { Pixels } from '../../../../shared/raster/tiff/pixels.js';
import { packTiles } from '../../../../shared/raster/write/cogTiles.js';
import {
  directoryBytes,
  doubles,
  encodeDirectory,
  longs,
  shorts,
  type TagToWrite,
} from '../../../../shared/raster/tiff/tiffEncoding.js';
import { GEO_KEY, TAG } from '../../../../shared/raster/tiff/tiffTags.js';
import type { Exchange, Reply } from '../http/exchange.js';
import { type RangedFile, rangeReply } from '../stac/byteRange.js';
import type { WeatherRecord } from './weatherRecord.js';

/** South-west corner in whole degrees. */
interface Corner {
  readonly south: number;
  readonly west: number;
}

const NAME = /^\/dem\/(Copernicus_DSM_COG_30_([NS])(\d\d)_00_([EW])(\d{3})_00_DEM)\/\1\.tif$/;
const ROWS = 1200;
const TILE_PIXELS = 1024;
/** Heights are made for blocks of so many pixels: the synthetic ground is smooth over far longer distances. */
const BLOCK = 4;

/** Columns of a tile by the latitude of its side towards the equator, as the product has them. */
const COLUMNS: readonly (readonly [from: number, columns: number])[] = [
  [85, 120],
  [80, 240],
  [70, 400],
  [60, 600],
  [50, 800],
  [0, 1200],
];

function columnsAt(south: number): number {
  const nearest = south >= 0 ? south : -south - 1;
  return COLUMNS.find(([from]) => nearest >= from)?.[1] ?? ROWS;
}

const heights = (record: WeatherRecord, { south, west }: Corner): Pixels => {
  const width = columnsAt(south);
  const data = new Float32Array(width * ROWS);
  for (let row = 0; row < ROWS; row += BLOCK) {
    for (let column = 0; column < width; column += BLOCK) {
      // Pixel (0, 0) lies on the north-west corner itself; the middle of a block is 1.5 pixels further.
      const middle = (BLOCK - 1) / 2;
      const latitude = south + 1 - (row + middle) / ROWS;
      const longitude = west + (column + middle) / width;
      const height = record.elevationM({ latitude, longitude });
      for (let down = 0; down < BLOCK; down += 1) {
        const start = (row + down) * width + column;
        data.fill(height, start, start + BLOCK);
      }
    }
  }
  return { width, height: ROWS, bands: 1, data };
};

/** Tags of one level as the product has them: no nodata, and on the full picture a tie point that is a pixel's middle. */
function tagsOf(pixels: Pixels, corner: Corner | undefined, tiles: { offsets: number[]; byteCounts: number[] }) {
  const tags: TagToWrite[] = [
    longs(TAG.newSubfileType, corner === undefined ? 1 : 0),
    longs(TAG.imageWidth, pixels.width),
    longs(TAG.imageLength, pixels.height),
    shorts(TAG.bitsPerSample, 32),
    shorts(TAG.compression, 8),
    shorts(TAG.photometric, 1),
    shorts(TAG.samplesPerPixel, 1),
    shorts(TAG.planarConfiguration, 1),
    shorts(TAG.predictor, 3),
    longs(TAG.tileWidth, TILE_PIXELS),
    longs(TAG.tileLength, TILE_PIXELS),
    longs(TAG.tileOffsets, ...tiles.offsets),
    longs(TAG.tileByteCounts, ...tiles.byteCounts),
    shorts(TAG.sampleFormat, 3),
  ];
  if (corner === undefined) return tags;
  const keys = [
    [GEO_KEY.modelType, 0, 1, 2],
    [GEO_KEY.rasterType, 0, 1, 2],
    [GEO_KEY.geodeticCrs, 0, 1, 4326],
  ];
  return [
    ...tags,
    doubles(TAG.modelPixelScale, 1 / pixels.width, 1 / pixels.height, 0),
    doubles(TAG.modelTiepoint, 0, 0, 0, corner.west, corner.south + 1, 0),
    shorts(TAG.geoKeyDirectory, 1, 1, 0, keys.length, ...keys.flat()),
  ];
}

const HEADER_BYTES = 8;

/** A tile in the layout of Copernicus DEM GLO-90; what lies beyond the edge of an internal tile is 0. */
async function encodeTile(record: WeatherRecord, corner: Corner): Promise<Uint8Array> {
  const rules = { nodata: NaN, by: 'average' } as const;
  const full = heights(record, corner);
  const half = halved(full, rules);
  const levels = [full, half, halved(half, rules)];
  const packing = { sampleType: 'float32', predictor: 3, nodata: 0, tileWidth: TILE_PIXELS, tileHeight: TILE_PIXELS };
  const packed = await Promise.all(levels.map((level) => packTiles(level, packing as Parameters<typeof packTiles>[1])));
  const byteCounts = packed.map((tiles) => tiles.map(({ length }) => length));
  const tagsAt = (offsets: readonly number[][]): TagToWrite[][] =>
    levels.map((level, index) =>
      tagsOf(level, index === 0 ? corner : undefined, {
        offsets: offsets[index] ?? [],
        byteCounts: byteCounts[index] ?? [],
      }),
    );
  const sizes = tagsAt(byteCounts).map(directoryBytes);
  let at = sizes.reduce((sum, size) => sum + size, HEADER_BYTES);
  const offsets = byteCounts.map((counts) => counts.map((count) => (at += count) - count));
  let next = HEADER_BYTES;
  const directories = tagsAt(offsets).map((tags, index) => {
    const start = next;
    next += sizes[index] ?? 0;
    return encodeDirectory(tags, start, index + 1 < levels.length ? next : 0);
  });
  const header = Buffer.from([0x49, 0x49, 42, 0, HEADER_BYTES, 0, 0, 0]);
  return Buffer.concat([header, ...directories, ...packed.flat()]);
}

/** Where the synthetic world has no land: the bucket has no file for open sea. */
const isSea = ({ south, west }: Corner): boolean => south < -60 || (Math.abs(south) < 45 && west < -130);

/** @param version the layout of our synthetic tiles; they do not change otherwise */
const fileOf = (bytes: Uint8Array, version: string): RangedFile => ({
  size: bytes.length,
  version,
  read: (first, last) => Promise.resolve(bytes.subarray(first, last + 1)),
});

/** Synthetic tiles under the names of Copernicus DEM GLO-90, by HTTP range; a bucket that may not be listed says 403. */
export class TerrainTiles {
  readonly #record: WeatherRecord;
  readonly #tiles = new Map<string, Promise<Uint8Array>>();

  constructor(record: WeatherRecord) {
    this.#record = record;
  }

  /** Undefined when the path is no tile's. */
  async reply(exchange: Exchange): Promise<Reply | undefined> {
    const [, name, northSouth, latitude, eastWest, longitude] = NAME.exec(exchange.url.pathname) ?? [];
    if (name === undefined) return undefined;
    const corner = {
      south: Number(latitude) * (northSouth === 'S' ? -1 : 1),
      west: Number(longitude) * (eastWest === 'W' ? -1 : 1),
    };
    if (isSea(corner)) return noSuchKey;
    const tile = this.#tiles.get(name) ?? encodeTile(this.#record, corner);
    this.#tiles.set(name, tile);
    return await rangeReply(exchange, fileOf(await tile, `${name} ${this.#record.source} 1`));
  }
}

const noSuchKey: Reply = {
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
