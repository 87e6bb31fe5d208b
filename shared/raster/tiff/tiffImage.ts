import { SAMPLE_BYTES, type SampleType } from './pixels.js';
import { RasterError } from './rasterError.js';
import { LIMITS } from './rasterLimits.js';
import { checkClaim, type TagValues } from './tiffDirectory.js';
import { COMPRESSION_NAMES, TAG } from './tiffTags.js';

/** One image of a TIFF file: how its pixels are cut into blocks (tiles or strips) and where these lie. */
export interface TiffImage {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly sampleType: SampleType;
  readonly compression: 'none' | 'deflate';
  /** TIFF predictor: 1 none, 2 horizontal differences, 3 floating point. */
  readonly predictor: 1 | 2 | 3;
  /** Whether each band has blocks of its own; otherwise a block holds the bands pixel by pixel. */
  readonly isPlanar: boolean;
  /** Columns of a tile; the image's width for strips. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Blocks side by side, and one above the other. */
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** Where each block lies: [plane][block row][block column], one plane unless planar. */
  readonly blockOffsets: readonly number[];
  /** 0 for a block that isn't stored: all nodata. */
  readonly blockByteCounts: readonly number[];
}

/** The numbers of a tag, none when it is missing. @throws RasterError `corrupt` for a text */
function allOf(tags: TagValues, tag: number): readonly number[] {
  const found = tags.get(tag) ?? [];
  if (typeof found === 'string') throw new RasterError('corrupt', `tag ${tag} is a text`);
  return found;
}

/** The first number of a tag; `fallback` when it is missing. @throws RasterError `corrupt` without both */
function oneOf(tags: TagValues, tag: number, fallback?: number): number {
  const value = allOf(tags, tag)[0] ?? fallback;
  if (value === undefined) throw new RasterError('corrupt', `tag ${tag} is missing`);
  return value;
}

const SAMPLE_TYPES: Readonly<Record<string, SampleType>> = {
  '1/8': 'uint8',
  '1/16': 'uint16',
  '2/16': 'int16',
  '3/32': 'float32',
};

function sampleTypeOf(tags: TagValues): SampleType {
  const bits = oneOf(tags, TAG.bitsPerSample, 1);
  const format = oneOf(tags, TAG.sampleFormat, 1);
  const sampleType = SAMPLE_TYPES[`${format}/${bits}`];
  const isMixed = allOf(tags, TAG.bitsPerSample).some((value) => value !== bits);
  if (sampleType === undefined || isMixed) {
    const kind = { 1: 'unsigned', 2: 'signed', 3: 'floating point' }[format] ?? `of sample format ${format}`;
    throw new RasterError(
      'unsupported',
      isMixed ? 'bands differ in type' : `${bits}-bit ${kind} values are not supported`,
    );
  }
  return sampleType;
}

function compressionOf(tags: TagValues): TiffImage['compression'] {
  const code = oneOf(tags, TAG.compression, 1);
  if (code === 1) return 'none';
  if (code === 8 || code === 32946) return 'deflate';
  const name = COMPRESSION_NAMES[code] ?? 'unknown';
  throw new RasterError('unsupported', `compression ${name} (${code}) is not supported, only deflate and none`);
}

function predictorOf(tags: TagValues, sampleType: SampleType, compression: TiffImage['compression']): 1 | 2 | 3 {
  const code = oneOf(tags, TAG.predictor, 1);
  if (compression === 'none' || code === 1) return 1;
  if (code === 2 || (code === 3 && sampleType === 'float32')) return code;
  throw new RasterError('unsupported', `predictor ${code} is not supported for ${sampleType}`);
}

function sideOf(tags: TagValues, tag: number, limit: number): number {
  const value = oneOf(tags, tag);
  if (!Number.isInteger(value) || value < 1) throw new RasterError('corrupt', `tag ${tag} is ${value}`);
  checkClaim(`pixels of tag ${tag}`, value, limit);
  return value;
}

function blockSizeOf(tags: TagValues, size: { readonly width: number; readonly height: number }) {
  const isTiled = allOf(tags, TAG.tileWidth).length > 0;
  if (isTiled) {
    return {
      isTiled,
      blockWidth: sideOf(tags, TAG.tileWidth, LIMITS.tilePixels),
      blockHeight: sideOf(tags, TAG.tileLength, LIMITS.tilePixels),
    };
  }
  const rows = oneOf(tags, TAG.rowsPerStrip, size.height);
  if (rows < 1) throw new RasterError('corrupt', 'a strip has no rows');
  // Writers say 2^32 − 1 for "all rows".
  return { isTiled, blockWidth: size.width, blockHeight: Math.min(size.height, rows) };
}

/** @throws RasterError `corrupt` when the lists do not have one entry per block or a block lies beyond the file */
function checkBlocks(image: TiffImage, fileBytes: number): void {
  const { blockOffsets, blockByteCounts } = image;
  const expected = image.blocksAcross * image.blocksDown * (image.isPlanar ? image.bands : 1);
  if (blockOffsets.length !== expected || blockByteCounts.length !== expected) {
    throw new RasterError('corrupt', `${expected} blocks expected, ${blockOffsets.length} listed`);
  }
  // Deflate never adds more than a few bytes per 16 KB.
  const mostBytes = unpackedBytes(image) + unpackedBytes(image) / 64 + 1024;
  blockOffsets.forEach((offset, index) => {
    const bytes = blockByteCounts[index] ?? 0;
    if (offset + bytes > fileBytes) throw new RasterError('corrupt', `block ${index} lies beyond the end of the file`);
    if (bytes > mostBytes) throw new RasterError('corrupt', `block ${index} is larger packed than unpacked`);
  });
}

/** Bytes of a whole block, unpacked. */
export function unpackedBytes(image: TiffImage): number {
  const bands = image.isPlanar ? 1 : image.bands;
  return image.blockWidth * image.blockHeight * bands * SAMPLE_BYTES[image.sampleType];
}

function bandsOf(tags: TagValues): number {
  const bands = oneOf(tags, TAG.samplesPerPixel, 1);
  checkClaim('bands', bands, LIMITS.bands);
  if (bands < 1) throw new RasterError('corrupt', 'the image has no band');
  return bands;
}

/**
 * The image that a directory describes.
 *
 * @param fileBytes size of the whole file
 * @throws RasterError `corrupt`, `unsupported` (by name: LZW, JPEG 2000, zstd …) or `too_large`
 */
export function tiffImageOf(tags: TagValues, fileBytes: number): TiffImage {
  const width = sideOf(tags, TAG.imageWidth, LIMITS.sidePixels);
  const height = sideOf(tags, TAG.imageLength, LIMITS.sidePixels);
  const compression = compressionOf(tags);
  const sampleType = sampleTypeOf(tags);
  const { isTiled, ...size } = blockSizeOf(tags, { width, height });
  const blocksAcross = Math.ceil(width / size.blockWidth);
  const blocksDown = Math.ceil(height / size.blockHeight);
  const bands = bandsOf(tags);
  const isPlanar = oneOf(tags, TAG.planarConfiguration, 1) === 2 && bands > 1;
  const image: TiffImage = {
    width,
    height,
    bands,
    sampleType,
    compression,
    predictor: predictorOf(tags, sampleType, compression),
    ...size,
    isPlanar,
    blocksAcross,
    blocksDown,
    blockOffsets: allOf(tags, isTiled ? TAG.tileOffsets : TAG.stripOffsets),
    blockByteCounts: allOf(tags, isTiled ? TAG.tileByteCounts : TAG.stripByteCounts),
  };
  checkClaim('blocks', blocksAcross * blocksDown * (isPlanar ? bands : 1), LIMITS.blocks);
  checkClaim('bytes of a block', unpackedBytes(image), LIMITS.blockBytes);
  checkBlocks(image, fileBytes);
  return image;
}

/** The nodata value of a file (tag 42113), undefined when it has none. */
export function nodataOf(values: TagValues): number | undefined {
  const text = values.get(TAG.gdalNodata);
  if (typeof text !== 'string') return undefined;
  const value = /^\s*[-+]?nan\s*$/i.test(text) ? NaN : Number(text);
  return text.trim() === '' || (Number.isNaN(value) && !/nan/i.test(text)) ? undefined : value;
}

/** Whether a directory is a smaller version of the full image, not a mask and not another page. */
export function isOverview(values: TagValues): boolean {
  const type = values.get(TAG.newSubfileType);
  return Array.isArray(type) && (Number(type[0]) & 5) === 1;
}
