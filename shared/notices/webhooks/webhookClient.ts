import { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../kit/outbound/egressRule.js';
import { isLocalReceiver, receiverFault, type ReceiverRule } from './receiverRule.js';

/** Why no answer came. */
export type SendError = 'dns' | 'refused_address' | 'connect' | 'tls' | 'timeout' | 'too_long';

/** What is known of a receiver's answer; its body and its other headers are read by nobody. */
export interface ReceiverAnswer {
  readonly status?: number;
  readonly error?: SendError;
  readonly durationMs: number;
  readonly retryAfter?: string;
  readonly allowedOrigin?: string;
  readonly allowedRate?: string;
}

export interface ReceiverRequest {
  readonly method: 'POST' | 'OPTIONS';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Calls a receiver; never throws, whatever the receiver does. */
export type CallReceiver = (request: ReceiverRequest, signal?: AbortSignal) => Promise<ReceiverAnswer>;

/** The whole call, and the connection. */
const TOTAL_MS = 15_000;
const CONNECT_MS = 5_000;
const MOST_HEADER_BYTES = 16_384;
/** Of an answer so many bytes are thrown away so that the connection can be used again; then it is closed. */
const MOST_BODY_BYTES = 1_024;

/** A name leads, or led by one of its addresses, outside of the internet. */
class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS';
}

/** Finds all addresses of a name, as `dns.lookup` with `all` does. */
export type ResolveAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses?: { address: string; family: number }[]) => void,
) => void;

const resolveBySystem: ResolveAll = (hostname, callback) => {
  systemLookup(hostname, { all: true }, (error, addresses) => {
    callback(error, addresses);
  });
};

/**
 * A look-up for the very connection that is made: between check and use no name can change. All addresses of the name must
 * be public, not only the one that is used.
 */
const guardedLookup =
  (resolve: ResolveAll): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      const fault = error ?? (isPublic(addresses) ? null : new RefusedAddress());
      // Never within the call: a connection that fails at once would be an error that nobody handles yet.
      setImmediate(() => {
        if (fault !== null || first === undefined) callback(fault ?? new RefusedAddress(), '', 4);
        else if (options.all === true) callback(null, addresses ?? []);
        else callback(null, first.address, first.family);
      });
    });
  };

const isPublic = (addresses: readonly { readonly address: string }[] | undefined): boolean =>
  addresses !== undefined && addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));

export interface WebhookClientOptions {
  readonly rule: ReceiverRule;
  readonly resolve?: ResolveAll;
  readonly totalMs?: number;
  /** Certificates to trust besides; of tests. */
  readonly ca?: string;
}

/** Calls receivers over connections that nothing else uses: https, no redirect followed, no proxy, 15 s in all. */
export function webhookClient({
  rule,
  resolve = resolveBySystem,
  totalMs = TOTAL_MS,
  ca,
}: WebhookClientOptions): CallReceiver {
  const pool = { keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' } as const;
  const agents = { https: new HttpsAgent({ ...pool, ...(ca === undefined ? {} : { ca }) }), http: new HttpAgent(pool) };
  const guarded = { lookup: guardedLookup(resolve) };
  return (asked, signal) => {
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    // What was allowed when it was stored may not be any more.
    if (receiverFault(asked.url, rule) !== undefined)
      return Promise.resolve({ error: 'refused_address', durationMs: 0 });
    const url = new URL(asked.url);
    const isLocal = isLocalReceiver(url, rule);
    return new Promise((answered) => {
      const limit = AbortSignal.timeout(totalMs);
      const options = {
        method: asked.method,
        headers: {
          ...asked.headers,
          ...(asked.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) }),
        },
        maxHeaderSize: MOST_HEADER_BYTES,
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
        ...(isLocal ? {} : guarded),
      };
      const call =
        url.protocol === 'http:'
          ? httpRequest(url, { ...options, agent: agents.http })
          : httpsRequest(url, { ...options, agent: agents.https });
      endSlowConnection(call);
      call.on('response', (response) => {
        discard(response);
        answered({ ...answerIn(response), durationMs: elapsed() });
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        answered({ error: errorIn(error), durationMs: elapsed() });
      });
      // An answer 101 ends the connection without an answer and without an error.
      call.on('close', () => {
        answered({ error: 'connect', durationMs: elapsed() });
      });
      call.end(asked.body);
    });
  };
}

function endSlowConnection(call: ClientRequest): void {
  const timer = setTimeout(() => call.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })), CONNECT_MS);
  const stop = (): void => {
    clearTimeout(timer);
  };
  call.on('socket', (socket) => {
    if (!socket.connecting) stop();
    else socket.once('connect', stop);
  });
  call.on('close', stop);
}

/** The answer's body is nobody's business: neither stored nor shown, lest the service read for its callers. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MOST_BODY_BYTES) response.destroy();
  });
  // The end of the call comes as an error here, too; the answer is known by then.
  response.on('error', () => undefined);
}

function answerIn({ statusCode, headers }: IncomingMessage): Omit<ReceiverAnswer, 'durationMs'> {
  const named = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value.slice(0, 300) : undefined;
  };
  const retryAfter = named('retry-after');
  const allowedOrigin = named('webhook-allowed-origin');
  const allowedRate = named('webhook-allowed-rate');
  return {
    status: statusCode ?? 0,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(allowedOrigin === undefined ? {} : { allowedOrigin }),
    ...(allowedRate === undefined ? {} : { allowedRate }),
  };
}

const errors: Readonly<Record<string, SendError>> = {
  REFUSED_ADDRESS: 'refused_address',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  HPE_HEADER_OVERFLOW: 'too_long',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
};

function errorIn(error: NodeJS.ErrnoException): SendError {
  const { code = '', name } = error;
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  return errors[code] ?? (/TLS|CERT|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'tls' : 'connect');
}
