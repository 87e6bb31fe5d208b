import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { randomUUID } from 'node:crypto';
import type { TSchema } from 'typebox';
import { ApiKeyRefusal } from '../access/auth/apiKeyCheck.js';
import { requireRole, type Role } from '../access/auth/roles.js';
import { TokenRefusal } from '../access/auth/verifyToken.js';
import { commonFaults } from '../kit/errors/catalogue.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { codeOf, errorBody } from '../kit/errors/wire.js';
import { isJsonObject } from '../kit/json/json.js';
import type { LimitedCaller } from '../access/rates/caller.js';
import type { RateName } from '../access/rates/rates.js';
import type { RequestPorts, Surroundings } from './surroundings.js';
import { errorText, jsonLog, type Facts } from '../kit/telemetry/telemetry.js';
import { asInvocation } from '../kit/telemetry/trace.js';
import { traceFrom, type TraceContext } from '../kit/telemetry/traceContext.js';
import { documentedForm } from '../kit/validation/documentedForm.js';
import { faultsOf, MAX_FAULTS } from '../kit/validation/validator.js';
import type { Answer } from '../kit/answer/answer.js';
import { queryOf } from './readQuery.js';
import { MAX_JSON_BYTES } from '../kit/json/jsonText.js';
import { readJson, refuseAnnouncedSize, requireType, type IncomingBody } from './request/readBody.js';
import { idempotencyKeyOf } from './request/idempotencyKey.js';
import { readFile, readUpload, type ReceivedUpload } from './readUpload.js';
import { responseOf } from './response.js';
import { contentTypesOf, type ReceivedFile, type Route, type RouteBody } from './route.js';

type Request = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'query' | 'params' | 'body'>;

/**
 * Serves one request of a route: request id → limits → authenticate → role → validate → handle → one log line.
 *
 * It always gives an answer and never throws: in streaming mode the host would leave the client hanging for minutes.
 */
export async function handleRequest<S extends RequestPorts>(
  route: Route<S>,
  request: Request,
  { services, write }: Surroundings<S>,
): Promise<HttpResponseInit> {
  const startedAt = performance.now();
  const requestId = randomUUID();
  const trace = traceFrom(request.headers.get('traceparent'));
  const clientRequestId = clientRequestIdOf(request);
  const facts: Record<string, unknown> = { requestId, traceId: trace.traceId, operation: route.name, clientRequestId };
  return asInvocation({ name: route.name, kind: 'request', trace, write }, async (own) => {
    const answer = await answerOf(route, request, { services, trace: own, facts });
    const response = await responseOf(
      answer,
      { route, method: request.method, headers: request.headers },
      {
        'x-ms-request-id': requestId,
        ...(clientRequestId === undefined ? {} : { 'x-ms-client-request-id': clientRequestId }),
        traceparent: own.traceparent,
        ...route.answerHeaders,
      },
    );
    const durationMs = Math.round(performance.now() - startedAt);
    jsonLog(write)('Request:Answered', { ...facts, status: response.status, durationMs });
    return response;
  });
}

/** The id that the caller gave its request; one that could not stand in a header as it is, or is long, is none. */
function clientRequestIdOf({ headers }: Request): string | undefined {
  const id = headers.get('x-ms-client-request-id');
  return id !== null && /^[\x21-\x7e]{1,128}$/.test(id) ? id : undefined;
}

interface Invocation<S> {
  readonly services: S;
  readonly trace: TraceContext;
  /** Gathered on the way, logged once at the end. */
  readonly facts: Record<string, unknown>;
}

async function answerOf<S extends RequestPorts>(
  route: Route<S>,
  request: Request,
  { services, trace, facts }: Invocation<S>,
): Promise<Answer> {
  try {
    return await serve(route, request, services, facts);
  } catch (error) {
    const known = error instanceof ServiceError ? error : internalError(error);
    Object.assign(facts, factsOf(known));
    return errorAnswer(known, route, trace);
  }
}

async function serve<S extends RequestPorts>(
  route: Route<S>,
  request: Request,
  services: S,
  facts: Record<string, unknown>,
): Promise<Answer> {
  refusePollutedQuery(request.query);
  const { body: json, file } = route;
  if (route.upload === undefined) refuseAnnouncedSize(request, file?.maxBytes ?? json?.maxBytes ?? MAX_JSON_BYTES);
  route.checkQuery?.(request.query);
  const identity = await admit(route, request, { services, facts });
  const asked = askedOf(route, request, services);
  const received = await receive(route, request, services);
  try {
    return await route.handle({ ...identity, ...asked, ...received }, services);
  } finally {
    received.release();
  }
}

/** What path, query and headers say. @throws ServiceError for a query that breaks a rule */
function askedOf(route: Route, { method, url, headers, params, query }: Request, { config }: RequestPorts) {
  return {
    ...{ method, params: paramsOf(route, params, url), query: queryOf(route, query) },
    accept: headers.get('accept') ?? '*/*',
    ifMatch: headers.get('if-match') ?? undefined,
    ifNoneMatch: headers.get('if-none-match') ?? undefined,
    origin: config.PUBLIC_URL ?? new URL(url).origin,
    idempotencyKey: route.isIdempotent === true ? idempotencyKeyOf(headers) : undefined,
  };
}

interface Received extends ReceivedUpload {
  readonly body: unknown;
  readonly file: ReceivedFile | undefined;
}

/** What a route receives beside path, query and headers; `release` gives back what it occupies. */
async function receive(route: Route, request: Request, services: RequestPorts): Promise<Received> {
  const { upload, file, body } = route;
  const ports = { slots: services.uploadSlots, clock: services.clock };
  const nothing: Received = { body: undefined, parts: {}, file: undefined, release: () => undefined };
  if (upload !== undefined) return { ...nothing, ...(await readUpload(incoming(request), upload, ports)) };
  if (file !== undefined) return { ...nothing, ...(await readFile(incoming(request), file, ports)) };
  return body === undefined ? nothing : { ...nothing, ...(await readValid(body, request, services)) };
}

/** Operations that begin work, shown by their 202, count as creates; the others as reads unless they say so. */
const rateOf = ({ rate, success }: Route): RateName => rate ?? (success.status === 202 ? 'create' : 'read');

const incoming = ({ headers, body }: Request): IncomingBody => ({
  headers,
  body: body as AsyncIterable<Uint8Array> | null,
});

/** In streaming mode a query key `headers` replaces all headers of the request, so it is never legitimate. */
function refusePollutedQuery(query: URLSearchParams): void {
  for (const key of query.keys()) {
    if (key.toLowerCase() === 'headers') {
      throw new ServiceError(commonFaults.badRequest, 'The query parameter `headers` is reserved; remove it.');
    }
  }
}

interface Identity {
  readonly tenant?: string;
  readonly objectId?: string;
  readonly customer?: string;
  readonly operator?: string;
  readonly roles?: readonly Role[];
  readonly isDelegated?: true;
}

/** Who calls, once it may: known, with the role that the operation wants, within its rate. */
async function admit(
  route: Route,
  request: Request,
  { services, facts }: Pick<Invocation<RequestPorts>, 'services' | 'facts'>,
): Promise<Identity> {
  const identity = await authenticate(route, request, services);
  const { tenant, customer, operator, roles = [], isDelegated = false } = identity;
  // What is undefined is left out of the line.
  Object.assign(facts, { tenant, customer, operator });
  // A customer's key has no roles: it may do all that customers may.
  if (route.role !== undefined && customer === undefined) requireRole({ roles, isDelegated }, route.role);
  const caller = callerOf(identity);
  if (caller !== undefined) await services.limitRate(caller, rateOf(route));
  return identity;
}

/** Whose rate the call counts against; undefined for callers that nobody knows. */
function callerOf({ tenant, customer, operator }: Identity): LimitedCaller | undefined {
  if (tenant !== undefined) return { tenant };
  if (operator !== undefined) return { operator };
  return customer === undefined ? undefined : { customer };
}

async function authenticate({ caller }: Route, { headers }: Request, services: RequestPorts): Promise<Identity> {
  if (caller === 'nobody') return {};
  if (caller === 'either') {
    const [token, key] = [headers.get('authorization'), headers.get('api-key')];
    if (token !== null && key !== null) throw twoCredentials();
    if (token === null && key === null) throw noCredential();
    return token === null ? { customer: await services.checkApiKey(key) } : services.verifyToken(token);
  }
  if (caller === 'apiKey') return { customer: await services.checkApiKey(headers.get('api-key')) };
  if (caller === 'jwt') return services.verifyToken(headers.get('authorization'));
  const { objectId: operator, tenant: _home, ...rights } = await services.verifyOperator(headers.get('authorization'));
  return { operator, ...rights };
}

const twoCredentials = (): ServiceError =>
  new ServiceError(
    commonFaults.badRequest,
    'The request has an Authorization and an Api-Key header; send one of them.',
  );

const noCredential = (): ServiceError =>
  new ServiceError(commonFaults.unauthorized, 'Send a bearer token in Authorization, or a key in Api-Key.', {
    headers: { 'www-authenticate': 'Bearer, ApiKey' },
  });

/** The JSON body of a request, once it keeps the rules of its route. */
async function readValid(
  body: RouteBody<TSchema>,
  request: Request,
  { clock, uploadSlots: slots, parseBeside }: RequestPorts,
): Promise<Pick<Received, 'body' | 'release'>> {
  requireType({ headers: request.headers, body: null }, contentTypesOf(body));
  const { invalid, keepsDigits, apart, maxBytes = MAX_JSON_BYTES } = body;
  const rules = { invalid, keepsDigits, apart, maxBytes, parseBeside, clock, slots };
  const { value: sent, release } = await readJson(incoming(request), rules);
  // To a merge patch null has a meaning.
  const value = body.type === 'mergePatch' ? sent : documentedForm(body.schema, sent);
  const faults = [...faultsOf(body.schema, withoutMember(value, apart)), ...(body.rules?.(value, clock.now()) ?? [])];
  if (faults.length === 0) return { body: value, release };
  release();
  const details = faults.slice(0, MAX_FAULTS);
  throw new ServiceError(invalid, details.map(({ msg }) => `${msg}.`).join(' '), { details });
}

/** A body without the member that its operation checks itself. */
function withoutMember(value: unknown, name: string | undefined): unknown {
  if (name === undefined || !isJsonObject(value)) return value;
  const { [name]: _apart, ...others } = value;
  return others;
}

/**
 * The declared route parameters. The host mixes query keys and body fields into `params` and lets the query decide
 * the casing of a key, so nothing but a declared name counts. Where a path has nothing for its `{*rest}`, neither has a
 * query.
 */
function paramsOf(route: Route, raw: Readonly<Record<string, string>>, url: string): Record<string, string> {
  const params: Record<string, string> = {};
  const [beginning = '', rest] = route.path.split(/\/?\{\*/);
  const isWithoutRest = rest !== undefined && new RegExp(`^/${beginning}/?$`, 'i').test(new URL(url).pathname);
  for (const [whole, name = ''] of route.path.matchAll(/\{\*?([^}]+)\}/g)) {
    const keys = Object.keys(raw).filter((key) => key.toLowerCase() === name.toLowerCase());
    const isNone = keys.length !== 1 || (isWithoutRest && whole.startsWith('{*'));
    params[name] = isNone ? '' : (raw[keys[0] ?? ''] ?? '');
  }
  return params;
}

function internalError(cause: unknown): ServiceError {
  return new ServiceError(
    commonFaults.internal,
    'The service met an error of its own. Tell us the traceId of this answer.',
    {
      cause,
    },
  );
}

function factsOf(error: ServiceError): Facts {
  return {
    code: error.fault.code,
    ...(error instanceof TokenRefusal || error instanceof ApiKeyRefusal ? { refusal: error.reason } : {}),
    ...(error.fault.status >= 500 ? { cause: errorText(error.cause) } : {}),
  };
}

function errorAnswer(error: ServiceError, { errors }: Route, { traceId }: TraceContext): Answer {
  const seconds = error.retryAfterSeconds;
  return {
    status: error.fault.status,
    json: errorBody(error, errors, traceId),
    headers: {
      'x-ms-error-code': codeOf(error.fault, errors),
      ...error.headers,
      ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    },
  };
}
