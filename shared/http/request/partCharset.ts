import { setImmediate as nextTurn } from 'node:timers/promises';
import { ByteCollector } from '../../kit/byteCollector.js';

type Decoder = InstanceType<typeof TextDecoder>;

/** Charsets whose bytes are read as they are. */
const UTF8 = /^(utf-?8|us-ascii|ascii)$/i;
/** Bytes decoded in one go: other requests must have their turn. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Bytes of a charset as UTF-8.
 *
 * @param maxBytes most bytes of UTF-8
 * @returns undefined where they are more; else what is wrong with the charset: the end of a sentence
 */
export async function utf8Of(
  bytes: Uint8Array,
  charset: string | undefined,
  maxBytes: number,
): Promise<Uint8Array | string | undefined> {
  if (charset === undefined || UTF8.test(charset)) return bytes;
  const named = `the charset ${charset === '' ? '""' : charset.slice(0, 64)}`;
  const decoder = decoderOf(bytes, charset);
  if (decoder === undefined) return `names ${named}, which is not known; send it in UTF-8`;
  const collector = new ByteCollector(maxBytes, bytes.byteLength);
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    const text = decoded(decoder, bytes.subarray(start, start + PIECE_BYTES), start + PIECE_BYTES < bytes.byteLength);
    if (text === undefined) return `names ${named}, but is not written in it; send it in UTF-8`;
    if (!collector.add(Buffer.from(text))) return undefined;
    await nextTurn();
  }
  return collector.bytes();
}

function decoderOf(bytes: Uint8Array, charset: string): Decoder | undefined {
  // The mark at the beginning says the order of the bytes (RFC 2781); decoders take them for little-endian.
  const isBigEndian = /^utf-16$/i.test(charset) && bytes[0] === 0xfe && bytes[1] === 0xff;
  try {
    return new TextDecoder(isBigEndian ? 'utf-16be' : charset, { fatal: true });
  } catch {
    return undefined;
  }
}

function decoded(decoder: Decoder, bytes: Uint8Array, stream: boolean): string | undefined {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    return undefined;
  }
}
