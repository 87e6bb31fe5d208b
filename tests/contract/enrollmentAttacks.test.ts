import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, request } from 'node:http';
import { aCollection, aFeature, aRing, aSubmittedRequest } from '../enrollments/builders.js';
import { BOUNDARY, multipartBody, multipartType, submissionParts, type WirePart } from '../support/multipart.js';
import { newCustomer, submit } from './enrollmentCalls.js';
import { service } from './service.js';

const MIB = 1024 * 1024;

let apiKey: string;
const agent = new Agent({ keepAlive: false });
beforeAll(async () => {
  ({ apiKey } = await newCustomer());
});
afterAll(() => {
  agent.destroy();
});

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunked?: boolean;
}

/** Sends bytes as they are and gives the answer, even one that comes before the body was sent whole. */
const send = (body: Iterable<Uint8Array>, { headers = {}, chunked = false }: Sending = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const pieces = [...body];
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const call = request(
      `${service.baseUrl}/v1/enrollments`,
      {
        method: 'POST',
        agent,
        headers: {
          'api-key': apiKey,
          'content-type': multipartType(),
          ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }),
          ...headers,
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => {
          const code = text === '' ? undefined : (JSON.parse(text) as { readonly code?: string }).code;
          resolve({ status: answer.statusCode ?? 0, code });
          call.destroy();
        });
      },
    );
    // An early answer may close the line while the body is still being sent.
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    for (const piece of pieces) call.write(piece);
    call.end();
  });

const json = (value: unknown): string => JSON.stringify(value);
const sound = json(aSubmittedRequest());
const fields = json(aCollection());
const [request64, geojson] = submissionParts(sound, fields) as [WirePart, WirePart];
const body = (...parts: readonly WirePart[]): Uint8Array[] => [multipartBody(parts)];
const withGeoJson = (data: string | Uint8Array): Uint8Array[] => body(request64, { ...geojson, data });
const padded = (bytes: number): Uint8Array =>
  Buffer.concat([Buffer.from(fields), Buffer.alloc(bytes - fields.length, 32)]);
const repeated = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));
const coordinates = (text: string): string =>
  `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"field_id":"a"},"geometry":{"type":"Polygon","coordinates":${text}}}]}`;

describe('the framing of a submission', () => {
  test.each<[string, () => Uint8Array[], Sending, number]>([
    ['as it should be', () => body(request64, geojson), {}, 202],
    ['chunked', () => body(request64, geojson), { chunked: true }, 202],
    ['without a part', () => body(request64), {}, 422],
    ['with a part twice', () => body(request64, geojson, geojson), {}, 422],
    ['with a part nobody knows', () => body(request64, geojson, { name: 'x', data: '' }), {}, 422],
    ['with 10,000 parts', () => body(...Array.from({ length: 10_000 }, () => geojson)), {}, 422],
    ['cut off', () => [multipartBody([request64, geojson]).subarray(0, -20)], {}, 422],
    ['with line feeds alone', () => [multipartBody([request64, geojson], BOUNDARY, '\n')], {}, 422],
    [
      'with a part header of 80 KB',
      () => body({ ...request64, headers: [`X: ${'x'.repeat(80_000)}`] }, geojson),
      {},
      422,
    ],
    [
      'with 10,000 part headers',
      () => body({ ...request64, headers: Array.from({ length: 10_000 }, () => 'X: y') }, geojson),
      {},
      422,
    ],
    ['without a boundary', () => body(request64, geojson), { headers: { 'content-type': 'multipart/form-data' } }, 422],
    [
      'with a boundary of 100 characters',
      () => body(request64, geojson),
      { headers: { 'content-type': multipartType('b'.repeat(100)) } },
      422,
    ],
    ['with nothing in it', () => [new Uint8Array()], {}, 422],
    ['as JSON', () => [Buffer.from(sound)], { headers: { 'content-type': 'application/json' } }, 415],
    [
      'as a form',
      () => [Buffer.from('a=b')],
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
    ['compressed', () => body(request64, geojson), { headers: { 'content-encoding': 'gzip' } }, 415],
    ['announcing 53 MB', () => [Buffer.alloc(53 * MIB)], {}, 413],
    [
      'of 54 MB without an announcement',
      () => Array.from({ length: 54 }, () => Buffer.alloc(MIB)),
      { chunked: true },
      413,
    ],
    [
      'with 64 KB and a byte of request',
      () => body({ ...request64, data: ' '.repeat(64 * 1024 + 1) }, geojson),
      {},
      413,
    ],
  ])('%s', async (_what, make, sending, status) => {
    const answer = await send(make(), sending);
    expect(answer.status).toBe(status);
  });

  test('that has dripped is answered 408', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const headers = { 'api-key': apiKey, 'content-type': multipartType(), 'transfer-encoding': 'chunked' };
      const call = request(`${service.baseUrl}/v1/enrollments`, { method: 'POST', headers, agent }, (reply) => {
        clearInterval(drip);
        resolve(reply.statusCode ?? 0);
        call.destroy();
      });
      const [bytes] = body(request64, geojson) as [Uint8Array];
      let at = 0;
      const drip = setInterval(() => {
        call.write(bytes.subarray(at, at + 10));
        at += 10;
      }, 300);
      // The host asks for the answer when all is sent.
      setTimeout(() => {
        clearInterval(drip);
        call.end();
      }, 20_000);
      call.on('error', reject);
    });
    expect(answer).toBe(408);
  });
});

describe('the content of a submission', () => {
  test.each<[string, () => Uint8Array[], number]>([
    ['UTF-16', () => withGeoJson(Buffer.from(fields, 'utf16le')), 422],
    ['Latin-1', () => withGeoJson(Buffer.from(fields.replace('north', 'nörd'), 'latin1')), 422],
    ['UTF-8 with its mark', () => withGeoJson(`\uFEFF${json(aCollection([aFeature({ fieldId: 'bom' })]))}`), 202],
    ['50 MB exactly', () => withGeoJson(padded(50 * MIB)), 202],
    ['50 MB and a byte', () => withGeoJson(padded(50 * MIB + 1)), 413],
    [
      '50 MB without a file name',
      () => body(request64, { ...geojson, filename: undefined, data: padded(50 * MIB) }),
      202,
    ],
    // More than the structure that an upload may have: the size of the rest would add nothing.
    ['13 MB of empty arrays', () => withGeoJson(coordinates(`[${repeated('[],', 13 * MIB)}[]]`)), 422],
    ['13 MB of empty objects', () => withGeoJson(coordinates(`[${repeated('{},', 13 * MIB)}{}]`)), 422],
    ['17 MB of zeros', () => withGeoJson(coordinates(`[${repeated('0,', 17 * MIB)}0]`)), 422],
    ['2 MB of one text', () => withGeoJson(`{"type":"FeatureCollection","x":"${'x'.repeat(2 * MIB)}"}`), 422],
    ['500,000 levels', () => withGeoJson(`${'['.repeat(500_000)}${']'.repeat(500_000)}`), 422],
    [
      '100,000 levels below a position',
      () => withGeoJson(coordinates(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`)),
      422,
    ],
    [
      '200,000 keys of one object',
      () =>
        withGeoJson(
          `{"type":"FeatureCollection","features":[],${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join()}}`,
        ),
      422,
    ],
    ['an infinite number', () => withGeoJson(coordinates('[[[1e400,1],[2,2],[3,3],[1e400,1]]]')), 422],
    ['NaN', () => withGeoJson(coordinates('[[[NaN,1]]]')), 422],
    ['a prototype', () => withGeoJson(`{"__proto__":{"features":[]},"type":"FeatureCollection"}`), 422],
    ['a type hidden behind another', () => withGeoJson('{"type":"FeatureCollection","type":"x"}'), 422],
    [
      '251 fields',
      () =>
        withGeoJson(json(aCollection(Array.from({ length: 251 }, (_, index) => aFeature({ fieldId: `f${index}` }))))),
      422,
    ],
    ['a path for a field id', () => withGeoJson(json(aCollection([aFeature({ fieldId: '../../other' })]))), 422],
    ['an id twice', () => withGeoJson(json(aCollection([aFeature(), aFeature()]))), 422],
    [
      'a point',
      () => withGeoJson(json(aCollection([aFeature({ geometry: { type: 'Point', coordinates: [1, 2] } })]))),
      422,
    ],
    [
      'a script for a layer',
      () => body({ ...request64, data: json(aSubmittedRequest({ layers: [{ layer: '<script>' }] })) }, geojson),
      422,
    ],
    [
      'a prototype in the metadata',
      () => body({ ...request64, data: sound.replace('{', '{"__proto__":{"a":1},') }, geojson),
      422,
    ],
    [
      'every field of an answer in the metadata',
      () =>
        body(
          {
            ...request64,
            data: json(
              aSubmittedRequest({ status: 'completed', enrollment_id: 'x', customer: 'demo', total_fields: 0 }),
            ),
          },
          geojson,
        ),
      422,
    ],
    ['a boundary that is unsound', () => withGeoJson(coordinates(json([aRing().slice(0, 3)]))), 202],
  ])('%s', async (_what, make, status) => {
    const answer = await send(make());
    expect(answer).toMatchObject({ status, ...(status === 422 ? { code: 'validation_error' } : {}) });
  });

  test('made to be slow to check is accepted, and its fields fail', async () => {
    const teeth = (offset: number): number[][] => {
      const corners = Array.from({ length: 9_000 }, (_, tooth) => {
        const shift = tooth / 1e7;
        return tooth % 2 === 0 ? [13 + shift, 48 - shift] : [13.1 + shift, 48.1 - shift];
      });
      const ring = [...corners, [13.2, 48.05], [13.1, 47.9], [12.95, 47.95]].map(([x, y]) => [x! + offset, y!]);
      return [...ring, ring[0]!];
    };
    const features = Array.from({ length: 40 }, (_, index) =>
      aFeature({ fieldId: `slow-${index}`, geometry: { type: 'Polygon', coordinates: [teeth(index)] } }),
    );
    const reply = await submit(features, {}, { apiKey });
    expect(reply.status).toBe(202);
    const { untilIngested } = await import('./enrollmentCalls.js');
    const ended = await untilIngested(reply.json.enrollment_id, apiKey);
    const codes = (ended.json.errors as { readonly code: string }[]).map(({ code }) => code);
    expect(codes.filter((code) => code === 'geometry_too_complex').length).toBeGreaterThan(20);
  });
});
