import { RasterError } from '../../shared/raster/tiff/rasterError.js';

/**
 * What `shared/raster/read/inflate.ts` does, by the browser's own decoder: unpacks deflate data with a zlib header, never
 * more than `most` bytes.
 *
 * @throws RasterError `corrupt`
 */
export async function inflateAtMost(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const unpacked = new Uint8Array(most);
  let length = 0;
  try {
    const { readable, writable } = new DecompressionStream('deflate');
    const reader = readable.getReader();
    // What it can't unpack is said by the reader as well.
    void writeAll(writable, packed as Uint8Array<ArrayBuffer>).catch(() => undefined);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (length + piece.value.length > most) {
        await reader.cancel();
        throw new RangeError(`more than ${most} bytes`);
      }
      unpacked.set(piece.value, length);
      length += piece.value.length;
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RasterError('corrupt', `its deflate data are damaged (${why})`, { cause });
  }
  return unpacked.subarray(0, length);
}

async function writeAll(stream: WritableStream<BufferSource>, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const writer = stream.getWriter();
  await writer.write(bytes);
  await writer.close();
}
