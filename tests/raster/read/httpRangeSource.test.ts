import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../../shared/kit/clock.js';
import { httpRangeSource, type HttpRangeOptions } from '../../../shared/raster/read/httpRangeSource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { aCog } from '../samples.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const file = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));

/** The range of a request as a well-behaved server answers it. */
const range =
  (bytes: Buffer = file, headers: Record<string, string> = { etag: '"v1"' }): Answer =>
  (request, response) => {
    const [first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range!)!.slice(1).map(Number) as [number, number];
    const part = bytes.subarray(first, last + 1);
    const contentRange = `bytes ${first}-${first + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { ...headers, 'content-range': contentRange, 'content-length': part.length }).end(part);
  };
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(code, headers).end('no');
  };

let server: Server;
let url: string;
let requests: IncomingMessage[];
let answers: Answer[];
/** What the source slept between tries, in milliseconds. */
let pauses: number[];

beforeEach(async () => {
  [requests, answers, pauses] = [[], [], []];
  server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/red.tif`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const impatientClock: Clock = {
  ...systemClock,
  sleep: (milliseconds) => {
    pauses.push(milliseconds);
    return Promise.resolve();
  },
};
const source = (options: Partial<HttpRangeOptions> = {}, address = url) =>
  httpRangeSource(address, { clock: impatientClock, random: () => 1, ...options });

describe('a file read by HTTP ranges', () => {
  test('gives the bytes asked for and knows its size and version', async () => {
    answers = [range()];
    const found = source();
    expect([found.size, found.etag]).toEqual([undefined, undefined]);
    expect(Buffer.from(await found.read(100, 50))).toEqual(file.subarray(100, 150));
    expect([found.size, found.etag]).toEqual([1000, '"v1"']);
    expect(requests[0]!.headers.range).toBe('bytes=100-149');
  });

  test('gives fewer bytes at its end', async () => {
    answers = [range()];
    expect(await source().read(900, 32_768)).toHaveLength(100);
  });

  test('asks for the same version from the second request on', async () => {
    answers = [range()];
    const found = source();
    await found.read(0, 10);
    await found.read(10, 10);
    expect(requests.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"v1"']);
  });

  test('a weak version is compared but not sent, for If-Match would never match it', async () => {
    answers = [range(file, { etag: 'W/"v1"' })];
    const found = source();
    await found.read(0, 10);
    await found.read(10, 10);
    expect(requests[1]!.headers['if-match']).toBeUndefined();
  });

  test('can be read as a raster', async () => {
    const picture = aCog();
    answers = [range(Buffer.from(await encodeCog(picture)))];
    const raster = await openRaster(source());
    const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width: 40, height: 30 }]);
    expect(pixels).toEqual(picture.pixels);
  });
});

describe('a file that changes while it is read', () => {
  test.each([
    { why: 'the server says so', second: status(412) },
    { why: 'the version is another', second: range(file, { etag: '"v2"' }) },
    { why: 'the size is another', second: range(Buffer.concat([file, file])) },
    { why: 'the version is gone', second: range(file, {}) },
  ])('fails as changed: $why', async ({ second }) => {
    answers = [range(), second];
    const found = source();
    await found.read(0, 10);
    await expect(found.read(10, 10)).rejects.toMatchObject({ kind: 'changed', isTransient: true });
  });
});

describe('an outage', () => {
  test.each([500, 502, 503, 429, 408])('%d is tried again', async (code) => {
    answers = [status(code), range()];
    expect(await source().read(0, 10)).toHaveLength(10);
    expect(pauses).toEqual([250]);
  });

  test('a lost connection is tried again', async () => {
    answers = [(request) => request.socket.destroy(), range()];
    expect(await source().read(0, 10)).toHaveLength(10);
  });

  test('an answer that ends early is tried again', async () => {
    const cut: Answer = (_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/1000', 'content-length': 10, etag: '"v1"' });
      response.write('12345', () => response.destroy());
    };
    answers = [cut, range()];
    expect(Buffer.from(await source().read(0, 10))).toEqual(file.subarray(0, 10));
  });

  test('an answer without a length that ends early is tried again', async () => {
    const cut: Answer = (_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/1000', etag: '"v1"' }).end('12345');
    };
    answers = [cut, range()];
    expect(Buffer.from(await source().read(0, 10))).toEqual(file.subarray(0, 10));
  });

  test('ends after four tries, with longer and longer pauses', async () => {
    answers = [status(503)];
    await expect(source().read(0, 10)).rejects.toMatchObject({
      kind: 'unavailable',
      isTransient: true,
      message: 'the server answered 503',
    });
    expect(requests).toHaveLength(4);
    expect(pauses).toEqual([250, 1000, 4000]);
  });

  test('a server that asks for patience gets it, up to ten seconds', async () => {
    answers = [status(503, { 'retry-after': '3' }), range()];
    await source({ random: () => 0 }).read(0, 10);
    expect(pauses).toEqual([3000]);
    answers = [status(503, { 'retry-after': '60' })];
    await expect(source().read(0, 10)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(pauses).toEqual([3000]);
  });

  test('a server that never answers is given up', async () => {
    answers = [() => undefined];
    await expect(source({ timeoutMs: 1_000, attempts: 2 }).read(0, 10)).rejects.toThrow('the server took too long');
    expect(requests).toHaveLength(2);
  });

  test('a server that stops in the middle of its answer is given up', async () => {
    answers = [
      (_, response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9/100', 'content-length': '10' });
        response.write('half');
      },
    ];
    await expect(source({ timeoutMs: 1_000, attempts: 2 }).read(0, 10)).rejects.toThrow('the server took too long');
    expect(requests).toHaveLength(2);
  });

  test.each(['s3://bucket/red.tif', 'red.tif'])('%s is no address that can be read', async (address) => {
    await expect(source({}, address).read(0, 10)).rejects.toMatchObject({
      kind: 'unsupported',
      message: 'only http and https are read',
    });
  });

  test('nobody at the address', async () => {
    const closed = source({ attempts: 1 }, 'http://127.0.0.1:1/red.tif?sig=secret');
    await expect(closed.read(0, 10)).rejects.toMatchObject({ kind: 'unavailable', isTransient: true });
    await expect(closed.read(0, 10)).rejects.not.toThrow('secret');
    expect(closed.name).toBe('http://127.0.0.1:1/red.tif');
  });
});

describe('an answer that is no range', () => {
  test.each([
    {
      why: 'the server ignores ranges',
      answer: status(200),
      kind: 'unsupported',
      text: 'does not answer range requests',
    },
    {
      why: 'a redirect',
      answer: status(302, { location: 'http://127.0.0.1:1/' }),
      kind: 'unsupported',
      text: 'redirects are not followed',
    },
    { why: 'a file that is gone for good', answer: status(410), kind: 'unavailable', text: 'answered 410' },
    { why: 'beyond the end', answer: status(416), kind: 'corrupt', text: 'ends before' },
    { why: 'no Content-Range', answer: status(206), kind: 'unsupported', text: 'no Content-Range' },
    {
      why: 'another range',
      answer: status(206, { 'content-range': 'bytes 5-14/1000' }),
      kind: 'corrupt',
      text: '0-9 were asked for, 5-14 came',
    },
  ] as const)('$why fails at once as $kind', async ({ answer, kind, text }) => {
    answers = [answer];
    const reading = source().read(0, 10);
    await expect(reading).rejects.toMatchObject({ name: 'RasterError', kind, isTransient: false });
    await expect(reading).rejects.toThrow(text);
    expect(requests).toHaveLength(1);
  });

  test('more bytes than announced are not read to their end', async () => {
    let sent = 0;
    answers = [
      (_request, response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9/1000' });
        const pour = (): void => {
          sent += 65_536;
          if (!response.destroyed && sent < 100_000_000) response.write(Buffer.alloc(65_536), pour);
        };
        pour();
      },
    ];
    await expect(source().read(0, 10)).rejects.toMatchObject({
      kind: 'corrupt',
      message: 'the answer is longer than announced',
    });
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('a signed address', () => {
  test('is made for every request and never shown', async () => {
    answers = [range()];
    const found = source({
      addressFor: (plain) => Promise.resolve({ url: `${plain}?sig=secret`, headers: { 'x-client': 'us' } }),
    });
    await found.read(0, 10);
    expect(requests[0]).toMatchObject({ url: '/red.tif?sig=secret', headers: { 'x-client': 'us' } });
    expect(found.name).not.toContain('secret');
  });

  test.each([401, 403])('is renewed once when it is refused with %d', async (code) => {
    answers = [status(code), range()];
    const asked: boolean[] = [];
    const addressFor: HttpRangeOptions['addressFor'] = (plain, isRenewal) => {
      asked.push(isRenewal);
      return Promise.resolve({ url: plain });
    };
    expect(await source({ addressFor }).read(0, 10)).toHaveLength(10);
    expect(asked).toEqual([false, true]);
    answers = [status(code)];
    await expect(source({ addressFor }).read(0, 10)).rejects.toThrow(`access was refused (${code})`);
    expect(asked).toEqual([false, true, false, true]);
  });

  test.each([401, 403, 404])(
    'that is refused with %d without a signer is refused for now, and not asked again',
    async (code) => {
      answers = [status(code)];
      await expect(source().read(0, 10)).rejects.toMatchObject({ kind: 'refused', isTransient: true });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a read that is given up', () => {
  test('ends with the reason, during a request and during a pause', async () => {
    const given = new AbortController();
    answers = [
      () => {
        given.abort(new Error('no longer wanted'));
      },
    ];
    await expect(source().read(0, 10, given.signal)).rejects.toThrow('no longer wanted');
    await expect(source().read(0, 10, given.signal)).rejects.toThrow('no longer wanted');
    const paused = new AbortController();
    answers = [status(503)];
    const clock: Clock = {
      ...systemClock,
      sleep: () => {
        paused.abort(new Error('closing'));
        return Promise.resolve();
      },
    };
    await expect(source({ clock }).read(0, 10, paused.signal)).rejects.toThrow('closing');
  });
});
