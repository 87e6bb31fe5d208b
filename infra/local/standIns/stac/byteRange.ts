import { createHash } from 'node:crypto';
import type { Exchange, Reply } from '../http/exchange.js';

/** A file to be served in pieces. */
export interface RangedFile {
  readonly size: number;
  /** What tells one version of the file from another. */
  readonly version: string;
  /** Bytes `first` to `last`, both inclusive and inside the file. */
  read(first: number, last: number): Promise<Uint8Array>;
}

/** Longest piece that is served at once. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The range asked for, both ends inclusive; undefined when it lies outside of the file or is malformed. */
function rangeOf(header: string, size: number): readonly [first: number, last: number] | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return first <= last ? [first, last] : undefined;
}

/** Answers a GET of a file as blob storage does: 206 with `Content-Range` and ETag, 412, 416. */
export async function rangeReply({ headers }: Exchange, file: RangedFile): Promise<Reply> {
  const etag = `"${createHash('sha256').update(`${file.version}:${file.size}`).digest('hex').slice(0, 16)}"`;
  const common = { etag, 'accept-ranges': 'bytes', 'content-type': 'image/tiff' };
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) return { status: 412, headers: common };
  if (headers.range === undefined) {
    if (file.size > MOST_BYTES) return { status: 413, headers: common };
    return { status: 200, headers: common, body: await file.read(0, file.size - 1) };
  }
  const range = rangeOf(headers.range, file.size);
  const unmet = { ...common, 'content-range': `bytes */${file.size}` };
  if (range === undefined) return { status: 416, headers: unmet };
  const [first, last] = range;
  if (last - first >= MOST_BYTES) return { status: 413, headers: common };
  const headersOfPart = { ...common, 'content-range': `bytes ${first}-${last}/${file.size}` };
  return { status: 206, headers: headersOfPart, body: await file.read(first, last) };
}
