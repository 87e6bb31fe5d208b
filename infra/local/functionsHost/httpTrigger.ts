import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { bindingDataOf, mayHaveProperties } from './bindingData.js';
import type { RegisteredFunction } from './coreApi.js';
import { answerEmpty, answerWith } from './httpAnswer.js';
import type { Invocation, Invoke } from './invocation.js';
import type { HostLog } from './logging.js';
import { BodyIncomplete, BodyTooLarge, bufferedBody, discardRest, streamedBody } from './requestBody.js';
import { parseRequestTarget, type RequestTarget } from './requestTarget.js';
import type { HttpFunction, RouteMatch, Router } from './router.js';
import type { InvocationResponse, TypedData } from './rpc.js';
import { WorkerUnreachable, type Forward, type ForwardedBody, type ForwardedRequest } from './streaming.js';

/** A function with an HTTP trigger and the name its request binding has. */
export interface HttpTriggered extends HttpFunction {
  readonly target: RegisteredFunction;
  readonly triggerName: string;
}

export interface HttpTriggerParts {
  readonly route: Router<HttpTriggered>;
  readonly invoke: Invoke;
  /** Undefined when the app does not stream. */
  readonly forward: Forward | undefined;
  /** Writes the output bindings of a run. */
  readonly writeOutputs: (target: RegisteredFunction, response: InvocationResponse) => Promise<void>;
  readonly log: HostLog;
  readonly bodyLimitBytes: number;
}

/** A body whose metadata takes longer than a turn should. */
const LARGE_BYTES = 256 * 1024;

/** Everything about one request that its run needs. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly location: RequestTarget;
  readonly match: RouteMatch<HttpTriggered>;
  /** Lower-case names; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Most bytes of request headers the host's web server takes. */
const maxHeaderBytes = 32 * 1024;

const joinedHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headersDistinct).map(([name, values]) => [name, (values ?? []).join(',')]));

const nullable = (values: Iterable<readonly [string, string]>): Record<string, { value: string }> =>
  Object.fromEntries([...values].map(([name, value]) => [name, { value }]));

const traceOf = ({ headers }: Exchange): Pick<Invocation, 'traceParent' | 'traceState'> => ({
  traceParent: headers['traceparent'],
  traceState: headers['tracestate'],
});

function joinedQuery(query: string): Map<string, string> {
  const joined = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(query)) {
    const earlier = joined.get(key);
    joined.set(key, earlier === undefined ? value : `${earlier},${value}`);
  }
  return joined;
}

const schemeOf = ({ socket }: IncomingMessage): 'http' | 'https' => (socket instanceof TLSSocket ? 'https' : 'http');

/** Plain mode: one message holds the request; a chunked body is lost in it, as on the platform. */
async function runPlain(parts: HttpTriggerParts, exchange: Exchange): Promise<void> {
  const { request, response, method, location, match, headers } = exchange;
  const { target, triggerName } = match.function;
  const pieces = await bufferedBody(request, parts.bodyLimitBytes);
  if (pieces === undefined) discardRest(request);
  const body = Buffer.concat(pieces ?? []);
  const http = {
    url: `${schemeOf(request)}://${headers['host'] ?? ''}${request.url ?? '/'}`,
    method,
    nullableHeaders: nullable(Object.entries(headers)),
    nullableQuery: nullable(joinedQuery(location.query)),
    nullableParams: nullable(Object.entries(match.params)),
    ...(body.length === 0 ? {} : { body: { bytes: body } }),
  };
  const result = await parts.invoke(target, { inputs: { [triggerName]: { http } }, ...traceOf(exchange) });
  await parts.writeOutputs(target, result);
  answerWith(response, result.returnValue?.http);
}

function forwardedRequest(
  { request, method, location, headers }: Exchange,
  invocationId: string,
  body: ForwardedBody,
): ForwardedRequest {
  return {
    invocationId,
    method,
    path: `${location.encodedPath}${location.query}`,
    headers: {
      'x-ms-invocation-id': invocationId,
      'x-forwarded-host': headers['host'] ?? '',
      'x-forwarded-proto': schemeOf(request),
      ...(body.length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) }),
    },
    body,
  };
}

/** A body on its way to the worker, and what its metadata say. */
interface TakenBody {
  readonly body: ForwardedBody;
  readonly triggerMetadata: Readonly<Record<string, TypedData>>;
}

async function takenBody(parts: HttpTriggerParts, exchange: Exchange): Promise<TakenBody> {
  const { request, response, location, match, headers } = exchange;
  const pieces = await bufferedBody(request, parts.bodyLimitBytes);
  const [beginning] = pieces ?? [];
  const whole = beginning !== undefined && mayHaveProperties(beginning) ? Buffer.concat(pieces ?? []) : undefined;
  const facts = { query: location.query, routeParams: match.params, headers, body: whole };
  const triggerMetadata = bindingDataOf(facts);
  if (pieces === undefined) {
    response.once('close', () => {
      discardRest(request);
    });
    return { triggerMetadata, body: { stream: streamedBody(request, parts.bodyLimitBytes) } };
  }
  // Host and app are two processes elsewhere: what each of them does with a large body holds up only itself.
  if (whole !== undefined && whole.length > LARGE_BYTES) await sleep(0);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { triggerMetadata, body: { stream: Readable.from(letGo(pieces)), length } };
}

/** The pieces, each let go of as it is taken: a stream of the array itself would keep all of them until the answer. */
function* letGo(pieces: Buffer[]): Generator<Buffer> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
}

/** Streaming mode: the request itself goes to the library, which answers it; the run carries only metadata. */
async function runStreaming(parts: HttpTriggerParts, exchange: Exchange, forward: Forward): Promise<void> {
  const { response, match } = exchange;
  const { target, triggerName } = match.function;
  const invocationId = randomUUID();
  const { body, triggerMetadata } = await takenBody(parts, exchange);
  const forwarding = forward(forwardedRequest(exchange, invocationId, body), response);
  const run = async (): Promise<InvocationResponse> => {
    const result = await parts.invoke(target, {
      invocationId,
      inputs: { [triggerName]: { http: {} } },
      triggerMetadata,
      ...traceOf(exchange),
    });
    if (!forwarding.isAnswered() && !response.destroyed) throw new Error('The function returned no response.');
    return result;
  };
  try {
    const [result] = await Promise.all([run(), forwarding.done]);
    await parts.writeOutputs(target, result);
  } finally {
    await forwarding.end();
  }
}

function exchangeOf(parts: HttpTriggerParts, request: IncomingMessage, response: ServerResponse): Exchange | number {
  const method = request.method ?? 'GET';
  const location = parseRequestTarget(method, request.url ?? '/');
  if (typeof location === 'number') return location;
  if (request.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0) > maxHeaderBytes) return 431;
  const match = parts.route(method, location.path);
  if (match === undefined) return 404;
  return { request, response, method, location, match, headers: joinedHeaders(request) };
}

function reportFailure({ log, forward }: HttpTriggerParts, { match, response }: Exchange, cause: unknown): void {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const outcome = response.headersSent ? 'broke off its answer' : 'gave no answer, so the caller gets 500';
  const warning = forward === undefined ? '' : ' On Azure the caller would wait 240 s for this.';
  log.system('error', `${match.function.name} ${outcome}.${warning} ${text}`);
}

async function run(parts: HttpTriggerParts, exchange: Exchange): Promise<void> {
  try {
    if (parts.forward === undefined) await runPlain(parts, exchange);
    else await runStreaming(parts, exchange, parts.forward);
  } catch (cause) {
    if ([BodyTooLarge, BodyIncomplete, WorkerUnreachable].some((kind) => cause instanceof kind)) throw cause;
    reportFailure(parts, exchange, cause);
    answerEmpty(exchange.response, 500);
  }
}

/**
 * Answers one request as the functions host does: an empty 404 without a fitting route, an empty 500 above the body
 * limit or when the function fails.
 */
export const httpTrigger =
  (parts: HttpTriggerParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const exchange = exchangeOf(parts, request, response);
      if (typeof exchange !== 'number') await run(parts, exchange);
      else {
        discardRest(request);
        answerEmpty(response, exchange);
      }
    } catch (cause) {
      if (!(cause instanceof BodyIncomplete)) parts.log.system('warning', String(cause));
      answerEmpty(response, 500);
    }
  };
