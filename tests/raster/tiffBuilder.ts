import { deflateSync } from 'node:zlib';
import { applyPredictor } from '../../shared/raster/tiff/predictor.js';
import {
  SAMPLE_BYTES,
  sampleArray,
  sampleTypeOf,
  type Pixels,
  type SampleArray,
} from '../../shared/raster/tiff/pixels.js';

/** How a test file is laid out; everything a TIFF reader must cope with and our own writer never does. */
export interface TiffForm {
  readonly pixels: Pixels;
  readonly isBig?: boolean;
  /** Tile sides; strips of `rowsPerStrip` when absent. */
  readonly tile?: readonly [width: number, height: number];
  readonly rowsPerStrip?: number;
  readonly isPlanar?: boolean;
  /** TIFF code: 1 none, 8 or 32946 deflate; any other is written as 8 and lied about. */
  readonly compression?: number;
  readonly predictor?: 1 | 2 | 3;
  /** Blocks that are not stored. */
  readonly sparse?: readonly number[];
  /** Tags added or replaced: [type, values]; null leaves a tag out. */
  readonly tags?: Readonly<Record<number, readonly [type: number, values: readonly number[] | string] | null>>;
  /** Whether the directory follows the pixels. */
  readonly isDirectoryLast?: boolean;
}

const PLAIN = { isPlanar: false, isBig: false, compression: 1, predictor: 1 } as const;

const TYPE_SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 8: 2, 12: 8, 16: 8 };

function encodeValues(type: number, values: readonly number[] | string): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`);
  const size = TYPE_SIZES[type]!;
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, index) => {
    if (type === 12) bytes.writeDoubleLE(value, index * 8);
    else if (type === 16) bytes.writeBigUInt64LE(BigInt(value), index * 8);
    else bytes.writeUIntLE(value, index * size, size);
  });
  return bytes;
}

/** Which pixels of the picture a block holds. */
interface BlockPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly rows: number;
  /** The band of a planar block; otherwise all bands lie side by side. */
  readonly plane: number | undefined;
}

function blockSamples({ data, width, height, bands }: Pixels, place: BlockPlace): SampleArray {
  const stride = place.plane === undefined ? bands : 1;
  const block = sampleArray(sampleTypeOf(data), place.width * place.rows * stride);
  for (let index = 0; index < block.length; index += 1) {
    const column = place.left + (Math.floor(index / stride) % place.width);
    const row = place.top + Math.floor(index / stride / place.width);
    const band = place.plane ?? index % stride;
    if (column < width && row < height) block[index] = data[(band * height + row) * width + column]!;
  }
  return block;
}

/** The blocks in the order TIFF lists them: [plane][row][column]. */
function placesOf({ pixels, tile, isPlanar = false, rowsPerStrip = pixels.height }: TiffForm): BlockPlace[] {
  const [width, height] = tile ?? [pixels.width, rowsPerStrip];
  const places: BlockPlace[] = [];
  for (let plane = 0; plane < (isPlanar ? pixels.bands : 1); plane += 1) {
    for (let top = 0; top < pixels.height; top += height) {
      for (let left = 0; left < pixels.width; left += width) {
        const rows = tile === undefined ? Math.min(height, pixels.height - top) : height;
        places.push({ left, top, width, rows, plane: isPlanar ? plane : undefined });
      }
    }
  }
  return places;
}

function packBlocks(form: TiffForm): Buffer[] {
  const { pixels, isPlanar, compression, predictor, sparse = [] } = { ...PLAIN, ...form };
  const sampleType = sampleTypeOf(pixels.data);
  return placesOf(form).map((place, index) => {
    if (sparse.includes(index)) return Buffer.alloc(0);
    const block = blockSamples(pixels, place);
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    applyPredictor(bytes, { bands: pixels.bands, isPlanar, sampleType, predictor, blockWidth: place.width });
    return compression === 1 ? bytes : deflateSync(bytes);
  });
}

type Tags = Map<number, readonly [type: number, values: readonly number[] | string]>;

const SAMPLE_FORMATS = { uint8: 1, uint16: 1, int16: 2, float32: 3 } as const;

/** The tags of the file, its blocks lying at `offsets`. */
function tagsOf(form: TiffForm, offsets: readonly number[], byteCounts: readonly number[]): Tags {
  const { pixels, tile, isPlanar, isBig, compression, predictor, rowsPerStrip = pixels.height } = { ...PLAIN, ...form };
  const sampleType = sampleTypeOf(pixels.data);
  const perBand = (value: number): number[] => Array<number>(pixels.bands).fill(value);
  const tags: Tags = new Map();
  tags.set(256, [4, [pixels.width]]).set(257, [4, [pixels.height]]);
  tags.set(258, [3, perBand(SAMPLE_BYTES[sampleType] * 8)]).set(339, [3, perBand(SAMPLE_FORMATS[sampleType])]);
  tags
    .set(259, [3, [compression]])
    .set(262, [3, [1]])
    .set(277, [3, [pixels.bands]]);
  tags.set(284, [3, [isPlanar ? 2 : 1]]).set(317, [3, [predictor]]);
  tags.set(33550, [12, [10, 10, 0]]).set(33922, [12, [0, 0, 0, 359_140, 5_352_340, 0]]);
  tags.set(34735, [3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633]]);
  tags.set(tile ? 324 : 273, [isBig ? 16 : 4, offsets]).set(tile ? 325 : 279, [4, byteCounts]);
  if (tile) tags.set(322, [4, [tile[0]]]).set(323, [4, [tile[1]]]);
  else tags.set(278, [4, [rowsPerStrip]]);
  for (const [tag, value] of Object.entries({ ...form.tags })) {
    if (value === null) tags.delete(Number(tag));
    else tags.set(Number(tag), value);
  }
  return tags;
}

function encodeHeader(isBig: boolean, directoryAt: number): Buffer {
  const header = Buffer.alloc(isBig ? 16 : 8);
  header.write('II', 'latin1');
  header.writeUInt16LE(isBig ? 43 : 42, 2);
  if (isBig) header.writeUInt16LE(8, 4);
  header.writeUIntLE(directoryAt, isBig ? 8 : 4, isBig ? 6 : 4);
  return header;
}

/** A TIFF file of one image, on the grid of `aGrid` unless its tags say otherwise. */
export function buildTiff(form: TiffForm): Buffer {
  const { isBig = false, isDirectoryLast = false } = form;
  const blocks = packBlocks(form);
  const byteCounts = blocks.map(({ length }) => length);
  const zeros = byteCounts.map(() => 0);
  const directoryBytes = encodeDirectory(tagsOf(form, zeros, byteCounts), 0, isBig).length;
  const headerBytes = isBig ? 16 : 8;
  let at = isDirectoryLast ? headerBytes : headerBytes + directoryBytes;
  const offsets = byteCounts.map((bytes) => {
    at += bytes;
    return bytes === 0 ? 0 : at - bytes;
  });
  const directoryAt = isDirectoryLast ? at : headerBytes;
  const directory = encodeDirectory(tagsOf(form, offsets, byteCounts), directoryAt, isBig);
  const header = encodeHeader(isBig, directoryAt);
  return Buffer.concat(isDirectoryLast ? [header, ...blocks, directory] : [header, directory, ...blocks]);
}

function encodeDirectory(tags: Tags, offset: number, isBig: boolean): Buffer {
  const [countBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const entries = [...tags].sort(([a], [b]) => a - b);
  const fixed = Buffer.alloc(countBytes + entries.length * entryBytes + offsetBytes);
  fixed.writeUIntLE(entries.length, 0, isBig ? 6 : 2);
  const extra: Buffer[] = [];
  let free = offset + fixed.length;
  entries.forEach(([tag, [type, values]], index) => {
    const at = countBytes + index * entryBytes;
    const bytes = encodeValues(type, values);
    fixed.writeUInt16LE(tag, at);
    fixed.writeUInt16LE(type, at + 2);
    fixed.writeUIntLE(bytes.length / TYPE_SIZES[type]!, at + 4, isBig ? 6 : 4);
    if (bytes.length <= offsetBytes) bytes.copy(fixed, at + 4 + offsetBytes);
    else {
      fixed.writeUIntLE(free, at + 4 + offsetBytes, isBig ? 6 : 4);
      extra.push(bytes);
      free += bytes.length;
    }
  });
  return Buffer.concat([fixed, ...extra]);
}
