import { inflate } from 'node:zlib';
import { RasterError } from '../tiff/rasterError.js';

/**
 * Unpacks deflate data on the thread pool, at most `most` bytes. In a browser `console/cog/inflate.ts` replaces this file
 * (`imports` of package.json).
 *
 * @throws RasterError `corrupt`
 */
export function inflateAtMost(packed: Uint8Array, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // With one more byte zlib sees the end of the stream without a second buffer.
    inflate(packed, { chunkSize: Math.max(64, most + 1), maxOutputLength: most }, (error, bytes) => {
      if (error === null) resolve(bytes);
      else reject(new RasterError('corrupt', `its deflate data are damaged (${error.message})`, { cause: error }));
    });
  });
}
