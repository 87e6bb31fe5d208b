import type { Clock } from '../../kit/clock.js';
import type { ByteSource } from '../tiff/byteSource.js';
import {
  connectionFault,
  requestRange,
  TryFailed,
  type HttpAddress,
  type RangeAnswer,
  type RangeRequest,
} from './httpRangeClient.js';
import { RasterError } from '../tiff/rasterError.js';

/** How a file is read by HTTP range requests. */
export interface HttpRangeOptions {
  readonly clock: Clock;
  /**
   * Makes the address of a request from the source's url, e.g. adds a signature; called before every try.
   * `isRenewal`: the last address was refused (401, 403), so its signature must not be used again.
   */
  readonly addressFor?: (url: string, isRenewal: boolean) => Promise<HttpAddress>;
  /** Tries of one request; 4 when absent. */
  readonly attempts?: number;
  /** Milliseconds until a try is given up; 30,000 when absent. */
  readonly timeoutMs?: number;
  /** A number from 0 to 1 for the jitter between tries; Math.random when absent. */
  readonly random?: () => number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;

/** What every try of one request needs. */
interface Tries {
  readonly options: HttpRangeOptions;
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  readonly range: Pick<RangeRequest, 'offset' | 'length' | 'etag'>;
}

async function tryOnce({ options, url, signal, range }: Tries, isRenewal: boolean): Promise<RangeAnswer> {
  const address = (await options.addressFor?.(url, isRenewal)) ?? { url };
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    return await requestRange({ ...range, address, signal: both });
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof RasterError || error instanceof TryFailed ? error : connectionFault(error, timeout);
  }
}

/** Milliseconds until the next try; undefined when there must be none. */
function pauseAfter(failure: TryFailed, attempt: number, options: HttpRangeOptions): number | undefined {
  const { attempts = 4, random = Math.random } = options;
  if (attempt >= attempts || failure.retryAfterMs > LONGEST_DELAY_MS) return undefined;
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 4 ** (attempt - 1));
  return Math.max(failure.retryAfterMs, random() * longest);
}

async function withRetries(tries: Tries): Promise<RangeAnswer> {
  let isRenewal = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryOnce(tries, isRenewal);
    } catch (error) {
      if (!(error instanceof TryFailed)) throw error;
      const canRenew = tries.options.addressFor !== undefined && !isRenewal;
      const pause = error.isRefused ? (canRenew ? 0 : undefined) : pauseAfter(error, attempt, tries.options);
      if (pause === undefined) throw error.fault;
      isRenewal = error.isRefused;
      await tries.options.clock.sleep(pause, tries.signal);
      tries.signal?.throwIfAborted();
    }
  }
}

/**
 * A file read by HTTP range requests, e.g. a COG in blob storage.
 *
 * All later answers must have the ETag and size of the first (the ETag is sent as If-Match): a file that is replaced
 * meanwhile fails as `changed`. Outages (429, 5xx, lost connections) are tried again with jitter. Redirects are refused:
 * they could lead to another host.
 *
 * @param url without signature; messages show it without its query
 */
export function httpRangeSource(url: string, options: HttpRangeOptions): ByteSource {
  let known: Pick<RangeAnswer, 'size' | 'etag'> | undefined;
  return {
    name: url.replace(/[?#].*$/s, ''),
    get size() {
      return known?.size;
    },
    get etag() {
      return known?.etag;
    },
    read: async (offset, length, signal) => {
      signal?.throwIfAborted();
      const range = { offset, length, etag: known?.etag };
      const { bytes, size, etag } = await withRetries({ options, url, signal, range });
      known ??= { size, etag };
      if (known.size !== size || known.etag !== etag) {
        throw new RasterError('changed', 'the file was replaced while it was read', { isTransient: true });
      }
      return bytes;
    },
  };
}
