import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../../kit/answer/answer.js';
import { RecentMap } from '../../kit/recentMap.js';
import { preferencesOf } from '../../kit/answer/preferences.js';

/** Smaller answers fit into one packet as they are. */
const SMALL_BYTES = 1024;

/**
 * The encoding for an answer of so many bytes. What a caller does not take at all is kept from it as long as there is
 * another choice; whoever takes nothing gets the bytes as they are.
 *
 * @param accept the `Accept-Encoding` header
 * @see RFC 9110, section 12.5.3
 */
export function encodingFor(accept: string | null, bytes: number): Encoding {
  const { br, gzip: zip, identity } = wanted(accept ?? 'identity');
  const best = Math.max(br, zip);
  const isWorthIt = bytes > SMALL_BYTES || identity === 0;
  if (!isWorthIt || best <= 0 || identity > best) return 'identity';
  return br === best ? 'br' : 'gzip';
}

/** How much a caller wants each. Who writes `*` is only trusted to read what everybody reads. */
function wanted(accept: string): Readonly<Record<Encoding, number>> {
  const preferences = preferencesOf(accept);
  const qualityOf = (...names: readonly string[]): number | undefined =>
    names.flatMap((name) => preferences.find(({ value }) => value === name) ?? [])[0]?.quality;
  // What is not named is acceptable, though nobody has asked for it.
  const unnamed = qualityOf('*') === 0 ? 0 : Number.MIN_VALUE;
  return {
    br: qualityOf('br') ?? 0,
    gzip: qualityOf('gzip', 'x-gzip', '*') ?? 0,
    identity: qualityOf('identity') ?? unnamed,
  };
}

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
/** Beyond this level time grows faster than answers shrink. */
const BROTLI_QUALITY = 4;
/** Large answers are mostly coordinates, whose digits no level makes much shorter. */
const LARGE_BYTES = 256 * 1024;
const LARGE_QUALITY = 1;

/** Writes data in an encoding, beside the event loop. */
export async function encoded(data: string | Uint8Array, encoding: Encoding): Promise<string | Uint8Array> {
  if (encoding === 'identity') return data;
  if (encoding === 'gzip') return gzipped(data, Buffer.byteLength(data) > LARGE_BYTES ? { level: LARGE_QUALITY } : {});
  const bytes = Buffer.byteLength(data);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: bytes > LARGE_BYTES ? LARGE_QUALITY : BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  };
  return brotlied(data, { params });
}

/** The document, its page and scripts in each encoding, and some of the version before. */
const MAX_KEPT = 16;
const kept = new RecentMap<Promise<string | Uint8Array>>(MAX_KEPT);

/**
 * As `encoded`, once for all callers: what anybody may read must not cost more than the sending of it each time.
 *
 * @param tag of the content in this encoding
 */
export function encodedOnce(tag: string, data: string | Uint8Array, encoding: Encoding): Promise<string | Uint8Array> {
  if (encoding === 'identity') return Promise.resolve(data);
  const made = kept.get(tag) ?? encoded(data, encoding);
  kept.use(tag, made);
  return made;
}
