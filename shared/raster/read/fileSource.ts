import { open } from 'node:fs/promises';
import type { ByteSource } from '../tiff/byteSource.js';

/** A file on disk as a source, for tools and tests; `close` ends it. @throws when the file can't be opened */
export async function openFileSource(path: string): Promise<ByteSource & { readonly close: () => Promise<void> }> {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    name: path,
    size,
    etag: undefined,
    read: async (offset, length, signal) => {
      signal?.throwIfAborted();
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    },
    close: () => file.close(),
  };
}
