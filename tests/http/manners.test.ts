import { describe, expect, test } from '@jest/globals';
import { HttpRequest } from '@azure/functions';
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { gunzipSync } from 'node:zlib';
import { TokenRefusal } from '../../shared/access/auth/verifyToken.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { route, type ServiceRoute } from '../../shared/wiring/declare.js';
import { unmatched } from '../../shared/http/unmatched.js';
import type { Services } from '../../shared/wiring/services.js';
import { ManualClock } from '../support/manualClock.js';

const text = Type.String();
const long = 'a long line of text that is sent again and again '.repeat(100);

const read = (changes: Partial<ServiceRoute> = {}): ServiceRoute => ({
  ...route({
    name: 'thingGet',
    method: 'GET',
    path: 'v1/things',
    caller: 'jwt',
    role: 'Jobs.Read',
    tag: 'Things',
    summary: 'Thing',
    errors: 'jobs',
    cache: 'private, no-cache',
    success: {
      status: 200,
      description: '',
      content: { 'text/plain': { schema: text }, 'text/csv': { schema: text } },
    },
    faults: [],
    handle: () => Promise.resolve({ status: 200, content: { type: 'text/plain', data: long } }),
  }),
  ...changes,
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, string>;
}

async function send(called: ServiceRoute, { method = 'GET', headers, params = {} }: Sent = {}) {
  const lines: string[] = [];
  const services = {
    clock: new ManualClock(),
    verifyToken: (header: string | null) =>
      header === 'Bearer ok'
        ? Promise.resolve({ tenant: 'tenant-a', roles: ['Jobs.Read'] as const })
        : Promise.reject(new TokenRefusal(header === null ? 'no header' : 'expired')),
    limitRate: () => Promise.resolve(),
    checkApiKey: () => Promise.resolve('contoso'),
    config: { CONSOLE: true },
  };
  const answer = await handleRequest(
    called,
    new HttpRequest({
      method,
      url: 'http://host/v1/things',
      headers: { authorization: 'Bearer ok', ...headers },
      params,
    }),
    { services: services as unknown as Services, write: (line) => void lines.push(line) },
  );
  return { ...answer, headers: answer.headers as Record<string, string>, lines };
}

describe('an answer', () => {
  test('is compressed when the caller takes that, and says so with its length', async () => {
    const { status, headers, body } = await send(read(), { headers: { 'accept-encoding': 'gzip' } });
    expect(status).toBe(200);
    expect(gunzipSync(body as Buffer).toString()).toBe(long);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/plain',
      'content-length': String((body as Buffer).byteLength),
      vary: 'Authorization, Accept, Accept-Encoding',
    });
  });

  test('that is an error is compressed too', async () => {
    const handle = () => Promise.reject(new ServiceError(commonFaults.badRequest, long));
    const { status, headers } = await send(read({ handle }), { headers: { 'accept-encoding': 'br' } });
    expect([status, headers['content-encoding'], headers['etag']]).toEqual([400, 'br', undefined]);
  });

  test('is as it is for a caller that asks for nothing', async () => {
    const { headers, body } = await send(read());
    expect(body).toBe(long);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers['content-length']).toBe(String(long.length));
  });

  test.each([
    ['nobody', read({ caller: 'nobody', success: { status: 200, description: '', content: {} } }), 'Accept-Encoding'],
    [
      'apiKey',
      read({ caller: 'apiKey', success: { status: 200, description: '', content: {} } }),
      'Api-Key, Accept-Encoding',
    ],
  ])('to %s hangs on what it is asked with', async (_caller, called, vary) => {
    const { role: _, ...anybodys } = called;
    expect((await send(anybodys)).headers['vary']).toBe(vary);
  });
});

describe('an answer that may be kept', () => {
  const tagOf = async (headers: Record<string, string> = {}): Promise<string> =>
    (await send(read(), { headers })).headers['etag'] ?? '';

  test('is 304 for the same content, with everything about it and nothing of it', async () => {
    const etag = await tagOf();
    const { status, headers, body } = await send(read(), { headers: { 'if-none-match': `"x", W/${etag}` } });
    expect([status, body]).toEqual([304, undefined]);
    expect(headers).toMatchObject({ etag, 'cache-control': 'private, no-cache', vary: expect.any(String) });
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['x-ms-request-id', 'traceparent']));
    expect(Object.keys(headers).filter((name) => name.startsWith('content-'))).toEqual([]);
  });

  test('is sent again when the caller has it in another encoding, or has other content', async () => {
    const etag = await tagOf();
    const [packed, other] = [{ 'if-none-match': etag, 'accept-encoding': 'gzip' }, { 'if-none-match': '"other"' }];
    expect((await send(read(), { headers: packed })).status).toBe(200);
    expect((await send(read(), { headers: other })).status).toBe(200);
    expect((await send(read(), { headers: { ...packed, 'if-none-match': await tagOf(packed) } })).status).toBe(304);
  });

  test('is refused like any other to a caller without a credential, whatever it says it has', async () => {
    for (const tag of ['*', await tagOf()]) {
      const { status, headers } = await send(read(), { headers: { authorization: 'Bearer x', 'if-none-match': tag } });
      expect([status, headers['cache-control'], headers['etag']]).toEqual([401, 'no-store', undefined]);
    }
  });

  test('is 404 when it is gone, even for whoever has anything', async () => {
    const handle = () => Promise.reject(new ServiceError(commonFaults.notFound, 'Gone.'));
    expect((await send(read({ handle }), { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });

  test('is logged as what was sent', async () => {
    const { lines } = await send(read(), { headers: { 'if-none-match': '*' } });
    expect(JSON.parse(lines[0]!)).toMatchObject({ status: 304 });
  });
});

describe('an answer that nobody may keep', () => {
  test('has no tag and is never 304', async () => {
    const { cache: _, ...called } = read();
    const { status, headers } = await send(called, { headers: { 'if-none-match': '*' } });
    expect([status, headers['etag'], headers['cache-control']]).toEqual([200, undefined, 'no-store']);
  });
});

describe('HEAD', () => {
  test.each([{}, { 'accept-encoding': 'gzip' }])('has the headers of GET with %j, and no content', async (headers) => {
    const get = await send(read(), { headers });
    const head = await send(read(), { method: 'HEAD', headers });
    const own = { 'x-ms-request-id': '', traceparent: '' };
    expect([head.status, head.body]).toEqual([200, undefined]);
    expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
  });

  test('of an error has no content either', async () => {
    const { status, body, headers } = await send(read(), { method: 'HEAD', headers: { authorization: 'Bearer x' } });
    expect([status, body]).toEqual([401, undefined]);
    expect(headers['x-ms-error-code']).toBe('Unauthorized');
  });
});

describe('OPTIONS', () => {
  const others =
    unmatched([read(), { ...read(), method: 'POST' }, { ...read(), method: 'POST', path: 'v1/other' }]).at(-1) ??
    read();
  test.each([
    { path: 'v1/things', allow: 'GET, HEAD, POST, OPTIONS' },
    { path: 'v1/other', allow: 'POST, OPTIONS' },
  ])('of $path is 204 with the methods $allow', async ({ path, allow }) => {
    const { status, body, headers } = await send(others, { method: 'OPTIONS', params: { path } });
    expect([status, body, headers['allow']]).toEqual([204, undefined, allow]);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('of a path that no operation has is 404', async () => {
    expect((await send(others, { method: 'OPTIONS', params: { path: 'x' } })).status).toBe(404);
  });

  test('of another method are what 405 names too', async () => {
    const { status, headers } = await send(others, { method: 'DELETE', params: { path: 'v1/things' } });
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});

describe("the caller's own request id", () => {
  const id = 'x-ms-client-request-id';
  // Lines of one operation are sampled.
  const fresh = () => read({ name: randomUUID() });

  test.each(['7f0f3b8e-31f2-4d63-9a52-7b7c1e5f0c11', '!~', 'a'.repeat(128)])(
    '%s is sent back and logged',
    async (sent) => {
      const { headers, lines } = await send(fresh(), { headers: { [id]: sent } });
      expect(headers[id]).toBe(sent);
      expect(JSON.parse(lines[0]!)).toMatchObject({ clientRequestId: sent });
    },
  );

  test.each(['', 'a b', 'a'.repeat(129), 'é', 'a\tb', '\u007f'])('%j is neither', async (sent) => {
    const { headers, lines } = await send(fresh(), { headers: { [id]: sent } });
    expect(headers).not.toHaveProperty([id]);
    expect(lines[0]).not.toContain('clientRequestId');
  });

  test('comes back with errors, too', async () => {
    const { headers } = await send(fresh(), { headers: { [id]: 'mine', authorization: 'Bearer x' } });
    expect(headers).toMatchObject({ [id]: 'mine', 'x-ms-error-code': 'Unauthorized' });
  });

  test('that looks like a credential reaches no log', async () => {
    const jwt = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`;
    expect((await send(fresh(), { headers: { [id]: jwt } })).lines[0]).not.toContain('aaaa');
  });
});

describe('the code of a fault', () => {
  test.each([
    { errors: 'jobs', code: 'NotFound' },
    { errors: 'jobsFetch', code: 'NotFound' },
    { errors: 'enrollments', code: 'not_found' },
  ] as const)('stands in a header as in the body of $errors', async ({ errors, code }) => {
    const handle = () => Promise.reject(new ServiceError(commonFaults.notFound, 'Gone.'));
    const { headers, body } = await send(read({ errors, handle }));
    expect(headers['x-ms-error-code']).toBe(code);
    expect(body).toContain(`"code":"${code}"`);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = read({
    isIdempotent: true,
    errors: 'enrollments',
    handle: ({ idempotencyKey }) => Promise.resolve({ status: 200, json: { idempotencyKey } }),
  });
  const sendKey = (key: string) => send(keyed, { headers: { 'Idempotency-Key': key } });

  test.each(['x', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '~'.repeat(255)])(
    '%s reaches the operation',
    async (key) => {
      expect((await sendKey(key)).body).toBe(JSON.stringify({ idempotencyKey: key }));
    },
  );

  test.each(['', ' ', 'a b', 'a'.repeat(256), 'é', 'a\tb'])('%j is refused with its place', async (key) => {
    const { status, body } = await sendKey(key);
    expect(status).toBe(422);
    expect(JSON.parse(body as string)).toMatchObject({
      details: [{ loc: ['header', 'Idempotency-Key'], type: 'idempotency_key' }],
    });
  });

  test('means nothing to an operation that takes none', async () => {
    const plain = read({ handle: ({ idempotencyKey }) => Promise.resolve({ status: 200, json: { idempotencyKey } }) });
    expect((await send(plain, { headers: { 'Idempotency-Key': 'a b' } })).body).toBe('{}');
  });
});
