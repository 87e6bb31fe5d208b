import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { RasterError } from '../tiff/rasterError.js';

/** Where and how one request goes. */
export interface HttpAddress {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A valid answer to a range request. */
export interface RangeAnswer {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly etag: string | undefined;
}

/** One range request. */
export interface RangeRequest {
  readonly address: HttpAddress;
  readonly offset: number;
  readonly length: number;
  readonly etag: string | undefined;
  readonly signal: AbortSignal;
}

/** A failed try; a later one may succeed. */
export class TryFailed extends Error {
  readonly fault: RasterError;
  readonly retryAfterMs: number;
  readonly isRefused: boolean;

  constructor(fault: RasterError, { retryAfterMs = 0, isRefused = false } = {}) {
    super(fault.message);
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
    this.isRefused = isRefused;
  }
}

const outage = (text: string): RasterError => new RasterError('unavailable', text, { isTransient: true });
/** Transient: an expired token, a fault of the host or a file not yet replicated answers like a lasting refusal. */
const refusal = (text: string): RasterError => new RasterError('refused', text, { isTransient: true });

/** Statuses with one meaning that are not tried again at once. */
const PLAIN_FAULTS: Readonly<Record<number, () => RasterError>> = {
  200: () => new RasterError('unsupported', 'the server does not answer range requests'),
  404: () => refusal('the file is not there (404)'),
  412: () => new RasterError('changed', 'the file was replaced while it was read', { isTransient: true }),
  416: () => new RasterError('corrupt', 'the file ends before the bytes asked for'),
};

const isOutage = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** What an answer without the range means. */
function faultOf({ statusCode: status = 0, headers }: IncomingMessage): TryFailed | RasterError {
  const plain = PLAIN_FAULTS[status];
  if (plain !== undefined) return plain();
  if (status === 401 || status === 403) {
    return new TryFailed(refusal(`access was refused (${status})`), { isRefused: true });
  }
  if (isOutage(status)) {
    const seconds = Number(headers['retry-after'] ?? '0');
    return new TryFailed(outage(`the server answered ${status}`), { retryAfterMs: seconds > 0 ? seconds * 1000 : 0 });
  }
  if (status >= 300 && status < 400) return new RasterError('unsupported', `redirects are not followed (${status})`);
  return new RasterError('unavailable', `the server answered ${status}`);
}

/** The range an answer brings, checked against the one asked for. */
function contentRange(
  { headers }: IncomingMessage,
  { offset, length }: RangeRequest,
): { readonly bytes: number; readonly size: number } {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '');
  const [first, last, size] = (match ?? []).slice(1).map(Number);
  if (first === undefined || last === undefined || size === undefined) {
    throw new RasterError('unsupported', 'the server names no Content-Range');
  }
  const expectedLast = Math.min(offset + length, size) - 1;
  if (first !== offset || last !== expectedLast) {
    throw new RasterError('corrupt', `bytes ${offset}-${expectedLast} were asked for, ${first}-${last} came`);
  }
  return { bytes: last - first + 1, size };
}

/** The body, which must be exactly as long as announced: a longer one is not read to its end. */
function readBody(response: IncomingMessage, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    response.on('data', (chunk: Buffer) => {
      if (filled + chunk.length > length) {
        response.destroy(new RasterError('corrupt', 'the answer is longer than announced'));
        return;
      }
      bytes.set(chunk, filled);
      filled += chunk.length;
    });
    response.once('error', reject);
    response.once('end', () => {
      if (filled === length) resolve(bytes);
      else reject(new TryFailed(outage('the answer ended early')));
    });
  });
}

/** If-Match compares strongly: a weak ETag would never match. */
function matchHeader(etag: string | undefined): Readonly<Record<string, string>> {
  return etag === undefined || etag.startsWith('W/') ? {} : { 'if-match': etag };
}

/** Sends the request; resolves when the head of the answer is there. */
function send({ address, offset, length, etag, signal }: RangeRequest): Promise<IncomingMessage> {
  const url = URL.canParse(address.url) ? new URL(address.url) : undefined;
  const request = { 'http:': plainRequest, 'https:': secureRequest }[url?.protocol ?? ''];
  if (url === undefined || request === undefined) throw new RasterError('unsupported', 'only http and https are read');
  const headers = { ...address.headers, ...matchHeader(etag), range: `bytes=${offset}-${offset + length - 1}` };
  return new Promise((resolve, reject) => {
    // Node's own agents keep connections alive. Not fetch: its streams cost half as much processor time again.
    request(url, { headers, signal }, resolve).once('error', reject).end();
  });
}

/**
 * Fetches one range, one try. Redirects are not followed.
 *
 * @throws RasterError when another try is of no use; anything else is a failed connection or the signal's reason
 */
export async function requestRange(request: RangeRequest): Promise<RangeAnswer> {
  const response = await send(request);
  try {
    if (response.statusCode !== 206) throw faultOf(response);
    const { bytes, size } = contentRange(response, request);
    return { bytes: await readBody(response, bytes), size, etag: response.headers.etag };
  } catch (error) {
    // The rest of the answer may be long: the connection is closed instead of reading it.
    response.destroy();
    throw error;
  }
}

/** A failed connection, without the address: that may be signed. */
export function connectionFault(error: unknown, timeout: AbortSignal): TryFailed {
  if (timeout.aborted) return new TryFailed(outage('the server took too long'));
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  return new TryFailed(outage(`the connection failed (${code})`));
}
