import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { bundled } from '../bundled.js';
import { type HostUnderTest, startHost } from './hostUnderTest.js';

/** What the functions of the fixture app say they saw. */
interface Seen {
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly functionName: string;
  readonly traceParent: string;
  readonly body: string;
}

let program: string;
let host: HostUnderTest;
beforeAll(async () => {
  program = await bundled('hostProcess');
  host = await startHost(program, 'streaming');
});
afterAll(() => host.stop());

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${host.url}${path}`, init);
const seen = async (path: string, init?: RequestInit): Promise<Seen> => (await (await get(path, init)).json()) as Seen;

/** Sends exact bytes and gives the whole answer, for requests that fetch would put right. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
const rawGet = (target: string, ...headers: readonly string[]): Promise<string> =>
  raw([`GET ${target} HTTP/1.1`, 'Host: a.example', 'Connection: close', ...headers, '', ''].join('\r\n'));

describe('an app in streaming mode', () => {
  test('answers what its function answers, with lower-case header names', async () => {
    const response = await get('/solutions/partner.gdd:create', { method: 'POST', body: 'x' });
    expect(response.status).toBe(202);
    expect(response.headers.get('server')).toBe('Kestrel');
    expect(await rawGet('/cookies')).toContain('x-mixed-case: yes');
  });

  test('is reached by an encoded colon, in any case, with a slash at the end', async () => {
    const { functionName } = await seen('/SOLUTIONS/partner.GDD%3Acreate/', { method: 'POST', body: 'x' });
    expect(functionName).toBe('actionCreate');
  });

  test.each([
    { why: 'an unknown route', path: '/nowhere', method: 'GET' },
    { why: 'a wrong method', path: '/solutions/partner.gdd:create', method: 'GET' },
    { why: 'a failed constraint', path: '/held/soon', method: 'GET' },
    { why: 'a doubled slash', path: '//items/1', method: 'GET' },
  ])('$why is a 404 without a body, before any code of the app', async ({ path, method }) => {
    const response = await get(path, { method });
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 404, body: '' });
  });

  test('sees the path decoded once, an encoded slash as it came in params and encoded again in the url', async () => {
    const { params, url } = await seen('/items/S%201%2Fx');
    expect(params['itemId']).toBe('S 1%2Fx');
    expect(new URL(url).pathname).toBe('/items/S%201%252Fx');
    expect((await seen('/items/a%252Fb')).params['itemId']).toBe('a%2Fb');
  });

  test('sees every value of a repeated query key, and one joined parameter', async () => {
    const { query, params } = await seen('/items/1?a=1&a=2');
    expect({ query, joined: params['a'] }).toEqual({
      query: [
        ['a', '1'],
        ['a', '2'],
      ],
      joined: '1,2',
    });
  });

  test('sees repeated headers joined by a comma', async () => {
    expect(await rawGet('/items/1', 'X-Twice: 1', 'X-Twice: 2')).toContain('"x-twice":"1,2"');
  });

  test("follows the Host header in the url, not a proxy's", async () => {
    expect(await rawGet('/items/1', 'X-Forwarded-Host: b.example', 'X-Forwarded-Proto: https')).toContain(
      '"url":"http://a.example/items/1"',
    );
  });

  test.each([
    { why: 'a query key', path: '/items/1?Headers={"authorization":"forged"}', init: {} },
    {
      why: 'a body property, whatever the content type',
      path: '/items/1',
      init: {
        method: 'POST',
        body: '{"Headers":{"authorization":"forged"}}',
        headers: { 'content-type': 'text/plain' },
      },
    },
  ])('a caller replaces all headers by $why', async ({ path, init }) => {
    const { headers } = await seen(path, init);
    expect(headers).toEqual({ authorization: 'forged' });
  });

  test('a caller empties the headers by the same name in lower case', async () => {
    expect((await seen('/items/1?headers=x', { headers: { authorization: 'real' } })).headers).toEqual({});
  });

  test('a chunked body can not replace the headers: the host does not look into it', async () => {
    const body = new Blob(['{"Headers":{"authorization":"forged"}}']).stream();
    const init = { method: 'POST', body, duplex: 'half', headers: { authorization: 'real' } } as RequestInit;
    expect((await seen('/items/1', init)).headers).toMatchObject({ authorization: 'real' });
  });

  test('body properties become parameters, but a route value wins, spelt as the caller spelt it', async () => {
    const { params } = await seen('/items/7?ITEMID=z', { method: 'POST', body: '{"extra":true,"itemId":"y"}' });
    expect(params).toEqual({ itemId: '7', extra: 'True' });
    expect((await seen('/items/7?ITEMID=z')).params).toEqual({ ITEMID: '7' });
  });

  test("goes on with the caller's trace", async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { traceParent } = await seen('/items/1', { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
    expect(traceParent).toMatch(new RegExp(`^00-${trace}-`));
  });

  test('runs its hooks around the function: they may replace inputs, function, result and error', async () => {
    const text = async (path: string): Promise<string> => (await get(path)).text();
    expect(await text('/hooked')).toBe('replaced for /hooked, before and after');
    expect(await text('/healed')).toBe('healed of planned failure');
  });

  test('can not register a function after the start', async () => {
    expect(await (await get('/late')).text()).toBe(
      'The function "tooLate" can\'t be registered after the app has started.',
    );
  });

  test('drops the body of a 204', async () => {
    const response = await get('/empty');
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 204, body: '' });
  });

  test('keeps only the last of two set-cookie headers', async () => {
    expect((await get('/cookies')).headers.getSetCookie()).toEqual(['second=2']);
  });

  test('answers HEAD with the headers alone', async () => {
    const response = await get('/items/1', { method: 'HEAD' });
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: '' });
  });

  test.each([
    { path: '/throws', why: 'throws' },
    { path: '/nothing', why: 'returns nothing' },
    { path: '/text', why: 'returns a bare string' },
  ])(
    'that $why leaves the caller with an empty 500, and the log says that Azure would let it hang',
    async ({ path }) => {
      const response = await get(path);
      expect({ status: response.status, body: await response.text() }).toEqual({ status: 500, body: '' });
      await host.saw(`${path.slice(1)} gave no answer, so the caller gets 500. On Azure the caller would wait 240 s`);
    },
  );
});

describe('bodies in streaming mode', () => {
  const large = Buffer.alloc(3_000_000, 1);

  test('with a length come whole, in pieces', async () => {
    const response = await get('/bytes', { method: 'POST', body: large });
    const { bytes, chunks } = (await response.json()) as { bytes: number; chunks: number };
    expect(bytes).toBe(large.length);
    expect(chunks).toBeGreaterThan(1);
  });

  test('that are chunked arrive as they are sent', async () => {
    const sending = send(`${host.url}/bytes`, { method: 'POST' });
    const answered = once(sending, 'response');
    for (let part = 1; part <= 3; part += 1) {
      sending.write(large.subarray(0, 1001));
      await host.saw(`${part * 1001} bytes so far`);
    }
    sending.end();
    const [response] = (await answered) as [NodeJS.ReadableStream];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(JSON.parse(text)).toEqual({ bytes: 3003, chunks: 3 });
  });

  test('of an answer come out chunk by chunk', async () => {
    const reader = (await get('/chunks')).body!.getReader();
    const texts: string[] = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      texts.push(Buffer.from(part.value as Uint8Array).toString());
      await get('/next');
    }
    expect(texts).toEqual(['one ', 'two']);
  });
});

describe('a body that its function does not read to the end', () => {
  const refused = async (path: string, bytes = 300_000): Promise<number> => {
    const body = new Blob([Buffer.alloc(bytes)]).stream();
    return (await get(path, { method: 'POST', body, duplex: 'half' })).status;
  };
  const upload = async (): Promise<number> => (await get('/bytes', { method: 'POST', body: 'x' })).status;

  test('lets the next caller wait until the worker ends the connection that holds the rest', async () => {
    expect(await refused('/early')).toBe(413);
    expect((await get('/items/waits')).status).toBe(200);
    await host.saw('The worker ended the connection of GET /items/waits before it had answered. It is sent again.');
  });

  test('costs the next caller its request when that has a body, which can not be sent again', async () => {
    expect(await refused('/early')).toBe(413);
    expect([await upload(), await upload()]).toEqual([500, 200]);
  });

  test('is an empty 500 when the rest does not fit between host and worker', async () => {
    expect(await refused('/early', 20_000_000)).toBe(500);
  });

  test('harms nobody when the rest is read, after the answer too', async () => {
    for (const bytes of [300_000, 20_000_000]) {
      expect([await refused('/drained', bytes), await upload()]).toEqual([413, 200]);
    }
  });
});

describe('an answer that breaks off', () => {
  test('leaves the caller with 200, a part of the body and a reset connection', async () => {
    const response = await get('/breaks');
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe('part');
    await get('/next');
    await expect(reader.read()).rejects.toThrow();
    await host.saw('breaks broke off its answer. On Azure');
  });
});

describe('limits of the web server', () => {
  test('a zero byte in the path is 400', async () => {
    expect((await get('/a%00b')).status).toBe(400);
  });

  test('a request line above 8 KB is 414', async () => {
    expect(await rawGet(`/items/${'x'.repeat(8200)}`)).toMatch(/^HTTP\/1.1 414 /);
  });

  test('headers above 32 KB are 431', async () => {
    expect(await rawGet('/items/1', `X-Long: ${'x'.repeat(33_000)}`)).toMatch(/^HTTP\/1.1 431 /);
  });

  test('TRACE reaches no function', async () => {
    expect(await raw('TRACE /items/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe('a body above the limit', () => {
  let small: HostUnderTest;
  beforeAll(async () => {
    small = await startHost(program, 'streaming', { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '1000', CATCH_ALL: '1' });
  });
  afterAll(() => small.stop());

  test('is an empty 500, not a 413', async () => {
    const response = await fetch(`${small.url}/bytes`, { method: 'POST', body: 'x'.repeat(1001) });
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 500, body: '' });
  });

  test('is an empty 500 when it is chunked', async () => {
    const body = new Blob(['x'.repeat(1001)]).stream();
    const response = await fetch(`${small.url}/bytes`, { method: 'POST', body, duplex: 'half' });
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 500, body: '' });
  });

  test.each(['GET', 'DELETE', 'OPTIONS'])(
    'a catch-all function answers %s of unknown routes and the root',
    async (method) => {
      const of = async (path: string): Promise<unknown> => (await fetch(`${small.url}${path}`, { method })).json();
      expect([await of('/nowhere/at/all'), await of('/')]).toEqual([{ path: 'nowhere/at/all' }, { path: null }]);
    },
  );
});
