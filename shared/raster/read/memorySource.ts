import type { ByteSource } from '../tiff/byteSource.js';

/** Bytes in memory as a source. @param name the file's name in messages */
export function memorySource(bytes: Uint8Array, name = 'file in memory'): ByteSource {
  return {
    name,
    size: bytes.length,
    etag: undefined,
    read: (offset, length, signal) => {
      signal?.throwIfAborted();
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  };
}
