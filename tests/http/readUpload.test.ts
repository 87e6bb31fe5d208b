import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readUpload } from '../../shared/http/readUpload.js';
import { UploadSlots } from '../../shared/access/rates/uploadSlots.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { BOUNDARY, multipartBody, multipartType, submissionParts, type WirePart } from '../support/multipart.js';
import { tries } from '../support/fullRun.js';

const MIB = 1024 * 1024;
const rules = {
  request: { contentTypes: ['application/json'], maxBytes: 1000 },
  geojson: { contentTypes: ['application/geo+json', 'application/json'], maxBytes: 8 * MIB },
};

let clock: ManualClock;
let slots: UploadSlots;
beforeEach(() => {
  clock = new ManualClock();
  slots = new UploadSlots(2);
});

async function* chunks(body: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunkBytes?: number;
}

const read = (body: AsyncIterable<Uint8Array> | Uint8Array, { headers = {}, chunkBytes = 64 * 1024 }: Sent = {}) => {
  const all: Record<string, string> = { 'content-type': multipartType(), ...headers };
  const stream = body instanceof Uint8Array ? chunks(body, chunkBytes) : body;
  return readUpload({ headers: { get: (name) => all[name] ?? null }, body: stream }, rules, { clock, slots });
};
const textsOf = async (body: Uint8Array, sent: Sent = {}): Promise<Record<string, string>> => {
  const { parts } = await read(body, sent);
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
};
const [request, geojson] = submissionParts('{"a":"ä"}', '{"b":"🌾"}') as [WirePart, WirePart];
const asType =
  (type: string | undefined) =>
  (part: WirePart): WirePart => ({ ...part, type });
const withoutFilename = (part: WirePart): WirePart => ({ ...part, filename: undefined });
const expected = { request: '{"a":"ä"}', geojson: '{"b":"🌾"}' };

describe('an upload is read', () => {
  test.each<[string, WirePart[]]>([
    ['as curl sends it', [request, geojson]],
    ['in the other order', [geojson, request]],
    [
      'without file names',
      [
        { ...request, filename: undefined },
        { ...geojson, filename: undefined },
      ],
    ],
    [
      'without file names and with a charset',
      [
        { ...request, filename: undefined, type: 'application/json; charset=utf-8' },
        { ...geojson, filename: undefined, type: 'application/geo+json; charset=UTF-8' },
      ],
    ],
    ['as octets', [request, geojson].map(asType('application/octet-stream'))],
    ['as text', [request, geojson].map(asType('text/plain'))],
    ['as text of a charset', [request, geojson].map(asType('text/plain; charset=utf-8'))],
    ['without types, as files', [request, geojson].map(asType(undefined))],
    ['without types and file names', [request, geojson].map(asType(undefined)).map(withoutFilename)],
    ['as text without file names', [request, geojson].map(asType('text/plain')).map(withoutFilename)],
    ['with content types in capitals', [{ ...request, type: 'Application/JSON' }, geojson]],
    ['with headers of its own in a part', [{ ...request, headers: ['X-Note: 1', 'Content-ID: <a>'] }, geojson]],
  ])('%s', async (_what, parts) => {
    await expect(textsOf(multipartBody(parts))).resolves.toEqual(expected);
  });

  const hungarian = { name: 'request', type: 'application/json; charset=iso-8859-2', data: '' };
  const utf16 = Buffer.from('{"a":"ä"}', 'utf16le');
  test.each([
    { charset: 'iso-8859-2', data: Buffer.from('{"a":"\xb9"}', 'latin1'), text: '{"a":"š"}' },
    { charset: 'windows-1251', data: Buffer.from('{"a":"\xcf"}', 'latin1'), text: '{"a":"П"}' },
    { charset: 'GBK', data: Buffer.from('{"a":"\xcc\xef"}', 'latin1'), text: '{"a":"田"}' },
    { charset: 'latin1', data: Buffer.from('{"a":"\xe4"}', 'latin1'), text: '{"a":"ä"}' },
    { charset: 'us-ascii', data: Buffer.from('{"a":1}'), text: '{"a":1}' },
    { charset: 'utf8', data: Buffer.from('{"a":"ä"}'), text: '{"a":"ä"}' },
    { charset: 'utf-16le', data: utf16, text: '{"a":"ä"}' },
    { charset: 'utf-16', data: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), text: '{"a":"ä"}' },
    // As Java writes it.
    { charset: 'UTF-16', data: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]).swap16(), text: '{"a":"ä"}' },
  ])('in the charset $charset that a part names, with a file name and without', async ({ charset, data, text }) => {
    for (const filename of [undefined, 'f']) {
      const type = `application/json; charset="${charset}"`;
      const parts = [
        { ...hungarian, type, filename, data },
        { ...geojson, type, filename, data },
      ];
      await expect(textsOf(multipartBody(parts))).resolves.toEqual({ request: text, geojson: text });
    }
  });

  test.each(['7bit', '8BIT', 'Binary ', ''])('with the Content-Transfer-Encoding "%s"', async (encoding) => {
    const headers = [`Content-Transfer-Encoding: ${encoding}`];
    const parts = [
      { ...request, headers },
      { ...geojson, headers, filename: undefined },
    ];
    await expect(textsOf(multipartBody(parts))).resolves.toEqual(expected);
  });

  test.each([
    ['a header that goes on in the next line', { ...request, type: 'application/json;\r\n charset=utf-8' }, {}],
    [
      'a file name of a charset that nobody knows',
      { ...request, headers: [], filename: "f\"; filename*=klingon''%zz" },
      {},
    ],
    ['a boundary in quotes', request, { headers: { 'content-type': `multipart/form-data; boundary="${BOUNDARY}"` } }],
  ])('with %s', async (_what, part, sent) => {
    await expect(textsOf(multipartBody([part, geojson]), sent)).resolves.toEqual(expected);
  });

  test('in pieces when it comes as one, so that other requests have their turn', async () => {
    const pieces = 7;
    const large = { ...geojson, data: new Uint8Array(pieces * MIB).fill(32) };
    let turns = 0;
    let isRead = false;
    const takeTurns = (): void => {
      turns += 1;
      if (!isRead) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    await read(multipartBody([request, large]), { chunkBytes: 8 * MIB });
    isRead = true;
    expect(turns).toBeGreaterThanOrEqual(pieces);
  });

  test.each([17_000, 40_000, 90_000, 1_200_000])(
    'whose last part has %i bytes, whether its end comes with it or behind it',
    async (bytes) => {
      const content = JSON.stringify({ text: 'x'.repeat(bytes) });
      const body = multipartBody([request, { ...geojson, data: content }]);
      for (const chunkBytes of [1_000, 16 * 1024, 64 * 1024, body.length]) {
        expect((await textsOf(body, { chunkBytes }))['geojson'] === content).toBe(true);
      }
    },
    20_000,
  );

  test('whatever pieces it comes in', async () => {
    const body = multipartBody([request, { ...geojson, filename: undefined }]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: body.length }), async (chunkBytes) => {
        await expect(textsOf(body, { chunkBytes })).resolves.toEqual(expected);
      }),
      { numRuns: tries(40) },
    );
  });

  test('byte for byte, whatever the bytes, with a file name and without', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), fc.boolean(), fc.boolean(), async (data, isFile, isNamed) => {
        const filename = isFile ? 'f' : undefined;
        const type = isNamed ? 'application/json; charset=utf-8' : 'application/json';
        const { parts } = await read(multipartBody([request, { ...geojson, filename, type, data }]));
        expect(Buffer.from(parts['geojson']!)).toEqual(Buffer.from(data));
      }),
      { numRuns: tries(200) },
    );
  });

  test('up to the very last byte that a part may have', async () => {
    const data = `{"x":"${'x'.repeat(992)}"}`;
    await expect(textsOf(multipartBody([{ ...request, data }, geojson]))).resolves.toMatchObject({ request: data });
    const full = new Uint8Array(8 * MIB).fill(32);
    const { parts, release } = await read(multipartBody([request, { ...geojson, data: full }]));
    expect(parts['geojson']).toHaveLength(8 * MIB);
    release();
  });
});

describe('an upload is refused with 422', () => {
  test.each([
    { why: 'more parts than anybody sends', body: multipartBody(Array.from({ length: 101 }, () => request)) },
    {
      why: 'more headers in a part than anybody sends',
      body: multipartBody([request, { ...geojson, headers: Array.from({ length: 30 }, (_, at) => `X-${at}: 1`) }]),
    },
  ])('for $why', async ({ body }) => {
    await expect(read(body)).rejects.toMatchObject({
      fault: { status: 422 },
      message: expect.stringContaining('multipart'),
    });
  });

  test('of a hundred thousand parts after the first few', async () => {
    const body = Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n`.repeat(100_000));
    await expect(read(body, { chunkBytes: body.length })).rejects.toMatchObject({ fault: { status: 422 } });
  });

  test.each<[string, WirePart[], string, string]>([
    ['without geojson', [request], 'geojson', 'required'],
    ['without request', [geojson], 'request', 'required'],
    ['with request twice', [request, request, geojson], 'request', 'repeated_part'],
    [
      'with geojson twice, once without a file name',
      [request, geojson, { ...geojson, filename: undefined }],
      'geojson',
      'repeated_part',
    ],
    ['with a third part', [request, geojson, { name: 'extra', data: 'x' }], 'extra', 'unknown_part'],
    ['with a name of the prototype', [request, geojson, { name: '__proto__', data: 'x' }], '__proto__', 'unknown_part'],
    ['with a name in capitals', [request, geojson, { ...geojson, name: 'GeoJSON' }], 'GeoJSON', 'unknown_part'],
    ['with a part of no name', [request, geojson, { filename: 'x', data: 'x' }], '', 'unknown_part'],
    ['with request as GeoJSON', [asType('application/geo+json')(request), geojson], 'request', 'content_type'],
    [
      'with request as a web form',
      [asType('application/x-www-form-urlencoded')(request), geojson],
      'request',
      'content_type',
    ],
    ['with geojson as XML', [request, { ...geojson, type: 'application/xml' }], 'geojson', 'content_type'],
  ])('%s', async (_what, parts, name, type) => {
    await expect(read(multipartBody(parts))).rejects.toMatchObject({
      fault: { status: 422 },
      details: expect.arrayContaining([expect.objectContaining({ loc: [name], type })]),
    });
  });

  test('whose part has a type that nobody wants: the message says which type came', async () => {
    const parts = [request, asType('application/xml')(geojson)];
    await expect(read(multipartBody(parts))).rejects.toThrow(
      'The part geojson came as application/xml; send it as application/geo+json or application/json',
    );
  });

  test.each([
    { what: 'a charset that nobody knows', type: 'application/json; charset=klingon', said: 'charset klingon' },
    { what: 'a charset without a name', type: 'application/json; charset=""', said: 'charset ""' },
    { what: 'what is not in its charset', type: 'application/json; charset=utf-16le', said: 'charset utf-16le' },
  ])('for a part with $what, which the message names', async ({ type, said }) => {
    for (const filename of [undefined, 'f']) {
      const parts = [request, { ...geojson, type, filename, data: Buffer.from('{"a":"b"}') }];
      await expect(read(multipartBody(parts))).rejects.toMatchObject({
        fault: { status: 422 },
        details: [{ loc: ['geojson'], msg: expect.stringContaining(said) as unknown, type: 'charset' }],
      });
    }
  });

  test.each(['base64', 'Quoted-Printable', 'x-gzip'])(
    'for a part with the Content-Transfer-Encoding %s, which the message names',
    async (encoding) => {
      for (const filename of [undefined, 'f']) {
        const part = { ...geojson, filename, headers: [`content-transfer-encoding: ${encoding}`] };
        await expect(read(multipartBody([request, part]))).rejects.toMatchObject({
          fault: { status: 422 },
          details: [
            {
              loc: ['geojson'],
              msg: expect.stringContaining(`Content-Transfer-Encoding ${encoding.toLowerCase()}`) as unknown,
              type: 'transfer_encoding',
            },
          ],
        });
      }
    },
  );

  test('with parts without end, of which few are told', async () => {
    const parts = Array.from({ length: 5_000 }, (_, index) => ({ name: `p${index}`, data: 'x' }));
    const refused = await read(multipartBody(parts)).catch((error: unknown) => error as { details: unknown[] });
    expect((refused as { details: unknown[] }).details.length).toBeLessThan(10);
  });

  const whole = multipartBody([request, geojson]);
  test.each<[string, Uint8Array, Sent]>([
    ['cut off in a part', whole.subarray(0, whole.length - 60), {}],
    ['cut off in a header', whole.subarray(0, 60), {}],
    ['cut off before its last boundary ends', whole.subarray(0, whole.length - 4), {}],
    ['empty', new Uint8Array(), {}],
    ['with line feeds alone', multipartBody([request, geojson], BOUNDARY, '\n'), {}],
    ['with another boundary than it names', multipartBody([request, geojson], 'other'), {}],
    ['that is no multipart', Buffer.from('{"a":1}'), {}],
    [
      'with a part header of 80 KB',
      multipartBody([{ ...request, headers: [`X: ${'x'.repeat(80_000)}`] }, geojson]),
      {},
    ],
    ['nested in another multipart', multipartBody([{ name: 'form', type: multipartType('inner'), data: whole }]), {}],
    ['with no boundary named', whole, { headers: { 'content-type': 'multipart/form-data' } }],
    ['with an empty boundary', whole, { headers: { 'content-type': 'multipart/form-data; boundary=' } }],
    [
      'with a boundary of 71 characters',
      multipartBody([request, geojson], 'b'.repeat(71)),
      { headers: { 'content-type': multipartType('b'.repeat(71)) } },
    ],
  ])('%s', async (_what, body, sent) => {
    await expect(read(body, sent)).rejects.toMatchObject({ fault: { status: 422 } });
  });

  test('when the line breaks in the middle', async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      await Promise.resolve();
      yield whole.subarray(0, 200);
      throw new Error('reset by peer');
    }
    await expect(read(broken())).rejects.toMatchObject({ fault: { status: 422 }, details: [{ loc: ['body'] }] });
  });
});

describe('an upload is refused', () => {
  test.each([
    ['with another type', { 'content-type': 'application/json' }],
    ['with another multipart', { 'content-type': 'multipart/mixed; boundary=x' }],
    ['without a type', { 'content-type': '' }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('with 415 when it comes %s', async (_what, headers) => {
    await expect(read(multipartBody([request, geojson]), { headers })).rejects.toMatchObject({
      fault: { status: 415 },
    });
  });

  test('with 413 before it is read when it announces too much', async () => {
    let isRead = false;
    async function* body(): AsyncIterable<Uint8Array> {
      isRead = true;
      await Promise.resolve();
      yield new Uint8Array(1);
    }
    const headers = { 'content-length': String(9 * MIB) };
    await expect(read(body(), { headers })).rejects.toMatchObject({ fault: { status: 413 } });
    expect(isRead).toBe(false);
  });

  test.each<[string, WirePart[]]>([
    ['request', [{ ...request, data: 'x'.repeat(1001) }, geojson]],
    ['request without a file name', [{ ...request, filename: undefined, data: 'x'.repeat(1001) }, geojson]],
    ['geojson', [request, { ...geojson, data: new Uint8Array(8 * MIB + 1) }]],
    ['geojson without a file name', [request, { ...geojson, filename: undefined, data: new Uint8Array(8 * MIB + 1) }]],
  ])('with 413 when %s has one byte too many, whatever was announced', async (_what, parts) => {
    const headers = { 'content-length': '100' };
    await expect(read(multipartBody(parts), { headers })).rejects.toMatchObject({ fault: { status: 413 } });
    // What it occupied is free again.
    expect([slots.tryTake(), slots.tryTake()]).not.toContain(undefined);
  });

  test('with 413 when it has no end', async () => {
    let sent = 0;
    async function* endless(): AsyncIterable<Uint8Array> {
      await Promise.resolve();
      yield multipartBody([{ name: 'preamble', data: '' }]).subarray(0, 90);
      for (;;) {
        sent += MIB;
        yield new Uint8Array(MIB);
      }
    }
    await expect(read(endless())).rejects.toMatchObject({ fault: { status: 413 } });
    expect(sent).toBeLessThan(12 * MIB);
  });

  test('with 408 when nothing comes for ten seconds', async () => {
    const stalled = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    const reading = read(stalled).catch((error: unknown) => error);
    await clock.advance(10_249);
    expect(await Promise.race([reading, settle().then(() => 'reading')])).toBe('reading');
    await clock.advance(1);
    await expect(reading).resolves.toMatchObject({ fault: { status: 408 }, headers: { connection: 'close' } });
  });

  test('with 408 when it drips, and not when it comes at 33 KB a second', async () => {
    const drip = (bytesPerSecond: number, seconds: number): AsyncIterable<Uint8Array> => ({
      async *[Symbol.asyncIterator]() {
        yield multipartBody([geojson]).subarray(0, 120);
        for (let second = 0; second < seconds; second += 1) {
          await clock.sleep(1_000);
          yield new Uint8Array(bytesPerSecond);
        }
      },
    });
    const slow = read(drip(1_000, 60)).catch((error: unknown) => error);
    const fast = read(drip(33_000, 60)).catch((error: unknown) => error);
    await settle();
    await clock.advance(61_000);
    await expect(slow).resolves.toMatchObject({ fault: { status: 408 } });
    // It came to its end, which lacks a boundary.
    await expect(fast).resolves.toMatchObject({ fault: { status: 422 } });
  });
});

describe('large uploads', () => {
  const large = () => multipartBody([request, { ...geojson, data: new Uint8Array(6 * MIB).fill(32) }]);

  test('are read two at a time; the third is asked to come back, small ones are not', async () => {
    const held = [await read(large()), await read(large())];
    await expect(read(large())).rejects.toMatchObject({ fault: { status: 503 }, retryAfterSeconds: 10 });
    await expect(read(multipartBody([request, geojson]))).resolves.toBeDefined();
    held[0]!.release();
    held[0]!.release();
    const next = await read(large());
    await expect(read(large())).rejects.toMatchObject({ fault: { status: 503 } });
    next.release();
  });

  test('that announce their size are refused before a byte is read', async () => {
    await Promise.all([read(large()), read(large())]);
    const headers = { 'content-length': String(6 * MIB) };
    const unread = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('read')) }) };
    await expect(read(unread, { headers })).rejects.toMatchObject({ fault: { status: 503 } });
  });

  test('give their place back when they are refused for any other reason', async () => {
    const broken = large().subarray(0, 6 * MIB);
    for (let index = 0; index < 5; index += 1) {
      await expect(read(broken)).rejects.toMatchObject({ fault: { status: 422 } });
    }
  });
});
