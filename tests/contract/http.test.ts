import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { functionTable } from '../../functions/functionTable.js';
import {
  call,
  createGdd,
  fetchGdd,
  gddParameters,
  newJobId,
  openApi,
  service,
  tokenOf,
  untilEnded,
} from './service.js';

const CREATE = '/solutions/partnerAgPowered.gdd:create';

describe('who may call', () => {
  test.each<[string, string | null, string]>([
    ['nobody without a token', null, 'Bearer'],
    ['nobody with a token that is none', 'x', 'Bearer error="invalid_token"'],
    ['no tenant that is not registered', tokenOf('stranger'), 'Bearer error="invalid_token"'],
  ])('%s: 401', async (_what, token, challenge) => {
    const { status, headers, json } = await createGdd(newJobId(), gddParameters(), { token });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(challenge);
    expect(json.error.code).toBe('Unauthorized');
  });

  test('a token in the query or a client-made header set does not count', async () => {
    const body = { requestPath: `/v1/gdd/${newJobId()}`, partnerRequestBody: gddParameters() };
    const inQuery = await call(`${CREATE}?access_token=${service.jwt}`, { method: 'POST', token: null, body });
    expect(inQuery.status).toBe(401);
    const headers = encodeURIComponent(
      JSON.stringify({ authorization: `Bearer ${service.jwt}`, 'content-type': 'application/json' }),
    );
    for (const key of ['Headers', 'headers', 'HEADERS']) {
      const replaced = await call(`${CREATE}?${key}=${headers}`, { method: 'POST', token: null, body });
      expect(replaced.status).toBe(400);
    }
    const inBody = await call(CREATE, {
      method: 'POST',
      token: null,
      body: { ...body, Headers: { authorization: `Bearer ${service.jwt}` } },
    });
    // The host has taken these for the headers: a token of the caller's own, but no content type.
    expect(inBody.status).toBe(415);
  });
});

describe('a request that cannot be read', () => {
  test.each<[string, Record<string, string>, string, number, string]>([
    ['text', { 'content-type': 'text/plain' }, '{}', 415, 'UnsupportedMediaType'],
    ['compressed', { 'content-encoding': 'gzip' }, '{}', 415, 'UnsupportedMediaType'],
    ['over 64 KB', {}, JSON.stringify({ x: 'a'.repeat(70_000) }), 413, 'PayloadTooLarge'],
  ])('%s is refused', async (_what, headers, body, status, code) => {
    const reply = await call(CREATE, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(reply.status).toBe(status);
    expect(reply.json.error.code).toBe(code);
  });
});

describe('a path or method that no operation has', () => {
  test.each([
    ['GET', CREATE, 405, 'MethodNotAllowed', 'POST, OPTIONS'],
    ['DELETE', CREATE, 405, 'MethodNotAllowed', 'POST, OPTIONS'],
    ['POST', '/solutions/partnerAgPowered.gdd:explode', 404, 'NotFound', null],
  ])('%s %s is %i in the shape of the jobs', async (method, path, status, code, allow) => {
    const reply = await call(path, { method, documented: false });
    expect(reply.status).toBe(status);
    expect(reply.json.error.code).toBe(code);
    expect(reply.headers.get('allow')).toBe(allow);
  });

  test.each([
    ['POST', '/', 404, 'not_found'],
    ['GET', '/v1/other', 404, 'not_found'],
    ['PUT', '/health', 405, 'method_not_allowed'],
  ])('%s %s is %i in the shape of area C', async (method, path, status, code) => {
    const reply = await call(path, { method, documented: false });
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject({ code, details: null });
    expect(reply.json.trace_id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('the service itself', () => {
  test('lives and says what it is', async () => {
    const { status, json } = await call('/health', { token: null });
    expect(status).toBe(200);
    expect(json.version).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
  });

  test('is ready, every dependency named', async () => {
    const { status, json } = await call('/ready', { token: null });
    expect(status).toBe(200);
    expect(json.ready).toBe(true);
    expect(Object.keys(json.dependencies)).toEqual(
      expect.arrayContaining([
        'tables',
        'apiKeys',
        'queues',
        'blobs',
        'imagery',
        'delegationKey',
        'tokenIssuer',
        'tenants',
      ]),
    );
  });

  test('documents every route it serves, and serves every route it documents', async () => {
    const served = functionTable.routes.map(({ path }) => `/${path}`);
    expect([...new Set(served)].sort()).toEqual(Object.keys((await openApi()).paths).sort());
  });

  test('has a documentation page that loads from the service alone', async () => {
    const page = await call('/docs', { token: null });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    const files = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map((match) => match[1]);
    expect(files).toHaveLength(3);
    for (const file of files) expect((await call(`/${file!}`, { token: null })).status).toBe(200);
    expect((await call('/docs/package.json', { token: null })).status).toBe(404);
  });
});

describe('an insight', () => {
  const insightOfAJob = async (): Promise<string> => {
    const jobId = newJobId();
    await createGdd(jobId);
    return (await untilEnded(() => fetchGdd(jobId))).json.insightId as string;
  };

  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/html, */*;q=0.1', 'application/json; charset=utf-8'],
  ])('asked for as %s comes as %s', async (accept, type) => {
    const { status, headers, text } = await call(`/v1/insights/${await insightOfAJob()}`, { headers: { accept } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain(type.split(';')[0]);
    expect(text.length).toBeGreaterThan(100);
  });

  test('has no other form: 406 names those it has', async () => {
    const { status, json } = await call(`/v1/insights/${await insightOfAJob()}`, { headers: { accept: 'image/png' } });
    expect(status).toBe(406);
    expect(json.error.message).toMatch(/application\/json.*text\/csv.*image\/svg\+xml/);
  });

  test.each(['00000000-0000-5000-8000-000000000000', 'x', '..%2F..%2Fx', 'a'.repeat(2000)])('%s is 404', async (id) => {
    expect((await call(`/v1/insights/${id}`)).status).toBe(404);
  });
});
