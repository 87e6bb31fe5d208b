import { randomUUID } from 'node:crypto';
import { type Exchange, isJsonObject, jsonReply, type Reply } from '../http/exchange.js';

/** A refusal in the data manager's own error shape. Clients decide on the status; the code is for people. */
export class WireError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const invalid = (message: string): WireError => new WireError(400, 'InvalidRequest', message);
export const conflict = (message: string): WireError => new WireError(409, 'Conflict', message);
export const unknown = (what: string): WireError => new WireError(404, 'ResourceNotFound', `${what} does not exist.`);

/** One request on one route; `ids` are the decoded variable segments of the path. */
export interface Call {
  readonly exchange: Exchange;
  readonly ids: Readonly<Record<string, string>>;
}

/** One operation. `path` is written as in the product's specification: `/parties/{partyId}`. */
export interface Route {
  readonly method: 'GET' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly answer: (call: Call) => Reply | Promise<Reply>;
}

/** Letters, digits and the unreserved signs of RFC 3986. */
const ID = /^[A-Za-z0-9._~-]{1,100}$/;

/** The answer of the first route that fits; 404 for an unknown path, 405 for a wrong method. */
export async function answerBy(routes: readonly Route[], exchange: Exchange): Promise<Reply> {
  const fitting = routes.map((route) => ({ route, ids: match(route.path, exchange.url.pathname) }));
  const onPath = fitting.flatMap(({ route, ids }) => (ids === undefined ? [] : [{ route, ids }]));
  const chosen = onPath.find(({ route }) => route.method === exchange.method);
  if (chosen !== undefined) return chosen.route.answer({ exchange, ids: chosen.ids });
  if (onPath.length > 0) throw new WireError(405, 'MethodNotAllowed', `${exchange.method} is not possible here.`);
  throw unknown(`The path ${exchange.url.pathname}`);
}

/** The variable segments when the path has this form. */
function match(template: string, pathname: string): Readonly<Record<string, string>> | undefined {
  const expected = template.split('/');
  const given = pathname.split('/');
  if (expected.length !== given.length) return undefined;
  const ids: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = given[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
      continue;
    }
    ids[part.slice(1, -1)] = checkedId(segment);
  }
  return ids;
}

function checkedId(segment: string): string {
  const id = decoded(segment);
  if (!ID.test(id)) throw invalid('An id holds 1 to 100 letters, digits, dots, hyphens, underscores and tildes.');
  return id;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // keeps its percent sign, which no id may hold
  }
}

/** The id at that place of the path. */
export function idOf({ ids }: Call, name: string): string {
  const id = ids[name];
  if (id === undefined) throw new Error(`No route of this stand-in has a segment ${name}.`);
  return id;
}

/** The body of a PATCH: a JSON object sent as a merge patch. */
export function patchOf({ exchange: { headers, body } }: Call): Readonly<Record<string, unknown>> {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/merge-patch+json') {
    throw new WireError(415, 'UnsupportedMediaType', 'Send a PATCH as application/merge-patch+json.');
  }
  return objectIn(body);
}

/** The body of a PUT: a JSON object. */
export function jsonOf({ exchange: { headers, body } }: Call): Readonly<Record<string, unknown>> {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw new WireError(415, 'UnsupportedMediaType', 'Send application/json.');
  return objectIn(body);
}

function objectIn(body: Buffer): Readonly<Record<string, unknown>> {
  const value = parsedJson(body);
  if (!isJsonObject(value)) throw invalid('The body must be a JSON object.');
  return value;
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // the caller refuses everything that is no object
  }
}

/** `{ error: { code, message }, traceId }` with the header x-ms-error-code. */
export function errorReply({ status, code, message, headers: own }: WireError): Reply {
  const headers = status === 401 ? { ...own, 'www-authenticate': 'Bearer' } : own;
  return jsonReply(
    status,
    { error: { code, message }, traceId: randomUUID() },
    { 'x-ms-error-code': code, ...headers },
  );
}
