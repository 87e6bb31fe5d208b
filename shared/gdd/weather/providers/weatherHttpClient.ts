import type { Clock } from '../../../kit/clock.js';
import { WeatherError } from '../weatherSource.js';

/** What every client of a weather provider needs. */
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

/** One answer with its age. */
export interface HttpAnswer {
  /** Undefined when the caller's copy is still the newest (304). */
  readonly json: unknown;
  /** Milliseconds since 1970 UTC, by `Expires`. */
  readonly expiresAt?: number;
  /** `Last-Modified`, unchanged. */
  readonly lastModified?: string;
  /** Whether the provider announces the end of this interface (203). */
  readonly isDeprecated: boolean;
}

interface Options extends WeatherHttpOptions {
  /** Redirects within the host are followed; otherwise every redirect is refused. */
  readonly followsRedirects?: boolean;
  /** Whether a 429 is tried again; true when absent. */
  readonly repeatsThrottled?: boolean;
}

/** The parts of a request that differ from call to call. */
export interface HttpRequest {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const tries = 3;
/** For a longer wait the request fails, and the job waits without its lease. */
const longestWaitSeconds = 20;

/**
 * A client that asks up to three times: waits grow 1 s, 2 s with full jitter, `Retry-After` is obeyed, redirects to
 * another host are refused, and the time and the size of an answer are limited.
 */
export function weatherHttp(
  provider: string,
  options: Options,
): (url: URL, request: HttpRequest) => Promise<HttpAnswer> {
  return async (url, request) => {
    const { signal } = request;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await getOnce({ provider, url, request }, options);
      } catch (error) {
        signal?.throwIfAborted();
        const wait = secondsBeforeNextTry(error, attempt, options);
        if (wait === undefined) throw error;
        await options.clock.sleep(wait * 1000, signal);
        signal?.throwIfAborted();
      }
    }
  };
}

/** Reads JSON documents of a provider whose answers have no age; throws WeatherError. */
export function weatherHttpClient(provider: string, options: WeatherHttpOptions) {
  const ask = weatherHttp(provider, options);
  return async (url: URL, signal?: AbortSignal): Promise<unknown> => (await ask(url, { signal })).json;
}

function secondsBeforeNextTry(
  error: unknown,
  attempt: number,
  { random, repeatsThrottled = true }: Options,
): number | undefined {
  if (!(error instanceof WeatherError) || attempt >= tries) return undefined;
  const mayPass = error.kind === 'unavailable' || (error.kind === 'throttled' && repeatsThrottled);
  if (!mayPass) return undefined;
  const jittered = random() * 2 ** (attempt - 1);
  if (error.retryAfterSeconds === undefined) return jittered;
  return error.retryAfterSeconds > longestWaitSeconds ? undefined : error.retryAfterSeconds + jittered;
}

interface Call {
  readonly provider: string;
  readonly url: URL;
  readonly request: HttpRequest;
}

const mostRedirects = 3;

/** Sends the request, and follows redirects within its host where the options allow them. */
async function send(
  { url, request }: Call,
  { fetch, followsRedirects = false }: Options,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { accept: 'application/json', ...request.headers };
  let target = url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(target, { headers, redirect: 'manual', signal });
    const next = followsRedirects && redirects < mostRedirects ? redirectOf(response, target) : undefined;
    if (next === undefined) return response;
    await response.body?.cancel();
    target = next;
  }
}

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (![301, 302, 307, 308].includes(status) || location === null || !URL.canParse(location, from.href))
    return undefined;
  const target = new URL(location, from);
  return target.origin === from.origin ? target : undefined;
}

async function answerOf({ provider, request }: Call, response: Response, maxBytes: number): Promise<HttpAnswer> {
  const { status, headers } = response;
  const expiresAt = Date.parse(headers.get('expires') ?? '');
  const lastModified = headers.get('last-modified');
  const text = isUnchanged(status, request) ? undefined : await readText(provider, response, maxBytes);
  return {
    json: text === undefined ? undefined : (JSON.parse(text) as unknown),
    ...(!Number.isNaN(expiresAt) && { expiresAt }),
    ...(lastModified !== null && { lastModified }),
    isDeprecated: status === 203,
  };
}

const isUnchanged = (status: number, { headers }: HttpRequest): boolean =>
  status === 304 && headers?.['if-modified-since'] !== undefined;

const isAnswer = (status: number, request: HttpRequest): boolean =>
  status === 200 || status === 203 || isUnchanged(status, request);

async function getOnce(call: Call, options: Options): Promise<HttpAnswer> {
  const { clock, timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 } = options;
  const { provider, request } = call;
  const { signal } = request;
  const stop = new AbortController();
  const abort = (): void => {
    stop.abort();
  };
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await send(call, options, stop.signal);
    if (!isAnswer(response.status, request)) throw await faultOf(provider, response, clock.now().getTime());
    return await answerOf(call, response, maxBytes);
  } catch (error) {
    if (error instanceof WeatherError) throw error;
    if (error instanceof SyntaxError)
      throw new WeatherError('unavailable', provider, 'sent no JSON.', { cause: error });
    const text = stop.signal.aborted ? `did not answer within ${timeoutMs / 1000} s.` : 'could not be reached.';
    // Only the name of the cause is passed on: a network error may quote the address, which has the key.
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
  if (status >= 500) return new WeatherError('unavailable', provider, text, options);
  // A key that is not valid has to be mended at the provider: the job waits, and the request is not repeated.
  if (status === 401 || status === 403) return new WeatherError('denied', provider, text, options);
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
