const PIECE_BYTES = 64 * 1024;

/**
 * A body without Content-Length. One with it is read as JSON by the host first, members and all; here host and service are
 * one process, so that this would be measured, too.
 */
export function inChunks(bytes: Uint8Array) {
  function* pieces(): Generator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
  }
  return { body: ReadableStream.from<Uint8Array>(pieces()), duplex: 'half' as const };
}
