import { TYPE, TYPE_BYTES } from './tiffTags.js';

/** One tag to be written. */
export interface TagToWrite {
  readonly tag: number;
  readonly type: (typeof TYPE)[keyof typeof TYPE];
  readonly values: readonly number[] | string;
}

/** A tag of 16-bit numbers. */
export const shorts = (tag: number, ...values: readonly number[]): TagToWrite => ({ tag, type: TYPE.short, values });
/** A tag of 32-bit numbers. */
export const longs = (tag: number, ...values: readonly number[]): TagToWrite => ({ tag, type: TYPE.long, values });
/** A tag of 64-bit floating-point numbers. */
export const doubles = (tag: number, ...values: readonly number[]): TagToWrite => ({ tag, type: TYPE.double, values });
/** A tag of text, written as UTF-8 with a closing zero. */
export const textTag = (tag: number, values: string): TagToWrite => ({ tag, type: TYPE.ascii, values });

const ENTRY_BYTES = 12;
/** Values up to this many bytes lie inside their entry. */
const INSIDE_BYTES = 4;

function valueBytes({ type, values }: TagToWrite): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`, 'utf8');
  const step = TYPE_BYTES[type] ?? 0;
  const bytes = Buffer.alloc(values.length * step);
  values.forEach((value, index) => {
    if (type === TYPE.double) bytes.writeDoubleLE(value, index * step);
    else bytes.writeUIntLE(value, index * step, step);
  });
  return bytes;
}

const evenUp = (bytes: number): number => bytes + (bytes % 2);

/** Bytes of a directory with all its values. */
export function directoryBytes(tags: readonly TagToWrite[]): number {
  const values = tags.map((tag) => valueBytes(tag).length).filter((bytes) => bytes > INSIDE_BYTES);
  return values.reduce((sum, bytes) => sum + evenUp(bytes), 2 + tags.length * ENTRY_BYTES + 4);
}

/**
 * A classic little-endian TIFF directory followed by the values that don't fit into its entries.
 *
 * @param offset where it will lie in the file, even
 * @param next where the next directory will lie; 0 when it is the last
 */
export function encodeDirectory(tags: readonly TagToWrite[], offset: number, next: number): Buffer {
  const sorted = [...tags].sort((a, b) => a.tag - b.tag);
  const bytes = Buffer.alloc(directoryBytes(sorted));
  bytes.writeUInt16LE(sorted.length, 0);
  let free = 2 + sorted.length * ENTRY_BYTES + 4;
  sorted.forEach((tag, index) => {
    const at = 2 + index * ENTRY_BYTES;
    const value = valueBytes(tag);
    bytes.writeUInt16LE(tag.tag, at);
    bytes.writeUInt16LE(tag.type, at + 2);
    bytes.writeUInt32LE(value.length / (TYPE_BYTES[tag.type] ?? 1), at + 4);
    if (value.length <= INSIDE_BYTES) {
      value.copy(bytes, at + 8);
    } else {
      bytes.writeUInt32LE(offset + free, at + 8);
      value.copy(bytes, free);
      free += evenUp(value.length);
    }
  });
  bytes.writeUInt32LE(next, 2 + sorted.length * ENTRY_BYTES);
  return bytes;
}
