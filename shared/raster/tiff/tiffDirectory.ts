import { RasterError } from './rasterError.js';
import { TYPE_BYTES } from './tiffTags.js';

/** Field widths of the two TIFF dialects. */
export interface TiffDialect {
  /** 4 in classic TIFF, 8 in BigTIFF. */
  readonly offsetBytes: 4 | 8;
  /** Bytes of the number of entries before a directory. */
  readonly countBytes: 2 | 8;
  readonly entryBytes: 12 | 20;
}

const CLASSIC: TiffDialect = { offsetBytes: 4, countBytes: 2, entryBytes: 12 };
const BIG: TiffDialect = { offsetBytes: 8, countBytes: 8, entryBytes: 20 };

/** One entry of a directory, its values not yet read. */
export interface DirectoryEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Where the values lie: inside the entry when they fit, else elsewhere in the file. */
  readonly valueOffset: number;
  readonly valueBytes: number;
}

/** Tag → its values: numbers, or a text without the closing zero. */
export type TagValues = ReadonlyMap<number, readonly number[] | string>;

/** An unsigned 64-bit number. @throws RasterError `corrupt` above 2^53, which no file reaches */
function uint64(view: DataView, offset: number): number {
  const value = Number(view.getBigUint64(offset, true));
  if (!Number.isSafeInteger(value)) throw new RasterError('corrupt', 'an offset or count is beyond 2^53');
  return value;
}

/** An offset or count in the width of the dialect. */
export function readOffset(view: DataView, offset: number, bytes: 2 | 4 | 8): number {
  if (bytes === 8) return uint64(view, offset);
  return bytes === 4 ? view.getUint32(offset, true) : view.getUint16(offset, true);
}

/**
 * Dialect and first directory of a file.
 *
 * @param view at least the first 16 bytes
 * @throws RasterError `corrupt` when it is no TIFF, `unsupported` when it is big-endian
 */
export function readSignature(view: DataView): { readonly dialect: TiffDialect; readonly firstDirectory: number } {
  const order = view.getUint16(0, true);
  if (order === 0x4d4d) throw new RasterError('unsupported', 'big-endian TIFF (MM) is not supported');
  const version = view.getUint16(2, true);
  if (order === 0x4949 && version === 42) return { dialect: CLASSIC, firstDirectory: view.getUint32(4, true) };
  if (order === 0x4949 && version === 43 && view.getUint16(4, true) === 8 && view.getUint16(6, true) === 0) {
    return { dialect: BIG, firstDirectory: uint64(view, 8) };
  }
  throw new RasterError('corrupt', 'it does not begin like a TIFF file');
}

/** One entry. @param view the entry's bytes begin at `at` @param fileOffset where `at` lies in the file */
export function readEntry(view: DataView, at: number, fileOffset: number, dialect: TiffDialect): DirectoryEntry {
  const type = view.getUint16(at + 2, true);
  const count = readOffset(view, at + 4, dialect.offsetBytes);
  const valueBytes = (TYPE_BYTES[type] ?? 0) * count;
  const valueAt = 4 + dialect.offsetBytes;
  const isInside = valueBytes <= dialect.offsetBytes;
  return {
    tag: view.getUint16(at, true),
    type,
    count,
    valueBytes,
    valueOffset: isInside ? fileOffset + valueAt : readOffset(view, at + valueAt, dialect.offsetBytes),
  };
}

const READ_NUMBER: Readonly<Record<number, (view: DataView, at: number) => number>> = {
  1: (view, at) => view.getUint8(at),
  3: (view, at) => view.getUint16(at, true),
  4: (view, at) => view.getUint32(at, true),
  6: (view, at) => view.getInt8(at),
  7: (view, at) => view.getUint8(at),
  8: (view, at) => view.getInt16(at, true),
  9: (view, at) => view.getInt32(at, true),
  11: (view, at) => view.getFloat32(at, true),
  12: (view, at) => view.getFloat64(at, true),
  13: (view, at) => view.getUint32(at, true),
  16: uint64,
  18: uint64,
};

/** `ignoreBOM`: a byte order mark is part of the text. */
const TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

/** The values of an entry. @param bytes exactly its `valueBytes` */
export function readValues({ tag, type, count }: DirectoryEntry, bytes: Uint8Array): readonly number[] | string {
  if (type === 2) return TEXT.decode(bytes).replace(/\0.*$/s, '');
  const read = READ_NUMBER[type];
  if (read === undefined) throw new RasterError('unsupported', `tag ${tag} has the field type ${type}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const step = TYPE_BYTES[type] ?? 1;
  return Array.from({ length: count }, (_, index) => read(view, index * step));
}

/** Checks a size that a file claims. @throws RasterError `too_large` above the limit */
export function checkClaim(what: string, claimed: number, limit: number): void {
  if (claimed > limit) throw new RasterError('too_large', `${what}: ${claimed}, at most ${limit} are allowed`);
}
