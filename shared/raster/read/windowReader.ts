import { copyBlock, decodeBlock } from './blockDecoder.js';
import { blockKey, type BlockShare } from './blockShare.js';
import type { ByteSource } from '../tiff/byteSource.js';
import type { PixelWindow } from '../../geo/grid/grid.js';
import { limiter, type Limiter } from '../../kit/limiter.js';
import { SAMPLE_BYTES, sampleArray, type Pixels } from '../tiff/pixels.js';
import { named, RasterError } from '../tiff/rasterError.js';
import { LIMITS } from '../tiff/rasterLimits.js';
import type { Raster } from './rasterReader.js';
import { planBlocks, planRanges, type PlannedBlock, type PlannedRange } from './readPlan.js';
import { checkClaim } from '../tiff/tiffDirectory.js';
import type { TiffImage } from '../tiff/tiffImage.js';

/** Ranges on their way at the same time: hides the latency without holding more than 32 MB. */
const CONCURRENT_RANGES = 4;
/** Blocks unpacked at the same time: the threads of libuv's pool. */
const CONCURRENT_BLOCKS = 4;

/** Options of one read. */
export interface ReadOptions {
  /** An overview of the raster; the full-size image when absent. Windows count its pixels. */
  readonly image?: TiffImage;
  readonly signal?: AbortSignal;
  /** Cache of unpacked blocks, used and filled by this read. */
  readonly share?: BlockShare;
}

/** What the steps of one read share. */
interface Reading {
  readonly source: ByteSource;
  readonly image: TiffImage;
  readonly windows: readonly Pixels[];
  readonly decoding: Limiter;
  readonly signal: AbortSignal;
  readonly share: BlockShare | undefined;
}

function emptyWindows(image: TiffImage, windows: readonly PixelWindow[], nodata: number): readonly Pixels[] {
  const pixels = windows.reduce((sum, { width, height }) => sum + width * height, 0);
  checkClaim('bytes of all windows', pixels * image.bands * SAMPLE_BYTES[image.sampleType], LIMITS.windowBytes);
  return windows.map(({ width, height }) => {
    const data = sampleArray(image.sampleType, width * height * image.bands);
    return { width, height, bands: image.bands, data: nodata === 0 ? data : data.fill(nodata) };
  });
}

/** The values of a block; with a cache all of them, which are kept there. */
async function valuesOf({ source, image, share }: Reading, block: PlannedBlock, packed: Uint8Array) {
  const values = await decodeBlock(image, block, { packed, part: share === undefined ? 'needed' : 'whole' });
  share?.keep(blockKey(source, image, block.index), values);
  return values;
}

/** Copies the cached blocks into the windows. @returns the blocks that have to be fetched */
function unshared(
  { source, image, windows, share }: Reading,
  blocks: readonly PlannedBlock[],
): readonly PlannedBlock[] {
  if (share === undefined) return blocks;
  return blocks.filter((block) => {
    const values = share.find(blockKey(source, image, block.index));
    if (values !== undefined) copyBlock(image, block, values, windows);
    return values === undefined;
  });
}

async function readRange(reading: Reading, range: PlannedRange): Promise<void> {
  const { source, windows, image, decoding, signal } = reading;
  const bytes = await source.read(range.offset, range.length, signal);
  if (bytes.length < range.length) throw new RasterError('corrupt', `the file ends inside block data`);
  const blocks = range.blocks.map((block) =>
    decoding(async () => {
      signal.throwIfAborted();
      const start = block.offset - range.offset;
      try {
        const values = await valuesOf(reading, block, bytes.subarray(start, start + block.byteCount));
        copyBlock(image, block, values, windows);
      } catch (error) {
        throw named(error, `block ${block.index}`);
      }
    }),
  );
  await Promise.all(blocks);
}

/** Reads all ranges; the first fault ends the others. */
async function runAll(ranges: readonly PlannedRange[], reading: Reading): Promise<void> {
  const own = new AbortController();
  const signal = AbortSignal.any([reading.signal, own.signal]);
  const fetching = limiter(CONCURRENT_RANGES);
  try {
    await Promise.all(
      ranges.map((range) =>
        fetching(() => {
          signal.throwIfAborted();
          return readRange({ ...reading, signal }, range);
        }),
      ),
    );
  } catch (error) {
    own.abort(error);
    throw error;
  }
}

/**
 * Reads windows of a raster: the blocks that they need, each fetched and unpacked once, in as few requests as sensible.
 *
 * Windows may overlap and reach beyond the image: what lies there, and blocks that aren't stored, is nodata (0 when
 * the file names none).
 *
 * @returns one per window, in order
 * @throws RasterError whose message begins with the source's name, or the signal's reason
 */
export async function readWindows(
  raster: Raster,
  windows: readonly PixelWindow[],
  { image = raster.image, signal = new AbortController().signal, share }: ReadOptions = {},
): Promise<readonly Pixels[]> {
  try {
    signal.throwIfAborted();
    const targets = emptyWindows(image, windows, raster.nodata ?? 0);
    const decoding = limiter(CONCURRENT_BLOCKS);
    const reading: Reading = { source: raster.source, image, windows: targets, decoding, signal, share };
    await runAll(planRanges(unshared(reading, planBlocks(image, windows))), reading);
    return targets;
  } catch (error) {
    throw named(error, raster.source.name);
  }
}
