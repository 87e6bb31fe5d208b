import type { ByteSource } from '../tiff/byteSource.js';
import type { SampleArray } from '../tiff/pixels.js';
import type { TiffImage } from '../tiff/tiffImage.js';

/** A cache of unpacked blocks for several reads of the same files. */
export interface BlockShare {
  find(key: string): SampleArray | undefined;
  keep(key: string, values: SampleArray): void;
}

/** Names a block of one version of a file. */
export const blockKey = ({ name, etag = '' }: ByteSource, { width, height }: TiffImage, index: number): string =>
  [name, etag, width, height, index].join(' ');

/** A cache of at most `mostBytes` bytes; the least recently used block is dropped first. */
export function blockShare(mostBytes: number): BlockShare {
  const kept = new Map<string, SampleArray>();
  let bytes = 0;
  const drop = (key: string, { byteLength }: SampleArray): void => {
    kept.delete(key);
    bytes -= byteLength;
  };
  return {
    find: (key) => {
      const values = kept.get(key);
      if (values === undefined) return undefined;
      // The map keeps the order of insertion: a used block moves to its end.
      kept.delete(key);
      kept.set(key, values);
      return values;
    },
    keep: (key, values) => {
      const before = kept.get(key);
      if (before !== undefined) drop(key, before);
      // A view of a larger buffer would keep all of that buffer in memory.
      const own = values.buffer.byteLength === values.byteLength ? values : values.slice();
      kept.set(key, own);
      bytes += own.byteLength;
      for (const [oldest, block] of kept) {
        if (bytes <= mostBytes) break;
        drop(oldest, block);
      }
    },
  };
}
