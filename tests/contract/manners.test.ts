import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { functionTable } from '../../functions/functionTable.js';
import { credentialOf, sampleOf } from '../attacks/operations.js';
import { closeConnections, sendRaw, type RawRequest } from '../attacks/rawRequest.js';
import { submit } from './enrollmentCalls.js';
import { call, createGdd, expectDocumented, fetchGdd, newJobId, service, tokenOf, untilEnded } from './service.js';

afterAll(closeConnections);

const bearer = { authorization: `Bearer ${service.jwt}` };
let insight: string;
beforeAll(async () => {
  const jobId = newJobId();
  await createGdd(jobId);
  insight = `/v1/insights/${(await untilEnded(() => fetchGdd(jobId))).json.insightId as string}`;
});

const get = (path: string, headers: RawRequest['headers'] = {}) =>
  sendRaw({ method: 'GET', path, headers: { ...bearer, ...headers } });

describe('HEAD', () => {
  test.each(functionTable.routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route] as const))(
    'of /%s is answered as GET is, without content',
    async (_path, route) => {
      const { path } = sampleOf(route);
      const headers = { ...credentialOf(route), 'accept-encoding': 'gzip' };
      const [before, head, after] = [
        await sendRaw({ method: 'GET', path, headers }),
        await sendRaw({ method: 'HEAD', path, headers }),
        await sendRaw({ method: 'GET', path, headers }),
      ];
      expect([head.status, head.text]).toEqual([before.status, '']);
      expect(head.headers['content-type']).toBe(before.headers['content-type']);
      // A list that other tests make longer or shorter meanwhile is worth packing, or is no more.
      const encodings = [before, after].map((read) => read.headers['content-encoding']);
      expect(encodings).toContain(head.headers['content-encoding']);
    },
  );

  test('tells the length of what GET sends', async () => {
    const head = await sendRaw({ method: 'HEAD', path: '/openapi.json' });
    const read = await sendRaw({ method: 'GET', path: '/openapi.json' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(read.text)));
  });

  test('with a body is answered all the same, and so is the next request on its connection', async () => {
    for (const method of ['HEAD', 'GET', 'HEAD']) {
      const reply = await sendRaw({
        method,
        path: '/health',
        headers: { 'content-type': 'text/plain' },
        body: 'x'.repeat(9_000),
      });
      expect(reply.status).toBe(200);
    }
  });

  test('without a credential is refused, and of what only takes POST too', async () => {
    const refused = await sendRaw({ method: 'HEAD', path: insight });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const { status, headers } = await sendRaw({ method: 'HEAD', path: '/solutions/partnerAgPowered.gdd:create' });
    expect([status, headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('OPTIONS', () => {
  test.each([
    ['/v1/enrollments', 'POST, GET, HEAD, OPTIONS'],
    ['/v1/auth/sas-token', 'GET, HEAD, OPTIONS'],
    ['/solutions/partnerAgPowered.gdd:create', 'POST, OPTIONS'],
    ['/health', 'GET, HEAD, OPTIONS'],
  ])('of %s is 204 with %s, and says nothing to pages of other sites', async (path, allow) => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const reply = await sendRaw({ method: 'OPTIONS', path, headers });
    expect([reply.status, reply.headers['allow'], reply.text]).toEqual([204, allow, '']);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('an insight', () => {
  test.each(['br', 'gzip'])('comes as %s to those who take that, the same content', async (encoding) => {
    for (const accept of ['application/json', 'text/csv', 'image/svg+xml']) {
      const plain = await get(insight, { accept });
      const packed = await get(insight, { accept, 'accept-encoding': encoding });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.text).toBe(plain.text);
      expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length);
    }
  });

  test('has a tag of its own in each representation and encoding, by which it is not sent twice', async () => {
    const tags: unknown[] = [];
    for (const accept of ['application/json', 'text/csv', 'image/svg+xml']) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const headers = { accept, 'accept-encoding': encoding };
        const { headers: first } = await get(insight, headers);
        expect(first).toMatchObject({
          'cache-control': 'private, no-cache',
          vary: 'Authorization, Accept, Accept-Encoding',
        });
        const again = await get(insight, { ...headers, 'if-none-match': `"x", W/${String(first['etag'])}` });
        expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', first['etag']]);
        tags.push(first['etag']);
      }
    }
    expect(new Set(tags).size).toBe(9);
  });

  test.each(['*', ''])('is not told to others by If-None-Match %j', async (given) => {
    const etag = given === '' ? String((await get(insight)).headers['etag']) : given;
    const ask = (headers: Record<string, string>) =>
      sendRaw({ method: 'GET', path: insight, headers: { ...headers, 'if-none-match': etag } });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${tokenOf('demo', '--roles', 'none')}` })).status).toBe(403);
    expect((await ask({ authorization: `Bearer ${tokenOf('unlicensed')}` })).status).toBe(404);
    expect((await ask(bearer)).status).toBe(304);
  });

  test('unchanged is an answer that the document has', async () => {
    const reply = await get(insight, { 'if-none-match': '*' });
    await expectDocumented('GET', insight, { ...reply, headers: new Headers(), json: undefined });
  });
});

describe('what may be kept', () => {
  test.each([
    ['/openapi.json', 'public, no-cache'],
    ['/docs', 'public, no-cache'],
    ['/docs/start.js', 'public, max-age=3600'],
  ])('%s is %s, with a tag', async (path, cache) => {
    const { headers } = await sendRaw({ method: 'GET', path });
    expect(headers['cache-control']).toBe(cache);
    const again = await sendRaw({ method: 'GET', path, headers: { 'if-none-match': String(headers['etag']) } });
    expect(again.status).toBe(304);
  });

  test('is neither a storage token nor an enrollment nor an error', async () => {
    for (const path of ['/v1/auth/sas-token', '/v1/enrollments', '/v1/insights/x']) {
      const reply = await sendRaw({
        method: 'GET',
        path,
        headers: { ...bearer, 'api-key': service.apiKey, 'if-none-match': '*' },
      });
      expect([path, reply.headers['cache-control'], reply.headers['etag']]).toEqual([path, 'no-store', undefined]);
      expect(reply.status).not.toBe(304);
    }
  });
});

describe('an error', () => {
  test.each([
    ['/v1/insights/x', 'NotFound'],
    ['/v1/other', 'not_found'],
    ['/solutions/x', 'NotFound'],
    ['/v1/enrollments', 'unauthorized'],
  ])('of %s has its code %s in a header', async (path, code) => {
    const reply = await call(path, { documented: false });
    expect(reply.headers.get('x-ms-error-code')).toBe(code);
    expect(reply.text).toContain(`"code":"${code}"`);
  });

  test('with a long list of faults is compressed', async () => {
    const { status, headers, json } = await submit(Array.from({ length: 200 }, () => ({ type: 'Feature' })));
    expect([status, headers.get('content-encoding')]).toEqual([422, 'gzip']);
    expect(json.details).toHaveLength(100);
  });
});

describe('x-ms-client-request-id', () => {
  const send = (id: string | readonly string[]) =>
    sendRaw({ method: 'GET', path: '/health', headers: { 'x-ms-client-request-id': id } });

  test('comes back as it was sent', async () => {
    const id = randomUUID();
    expect((await send(id)).headers['x-ms-client-request-id']).toBe(id);
  });

  test.each([['two words'], ['a'.repeat(129)], ['\u00e9'], ['a\tb']])('%j does not', async (id) => {
    const { status, headers } = await send(id);
    expect([status, headers['x-ms-client-request-id']]).toEqual([200, undefined]);
  });

  test('puts no header of its own into the answer', async () => {
    for (const id of ['a%0d%0ax-injected:%201', 'a\\r\\nx-injected:1', 'a,b']) {
      const { headers } = await send(id);
      expect(headers).not.toHaveProperty('x-injected');
      expect(headers['x-ms-client-request-id']).toBe(id.includes(' ') ? undefined : id);
    }
  });
});
