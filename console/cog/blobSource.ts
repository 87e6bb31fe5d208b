import type { ByteSource } from '../../shared/raster/tiff/byteSource.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import type { FetchPicture } from '../map/mapScene.js';

/** `bytes 0-99/1234`: where the answer begins and how long the file is. */
function contentRange(response: Response): { readonly first: number; readonly size: number } | undefined {
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  return first === undefined || size === undefined ? undefined : { first: Number(first), size: Number(size) };
}

function refuse({ status }: Response): never {
  if (status === 412) throw new RasterError('changed', 'it was replaced while it was read', { isTransient: true });
  if (status === 401 || status === 403 || status === 404)
    throw new RasterError('refused', `storage answered ${status}`);
  throw new RasterError('unavailable', `storage answered ${status}`, { isTransient: true });
}

/** An answer's bytes, and what it tells of the whole file. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly etag: string | undefined;
}

async function pieceOf(response: Response, offset: number, length: number): Promise<Piece> {
  const etag = response.headers.get('etag') ?? undefined;
  if (response.status === 200) {
    // A server that knows no ranges sends the whole file.
    const whole = new Uint8Array(await response.arrayBuffer());
    return { bytes: whole.subarray(offset, offset + length), size: whole.length, etag };
  }
  const range = response.status === 206 ? contentRange(response) : refuse(response);
  if (range?.first !== offset)
    throw new RasterError('unavailable', 'storage answered another range than was asked for');
  const bytes = new Uint8Array(await response.arrayBuffer());
  const expected = Math.min(length, range.size - offset);
  if (bytes.length < expected) {
    const text = `${bytes.length} of ${expected} bytes came`;
    throw new RasterError('unavailable', text, { isTransient: true });
  }
  return { bytes: bytes.subarray(0, expected), size: range.size, etag };
}

async function fetched(
  fetchPicture: FetchPicture,
  path: string,
  range: string,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetchPicture(path, range, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new RasterError('unavailable', 'storage could not be reached', { isTransient: true, cause });
  }
}

interface Held {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The bytes from `offset` to before `end`, when all of them are held. */
function partOf(held: Held | undefined, offset: number, end: number): Uint8Array | undefined {
  if (held === undefined || offset < held.offset || end > held.offset + held.bytes.length) return undefined;
  return held.bytes.subarray(offset - held.offset, end - held.offset);
}

/**
 * A picture in storage, read in pieces. `If-Match` would cost a preflight per file, so the ETags of the answers are
 * compared instead.
 *
 * @param path within the container, without a signature: it is what messages show
 */
export function blobSource(path: string, fetchPicture: FetchPicture): ByteSource {
  let known: { readonly size: number; readonly etag: string | undefined } | undefined;
  /** Of most pictures it is all there is: header and values come with one request. */
  let first: Held | undefined;
  return {
    name: path,
    get size() {
      return known?.size;
    },
    get etag() {
      return known?.etag;
    },
    read: async (offset, length, signal = new AbortController().signal) => {
      const end = known === undefined ? offset + length : Math.min(offset + length, known.size);
      if (end <= offset) return new Uint8Array(0);
      const there = partOf(first, offset, end);
      if (there !== undefined) return there;
      const response = await fetched(fetchPicture, path, `bytes=${offset}-${end - 1}`, signal);
      const { bytes, size, etag } = await pieceOf(response, offset, end - offset);
      if (known !== undefined && (known.etag !== etag || known.size !== size)) {
        throw new RasterError('changed', 'it was replaced while it was read', { isTransient: true });
      }
      known = { size, etag };
      first ??= { offset, bytes };
      return bytes;
    },
  };
}
