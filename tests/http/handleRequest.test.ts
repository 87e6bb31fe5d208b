import { describe, expect, jest, test } from '@jest/globals';
import { HttpRequest } from '@azure/functions';
import { Type } from 'typebox';
import { TokenRefusal } from '../../shared/access/auth/verifyToken.js';
import { gddFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { route, type ServiceRoute } from '../../shared/wiring/declare.js';
import { unmatched } from '../../shared/http/unmatched.js';
import type { Services } from '../../shared/wiring/services.js';
import { ManualClock } from '../support/manualClock.js';

const Body = Type.Object(
  { name: Type.String({ maxLength: 5 }), count: Type.Optional(Type.Integer({ minimum: 1 })) },
  { additionalProperties: false },
);

const echo = (handle?: ServiceRoute['handle']): ServiceRoute =>
  route({
    name: 'echo',
    method: 'POST',
    path: 'v1/things/{thingId}',
    caller: 'jwt',
    role: 'Jobs.Read',
    tag: 'Things',
    summary: 'Echo',
    errors: 'jobsFetch',
    params: { thingId: 'The thing' },
    body: { schema: Body, invalid: gddFaults.invalidBody, example: { name: 'a' } },
    success: { status: 200, description: 'Echo', content: { 'application/json': { schema: Type.Object({}) } } },
    faults: [],
    handle: handle ?? (({ params, body }) => Promise.resolve({ status: 200, json: { params, body } })),
  });

interface Call {
  readonly route?: ServiceRoute;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, string>;
  readonly body?: string;
  readonly method?: string;
  readonly hasConsole?: boolean;
}

async function call({
  route: called = echo(),
  url = 'http://host/v1/things/7',
  headers,
  params,
  body = '{"name":"a"}',
  method = 'POST',
  hasConsole = true,
}: Call) {
  const lines: string[] = [];
  const services = {
    clock: new ManualClock(),
    verifyToken: jest.fn((header: string | null) =>
      header === 'Bearer ok' || header === 'Bearer no role'
        ? Promise.resolve({ tenant: 'tenant-a', roles: header === 'Bearer ok' ? (['Jobs.Read'] as const) : [] })
        : Promise.reject(new TokenRefusal('unknown')),
    ),
    limitRate: () => Promise.resolve(),
    config: { CONSOLE: hasConsole },
  };
  const answer = await handleRequest(
    called,
    new HttpRequest({
      method,
      url,
      headers: headers ?? { 'content-type': 'application/json', authorization: 'Bearer ok' },
      params: params ?? { thingId: '7' },
      ...(method === 'POST' ? { body: { string: body } } : {}),
    }),
    { services: services as unknown as Services, write: (line) => void lines.push(line) },
  );
  const json = typeof answer.body === 'string' ? (JSON.parse(answer.body) as Record<string, unknown>) : undefined;
  return { ...answer, json, lines, headers: answer.headers as Record<string, string> };
}

const json = { 'content-type': 'application/json', authorization: 'Bearer ok' };

describe('a request', () => {
  test('reaches its operation with the declared parameters and the checked body', async () => {
    const { status, json: body } = await call({});
    expect(status).toBe(200);
    expect(body).toEqual({ params: { thingId: '7' }, body: { name: 'a' } });
  });

  test('is logged in one line that holds no body and no credential', async () => {
    const { lines } = await call({ body: '{"name":"canar"}' });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'Request:Answered', operation: 'echo', status: 200 });
    expect(lines[0]).not.toMatch(/canar|Bearer|tenant-a/);
  });

  test('continues the trace of its caller and names it in errors', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { json: body, headers } = await call({ headers: { ...json, traceparent }, body: '{}' });
    expect(body).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c' });
    expect(headers['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
  });

  test.each(['00-00000000000000000000000000000000-b7ad6b7169203331-01', 'nonsense', ''])(
    'begins a trace of its own for the traceparent %j',
    async (traceparent) => {
      const { json: body } = await call({ headers: { ...json, traceparent }, body: '{}' });
      expect(body?.['traceId']).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    },
  );

  test('gets the standard headers with every answer', async () => {
    const { headers } = await call({});
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(headers['x-ms-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('null for an optional property of a body', () => {
  test('is that property absent', async () => {
    const { json: echoed } = await call({ body: '{"name":"a","count":null}' });
    expect(echoed).toEqual({ params: { thingId: '7' }, body: { name: 'a' } });
  });
});

describe('every fault of a body is named at once', () => {
  test('with path, rule and remedy', async () => {
    const { status, json: body } = await call({ body: '{"name":"toolong","count":0,"extra":1}' });
    expect(status).toBe(400);
    const message =
      'GDD-04100: extra is not a known property; remove it. name must have at most 5 characters. count must be 1 or more.';
    expect(body).toMatchObject({ error: { code: 'GDD-04100', message }, errors: [{ code: 'GDD-04100', message }] });
  });
});

describe('a request is refused', () => {
  test.each<[string, Call, number, string]>([
    ['without JSON', { body: 'x' }, 400, 'GDD-04100'],
    ['with a BOM-less UTF-16 body', { body: '\u0000{' }, 400, 'GDD-04100'],
    ['with another content type', { headers: { ...json, 'content-type': 'text/plain' } }, 415, 'UnsupportedMediaType'],
    ['with no content type', { headers: { authorization: 'Bearer ok' } }, 415, 'UnsupportedMediaType'],
    [
      'with another charset',
      { headers: { ...json, 'content-type': 'application/json; charset=utf-16' } },
      415,
      'UnsupportedMediaType',
    ],
    ['compressed', { headers: { ...json, 'content-encoding': 'gzip' } }, 415, 'UnsupportedMediaType'],
    ['over 64 KB', { body: JSON.stringify({ name: 'a'.repeat(65_536) }) }, 413, 'PayloadTooLarge'],
    ['announced over 64 KB', { headers: { ...json, 'content-length': '65537' } }, 413, 'PayloadTooLarge'],
    ['with the query key headers', { url: 'http://host/v1/things/7?headers={}' }, 400, 'BadRequest'],
    ['with the query key HeAdErS', { url: 'http://host/v1/things/7?x=1&HeAdErS={}' }, 400, 'BadRequest'],
    ['with a Headers property in its body', { body: '{"name":"a","Headers":{}}' }, 400, 'GDD-04100'],
    ['with a prototype in its body', { body: '{"name":"a","__proto__":{"x":1}}' }, 400, 'GDD-04100'],
    ['nested 30,000 deep', { body: `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}` }, 400, 'GDD-04100'],
  ])('%s', async (_what, request, status, code) => {
    const answer = await call(request);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ error: { code } });
  });
});

describe('a request is judged by its token before its body', () => {
  const withToken = (token: string, body: string) =>
    call({ headers: { ...json, authorization: `Bearer ${token}` }, body });

  test.each([
    { token: 'wrong', body: '{}', status: 401, code: 'Unauthorized' },
    { token: 'no role', body: '{}', status: 403, code: 'Forbidden' },
    { token: 'no role', body: '{"name":"a"}', status: 403, code: 'Forbidden' },
    { token: 'ok', body: '{}', status: 400, code: 'GDD-04100' },
  ])('$token with $body is $status', async ({ token, body, status, code }) => {
    const answer = await withToken(token, body);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ error: { code }, errors: [{ code }] });
  });

  test('and told which role is wanted; the log says whose token it was', async () => {
    const answer = await withToken('no role', '{}');
    expect(answer.json).toMatchObject({
      error: { message: expect.stringContaining('no role Jobs.Read or Jobs.ReadWrite, which this operation needs') },
    });
    expect(answer.headers['WWW-Authenticate']).toBe('Bearer error="insufficient_scope", scope="Jobs.Read"');
    expect(JSON.parse(answer.lines[0]!)).toMatchObject({ code: 'Forbidden', status: 403, tenant: expect.any(String) });
  });
});

describe('route parameters', () => {
  test('are found whatever casing the query gave their key', async () => {
    const { json: body } = await call({ params: { THINGID: '7', other: 'x' } });
    expect(body).toMatchObject({ params: { thingId: '7' } });
  });

  test('are empty when a request has made their name ambiguous', async () => {
    const { json: body } = await call({ params: { THINGID: 'z', thingId: '7' } });
    expect(body).toMatchObject({ params: { thingId: '' } });
  });
});

describe('an operation', () => {
  test('that throws answers 500 without a word of the cause, which the log has', async () => {
    const { status, json: body, lines } = await call({ route: echo(() => Promise.reject(new Error('boom inside'))) });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('boom');
    expect(lines[0]).toContain('boom inside');
  });

  test('that throws something that is no error answers 500 too', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the very case under test
    expect((await call({ route: echo(() => Promise.reject('text')) })).status).toBe(500);
  });

  test('that finds a dependency away answers 503 with Retry-After', async () => {
    const fault = { code: 'ServiceUnavailable', status: 503, retryAfterSeconds: 5, when: '' };
    const { status, headers } = await call({ route: echo(() => Promise.reject(new ServiceError(fault, 'Away.'))) });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('5');
  });
});

describe('what no function answers', () => {
  const catchAlls = new Map(unmatched([echo()]).map((each) => [each.path, each]));
  const [solutions = echo(), others = echo()] = ['solutions/{*path}', '{*path}'].map((path) => catchAlls.get(path));
  test.each([
    { path: 'v1/things/7', status: 405, allow: 'POST, OPTIONS' },
    { path: 'V1/Things/7/', status: 405, allow: 'POST, OPTIONS' },
    { path: 'v1/other', status: 404, allow: undefined },
    { path: '', status: 404, allow: undefined },
  ])('$path is $status', async ({ path, status, allow }) => {
    const answer = await call({ route: others, params: { path }, method: 'DELETE' });
    expect(answer.status).toBe(status);
    expect(answer.headers['allow']).toBe(allow);
    expect(answer.json).toMatchObject({ code: status === 405 ? 'method_not_allowed' : 'not_found', details: null });
  });

  test.each(['GET', 'HEAD'])('%s of the address itself leads to the console', async (method) => {
    const answer = await call({ route: others, params: { path: '' }, method });
    expect(answer.status).toBe(302);
    expect(answer.headers['location']).toBe('/console/');
  });

  test('is 404 at the address itself where the console is off', async () => {
    const answer = await call({ route: others, params: { path: '' }, method: 'GET', hasConsole: false });
    expect(answer.json).toMatchObject({ code: 'not_found' });
  });

  test('below /solutions/ has the error shape of the jobs', async () => {
    const answer = await call({ route: solutions, params: { path: 'x:create' } });
    expect(answer.json).toMatchObject({ error: { code: 'NotFound' } });
  });
});
