import type { Clock } from '../clock.js';
import { WeatherError } from './weatherSource.js';

export interface WeatherHttpOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  /** Longest time of one try, the body included; default 10 s. */
  readonly timeoutMs?: number;
  /** Largest body taken; default 8 MiB (30 years of days are about 0.5 MiB). */
  readonly maxBytes?: number;
}

/** Reads one JSON document; throws WeatherError. */
export type GetJson = (url: URL, signal?: AbortSignal) => Promise<unknown>;

const tries = 3;
/** A longer wait is left to the job, which releases its lease meanwhile. */
const longestWaitSeconds = 20;

/**
 * A client that asks up to three times: waits grow 1 s, 2 s with full jitter, `Retry-After` is obeyed, redirects are
 * refused, and neither time nor size is without limit.
 */
export function weatherHttpClient(provider: string, options: WeatherHttpOptions): GetJson {
  return async (url, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await getOnce({ provider, url, ...(signal && { signal }) }, options);
      } catch (error) {
        signal?.throwIfAborted();
        const wait = secondsBeforeNextTry(error, attempt, options.random);
        if (wait === undefined) throw error;
        await options.clock.sleep(wait * 1000, signal);
        signal?.throwIfAborted();
      }
    }
  };
}

function secondsBeforeNextTry(error: unknown, attempt: number, random: () => number): number | undefined {
  const passing = error instanceof WeatherError && (error.kind === 'unavailable' || error.kind === 'throttled');
  if (!passing || attempt >= tries) return undefined;
  const jittered = random() * 2 ** (attempt - 1);
  if (error.retryAfterSeconds === undefined) return jittered;
  return error.retryAfterSeconds > longestWaitSeconds ? undefined : error.retryAfterSeconds + jittered;
}

interface Call {
  readonly provider: string;
  readonly url: URL;
  readonly signal?: AbortSignal;
}

async function getOnce({ provider, url, signal }: Call, options: WeatherHttpOptions): Promise<unknown> {
  const { fetch, clock, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = options;
  const stop = new AbortController();
  const abort = (): void => {
    stop.abort();
  };
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: stop.signal,
    });
    if (response.status !== 200) throw await faultOf(provider, response, clock.now().getTime());
    return JSON.parse(await readText(provider, response, maxBytes)) as unknown;
  } catch (error) {
    if (error instanceof WeatherError) throw error;
    if (error instanceof SyntaxError)
      throw new WeatherError('unavailable', provider, 'sent no JSON.', { cause: error });
    const text = stop.signal.aborted ? `did not answer within ${timeoutMs / 1000} s.` : 'could not be reached.';
    // The cause is told by name alone: a network error may quote the address, and the key stands in it.
    throw new WeatherError('unavailable', provider, text, { cause: nameOf(error) });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const nameOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown error';
  return 'code' in cause && typeof cause.code === 'string' ? `${cause.name} ${cause.code}` : cause.name;
};

async function faultOf(provider: string, response: Response, now: number): Promise<WeatherError> {
  await response.body?.cancel();
  const { status } = response;
  const text = `answered with HTTP status ${status}.`;
  const retryAfterSeconds = retryAfterOf(response.headers.get('retry-after'), now);
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (status === 429) return new WeatherError('throttled', provider, text, options);
  // A key that counts no more, or not yet, is mended at the provider: worth waiting for, as one that is away.
  if (status >= 500 || status === 401 || status === 403)
    return new WeatherError('unavailable', provider, text, options);
  return new WeatherError('refused', provider, text);
}

/** Whole seconds from a `Retry-After` header, which holds seconds or a date; undefined when it is neither. */
function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d{1,6}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

async function readText(provider: string, response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new WeatherError('invalid', provider, `sent more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
