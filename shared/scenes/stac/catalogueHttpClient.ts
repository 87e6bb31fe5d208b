import type { Clock } from '../../kit/clock.js';
import type { EgressGuard } from '../../kit/outbound/egressClient.js';
import { EgressRefused } from '../../kit/outbound/egressRule.js';
import { CatalogueError } from './catalogueError.js';

/** One call of a catalogue's API. */
export interface CatalogueCall {
  readonly url: string;
  /** Sent as JSON by POST; a GET when absent. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tries while the catalogue is away; four when absent. */
  readonly tries?: number;
}

/** What a client of a catalogue needs. */
export interface CatalogueHttpOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly egress: EgressGuard;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
  /** Longest time of one try, the body included; 30 s when absent. */
  readonly timeoutMs?: number;
}

/** Reads one JSON document. @throws CatalogueError, or the signal's reason */
export type GetJson = (call: CatalogueCall, signal?: AbortSignal) => Promise<unknown>;

const TRIES = 4;
/** A longer wait is left to the retry of the work item: a waiting item holds no worker. */
const LONGEST_WAIT_SECONDS = 60;
/** A page of 100 scenes has some 2 MB; the worst JSON of this size takes 350 MB when parsed. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ERROR_BYTES = 2_000;
/** Content Too Large. */
const TOO_LARGE = 413;

/**
 * A client that tries up to four times, with pauses of up to 1, 2 and 4 s at random. `Retry-After` and "Try again in N
 * seconds" are obeyed up to a minute; redirects are refused; time and size of an answer are limited.
 */
export function catalogueHttpClient(options: CatalogueHttpOptions): GetJson {
  return async (call, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await getOnce(call, options, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const wait =
          attempt >= (call.tries ?? TRIES) ? undefined : secondsBeforeNextTry(error, attempt, options.random);
        if (wait === undefined) throw error;
        await options.clock.sleep(wait * 1000, signal);
        signal?.throwIfAborted();
      }
    }
  };
}

function secondsBeforeNextTry(error: unknown, attempt: number, random: () => number): number | undefined {
  if (!(error instanceof CatalogueError) || error.fault !== 'unavailable') return undefined;
  const jittered = random() * 2 ** (attempt - 1);
  if (error.retryAfterSeconds === undefined) return jittered;
  return error.retryAfterSeconds > LONGEST_WAIT_SECONDS ? undefined : error.retryAfterSeconds + jittered;
}

async function getOnce(call: CatalogueCall, options: CatalogueHttpOptions, signal?: AbortSignal): Promise<unknown> {
  const { fetch, clock, timeoutMs = 30_000 } = options;
  const url = await passed(call.url, options.egress);
  const timeout = AbortSignal.timeout(timeoutMs);
  let status = 0;
  try {
    const response = await fetch(url, {
      ...requestOf(call),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    status = response.status;
    if (status !== 200) throw await faultOf(url.host, response, clock.now().getTime());
    return JSON.parse(await readText(url.host, response)) as unknown;
  } catch (error) {
    if (error instanceof CatalogueError) throw error;
    // An answer that is too large may come too late or be cut off.
    const mayBeOfSize = timeout.aborted || status === 200 || status >= 500;
    const text = error instanceof SyntaxError ? 'sent broken JSON.' : brokenOff(timeout.aborted, timeoutMs);
    throw new CatalogueError('unavailable', `${url.host} ${text}`, { mayBeOfSize, cause: codeOf(error) });
  }
}

const brokenOff = (isTimeout: boolean, timeoutMs: number): string =>
  isTimeout ? `did not answer within ${timeoutMs / 1000} s.` : 'could not be reached.';

function requestOf({ body, headers = {} }: CatalogueCall): RequestInit {
  const accept = { accept: 'application/geo+json, application/json' };
  if (body === undefined) return { headers: { ...headers, ...accept } };
  const type = { 'content-type': 'application/json' };
  return { method: 'POST', headers: { ...headers, ...accept, ...type }, body: JSON.stringify(body) };
}

async function passed(url: string, egress: EgressGuard): Promise<URL> {
  try {
    return await egress.pass(url);
  } catch (error) {
    if (error instanceof EgressRefused)
      throw new CatalogueError('refused', `The catalogue is not called: ${error.message}.`);
    throw new CatalogueError('unavailable', 'The host of the catalogue could not be resolved.', {
      cause: codeOf(error),
    });
  }
}

/** The code of a network error; its text may quote an address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown error';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

/** 401 and 403 count as an outage: the catalogues are open to everybody. */
const isOutage = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500;

async function faultOf(host: string, response: Response, now: number): Promise<CatalogueError> {
  const { status, headers } = response;
  const text = `${host} answered with HTTP status ${status}.`;
  if (!isOutage(status)) {
    await response.body?.cancel();
    const isInvalid = [400, 404, TOO_LARGE].includes(status);
    return new CatalogueError(isInvalid ? 'invalid' : 'refused', text, { mayBeOfSize: status === TOO_LARGE });
  }
  const told = toldSeconds((await beginningOf(response, MAX_ERROR_BYTES)).toString('utf8'));
  const retryAfterSeconds = retryAfterOf(headers.get('retry-after'), now) ?? told;
  // Behind a gateway that limits size or time, a page that is too large fails as in an outage. A long Retry-After is obeyed
  // without trying a smaller page.
  const mayBeOfSize = status >= 500 && (retryAfterSeconds ?? 0) <= LONGEST_WAIT_SECONDS;
  return new CatalogueError('unavailable', text, { retryAfterSeconds, mayBeOfSize });
}

/** The Planetary Computer says how long to wait in its text. */
function toldSeconds(text: string): number | undefined {
  const seconds = /try again in (\d{1,4}) seconds/i.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Whole seconds from a `Retry-After` header, which holds seconds or a date; undefined when it is neither. */
function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d{1,6}$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** The first bytes of an answer, so many at most; the rest is not read. */
async function beginningOf({ body }: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const pieces: AsyncIterable<Uint8Array> | null = body;
  for await (const chunk of pieces ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

async function readText(host: string, response: Response): Promise<string> {
  const bytes = await beginningOf(response, MAX_BYTES + 1);
  if (bytes.byteLength > MAX_BYTES) {
    throw new CatalogueError('invalid', `${host} sent more than ${MAX_BYTES} bytes.`, { mayBeOfSize: true });
  }
  return bytes.toString('utf8');
}
