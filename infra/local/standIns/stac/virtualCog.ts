import { setImmediate as turn } from 'node:timers/promises';
import type { Grid } from '../../../../shared/geo/grid/grid.js';
import {
  encodeDirectory,
  directoryBytes,
  doubles,
  longs,
  shorts,
  textTag,
} from '../../../../shared/raster/tiff/tiffEncoding.js';
import { GEO_KEY, TAG } from '../../../../shared/raster/tiff/tiffTags.js';

/** The form of a file whose blocks are made when they are read. */
export interface CogForm {
  readonly grid: Grid;
  /** Pixels of a block's side, a multiple of 16. */
  readonly blockPixels: number;
  readonly bytesPerPixel: 1 | 2;
}

/** Makes the bytes of one block: [row][column], little-endian. */
export type MakeBlock = (column: number, row: number) => Promise<Uint8Array>;

const HEADER_BYTES = 8;

function tagsOf({ grid, blockPixels, bytesPerPixel }: CogForm, offsets: readonly number[], blockBytes: number) {
  const keys = [
    [GEO_KEY.modelType, 0, 1, 1],
    [GEO_KEY.rasterType, 0, 1, 1],
    [GEO_KEY.projectedCrs, 0, 1, grid.epsg],
  ];
  return [
    longs(TAG.imageWidth, grid.width),
    longs(TAG.imageLength, grid.height),
    shorts(TAG.bitsPerSample, bytesPerPixel * 8),
    shorts(TAG.compression, 1),
    shorts(TAG.photometric, 1),
    shorts(TAG.samplesPerPixel, 1),
    shorts(TAG.planarConfiguration, 1),
    shorts(TAG.tileWidth, blockPixels),
    shorts(TAG.tileLength, blockPixels),
    longs(TAG.tileOffsets, ...offsets),
    longs(TAG.tileByteCounts, ...offsets.map(() => blockBytes)),
    shorts(TAG.sampleFormat, 1),
    doubles(TAG.modelPixelScale, grid.pixelWidth, grid.pixelHeight, 0),
    doubles(TAG.modelTiepoint, 0, 0, 0, grid.originX, grid.originY, 0),
    shorts(TAG.geoKeyDirectory, 1, 1, 0, keys.length, ...keys.flat()),
    textTag(TAG.gdalNodata, '0'),
  ];
}

/**
 * A tiled GeoTIFF of a whole Sentinel-2 tile that exists only where somebody reads it. Blocks are not compressed, so
 * that each has its place before it is made.
 */
export class VirtualCog {
  readonly size: number;
  readonly #header: Buffer;
  readonly #blockBytes: number;
  readonly #across: number;
  readonly #makeBlock: MakeBlock;

  constructor(form: CogForm, makeBlock: MakeBlock) {
    const { grid, blockPixels, bytesPerPixel } = form;
    this.#across = Math.ceil(grid.width / blockPixels);
    const blocks = this.#across * Math.ceil(grid.height / blockPixels);
    this.#blockBytes = blockPixels ** 2 * bytesPerPixel;
    this.#makeBlock = makeBlock;
    const none = Array<number>(blocks).fill(0);
    const first = HEADER_BYTES + directoryBytes(tagsOf(form, none, this.#blockBytes));
    const offsets = none.map((_, index) => first + index * this.#blockBytes);
    const start = Buffer.from([0x49, 0x49, 42, 0, HEADER_BYTES, 0, 0, 0]);
    this.#header = Buffer.concat([start, encodeDirectory(tagsOf(form, offsets, this.#blockBytes), HEADER_BYTES, 0)]);
    this.size = first + blocks * this.#blockBytes;
  }

  /** Bytes `first` to `last`, both inclusive and inside the file. */
  async read(first: number, last: number): Promise<Buffer> {
    const bytes = Buffer.alloc(last - first + 1);
    bytes.set(this.#header.subarray(first, last + 1));
    const start = this.#header.length;
    const [from, to] = [first - start, last - start].map((at) => Math.floor(at / this.#blockBytes));
    for (let index = Math.max(0, from ?? 0); index <= (to ?? -1); index += 1) {
      const block = await this.#makeBlock(index % this.#across, Math.floor(index / this.#across));
      const at = start + index * this.#blockBytes;
      const skipped = Math.max(0, first - at);
      bytes.set(block.subarray(skipped, last + 1 - at), at + skipped - first);
      // Other requests, and the other stand-ins of this process, get their turn between two blocks.
      await turn();
    }
    return bytes;
  }
}
