import type { ByteSource } from '../tiff/byteSource.js';
import { RasterError } from '../tiff/rasterError.js';

/**
 * A source of which at most `limit` bytes can be read.
 *
 * @returns a source whose `read` throws RasterError `too_large`, before anything is fetched, when fewer bytes are left
 */
export function budgetedSource(source: ByteSource, limit: number): ByteSource {
  let left = limit;
  return {
    name: source.name,
    get size() {
      return source.size;
    },
    get etag() {
      return source.etag;
    },
    read: async (offset, length, signal) => {
      if (length > left) throw new RasterError('too_large', `the read needs more than the ${limit} bytes allowed`);
      left -= length;
      return await source.read(offset, length, signal);
    },
  };
}
