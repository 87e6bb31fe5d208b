import type { Clock } from '../../kit/clock.js';
import { isLoopback } from '../../kit/setting.js';
import { ForeignTenantRefusal } from '../../access/tenants/foreignTenant.js';
import { DataManagerError } from './dataManager.js';
import { failedAnswer, type FailedTry, hopeless, noAnswer } from './dataManagerFaults.js';

export interface TransportOptions {
  /** `https://…`, or `http://` on the loopback address alone. */
  readonly baseUrl: string;
  readonly apiVersion: string;
  /** A bearer token for the data manager, fresh enough for one try. */
  readonly getToken: () => Promise<string>;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  /** For one try, body included; 30,000 when left out. */
  readonly timeoutMs?: number;
  /** At most so many tries of one call; 4 when left out. */
  readonly tries?: number;
  /** 0 ≤ x < 1, for the jitter. */
  readonly random?: () => number;
}

export interface TransportRequest {
  readonly method: 'GET' | 'PATCH' | 'PUT' | 'DELETE';
  /** Decoded; each is encoded on the way. */
  readonly segments: readonly string[];
  /** Decoded. */
  readonly query?: Readonly<Record<string, string>>;
  /** `type` is left to fetch for a form, which knows the boundary. */
  readonly content?: { readonly type?: string; readonly body: string | FormData };
  readonly signal?: AbortSignal | undefined;
  /** True when a 429 ends the call, for a caller that waits by itself. */
  readonly endsWhenThrottled?: boolean;
}

/** How one try ended. */
type Outcome<T> = { readonly value: T } | FailedTry;

/** How the body of an answer is read; `call` is method and path, for the text of a failure. */
interface Reader<T> {
  /** Longer answers are refused. */
  readonly maxBytes: number;
  readonly accept: string;
  readonly read: (body: Buffer, call: string) => Outcome<T>;
}

const FIRST_BACKOFF_MS = 1000;
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** Characters of a bearer token (RFC 6750); fetch would repeat any other token in the text of its error. */
const TOKEN = /^[A-Za-z0-9._~+/=-]+$/;

const json: Reader<unknown> = {
  maxBytes: 8 * 1024 * 1024,
  accept: 'application/json',
  read: (body, call) => {
    try {
      return { value: JSON.parse(body.toString('utf8')) as unknown };
    } catch {
      return hopeless(`${call}: the answer is no JSON.`, { status: 200 });
    }
  },
};

/**
 * Sends requests to one data manager; redirects are refused. Tries again after 429, 502, 503, 504 and lost connections,
 * with full jitter and never before a Retry-After. A Retry-After of more than 60 s ends the call; the error has its
 * seconds.
 *
 * @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export class DataManagerTransport {
  readonly #options: Required<TransportOptions>;
  readonly #base: URL;

  constructor(options: TransportOptions) {
    this.#options = { fetch, timeoutMs: 30_000, tries: 4, random: Math.random, ...options };
    this.#base = new URL(options.baseUrl.replace(/\/*$/, '/'));
    const { protocol, href } = this.#base;
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(href));
    if (!isSafe) throw new RangeError(`The data manager URL ${this.#base.origin} must be https.`);
  }

  /** The JSON of the answer. @throws DataManagerError */
  send(request: TransportRequest): Promise<unknown> {
    return this.#exchange(request, json);
  }

  /** Sends a deletion; the body of the answer is ignored. @throws DataManagerError */
  remove(request: TransportRequest): Promise<void> {
    return this.#exchange(request, { ...json, read: () => ({ value: undefined }) });
  }

  /** The bytes of the answer. @param maxBytes more are refused @throws DataManagerError */
  download(request: TransportRequest, maxBytes: number): Promise<Uint8Array> {
    return this.#exchange(request, { maxBytes, accept: '*/*', read: (value) => ({ value }) });
  }

  async #exchange<T>(request: TransportRequest, reader: Reader<T>): Promise<T> {
    const url = this.#urlOf(request);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(url, request, reader);
      if ('value' in outcome) return outcome.value;
      const waitMs = this.#waitMs(outcome, attempt, request.endsWhenThrottled === true);
      if (waitMs === undefined) throw outcome.error;
      await this.#options.clock.sleep(waitMs, request.signal);
    }
  }

  #urlOf({ segments, query = {} }: TransportRequest): URL {
    // A URL parser resolves '.' and '..', encoded or not: the call would reach another resource. A lone surrogate cannot
    // be encoded.
    if (segments.some((segment) => /^\.{0,2}$|\p{Surrogate}/u.test(segment))) {
      throw new DataManagerError(
        'bad_request',
        'An id of the data manager cannot be empty, ".", ".." or broken Unicode.',
      );
    }
    const url = new URL(segments.map(encodeURIComponent).join('/'), this.#base);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
    url.searchParams.set('api-version', this.#options.apiVersion);
    return url;
  }

  /** Milliseconds until the next try; undefined when there is none. */
  #waitMs({ error, isPassing }: FailedTry, attempt: number, endsWhenThrottled: boolean): number | undefined {
    const { tries, random } = this.#options;
    if (!isPassing || attempt >= tries || (endsWhenThrottled && error.kind === 'throttled')) return undefined;
    const jitterMs = random() * FIRST_BACKOFF_MS * 2 ** (attempt - 1);
    const { retryAfterSeconds = 0 } = error;
    return retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS ? undefined : retryAfterSeconds * 1000 + jitterMs;
  }

  async #attempt<T>(url: URL, request: TransportRequest, reader: Reader<T>): Promise<Outcome<T>> {
    const call = `${request.method} ${url.pathname}`;
    if (request.signal?.aborted === true) return hopeless(`${call}: abandoned.`, { cause: request.signal.reason });
    const controller = new AbortController();
    const abandon = (): void => {
      controller.abort(request.signal?.reason);
    };
    const timer = setTimeout(() => {
      controller.abort(new Error(`no answer within ${this.#options.timeoutMs} ms`));
    }, this.#options.timeoutMs);
    request.signal?.addEventListener('abort', abandon);
    try {
      const token = await this.#token(controller.signal);
      if (typeof token !== 'string') return token;
      const init = initOf(request, { token, accept: reader.accept, signal: controller.signal });
      return await this.#fetch(url, init, reader);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', abandon);
    }
  }

  async #token(signal: AbortSignal): Promise<string | FailedTry> {
    try {
      const token = await unlessAborted(this.#options.getToken(), signal);
      return TOKEN.test(token) ? token : hopeless('The token for the data manager is malformed.');
    } catch (cause) {
      if (cause instanceof ForeignTenantRefusal) throw cause;
      return hopeless('There is no token for the data manager.', { cause });
    }
  }

  async #fetch<T>(url: URL, init: RequestInit, { maxBytes, read }: Reader<T>): Promise<Outcome<T>> {
    const call = `${init.method ?? ''} ${url.pathname}`;
    try {
      const response = await this.#options.fetch(url, init);
      if (!response.ok) {
        await response.body?.cancel().catch(() => undefined); // the status says all, whatever becomes of the body
        return failedAnswer(call, response, this.#options.clock.now());
      }
      const body = await bytesWithin(response, maxBytes);
      if (body !== undefined) return read(body, call);
      return hopeless(`${call}: the answer is larger than ${maxBytes} bytes.`, { status: response.status });
    } catch (cause) {
      return noAnswer(call, cause);
    }
  }
}

function initOf(
  { method, content }: TransportRequest,
  { token, accept, signal }: { readonly token: string; readonly accept: string; readonly signal: AbortSignal },
): RequestInit {
  const headers: Record<string, string> = { accept, authorization: `Bearer ${token}` };
  if (content?.type !== undefined) headers['content-type'] = content.type;
  return { method, headers, redirect: 'manual', signal, ...(content === undefined ? {} : { body: content.body }) };
}

/** Rejects with the signal's reason when it aborts first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
      },
      { once: true },
    );
    work.then(resolve, reject);
  });
}

/** The body; undefined when it is longer than allowed. */
async function bytesWithin({ body }: Response, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) return undefined; // leaving the loop cancels the body
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
