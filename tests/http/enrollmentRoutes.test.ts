import { beforeEach, describe, expect, test } from '@jest/globals';
import { HttpRequest } from '@azure/functions';
import { Type } from 'typebox';
import { ApiKeyRefusal } from '../../shared/access/auth/apiKeyCheck.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { openApiDocument } from '../../shared/http/openApi/openApi.js';
import { route, type ServiceRoute } from '../../shared/wiring/declare.js';
import { UploadSlots } from '../../shared/access/rates/uploadSlots.js';
import type { RateName } from '../../shared/access/rates/rates.js';
import type { Services } from '../../shared/wiring/services.js';
import { ManualClock } from '../support/manualClock.js';
import { multipartBody, multipartType, type WirePart } from '../support/multipart.js';

const Anything = Type.Object({});
const common = {
  caller: 'apiKey',
  tag: 'Things',
  summary: 'Things',
  errors: 'enrollments',
  faults: [],
} as const;
const success = (status: number) => ({
  status,
  description: 'Done',
  content: { 'application/json': { schema: Anything, example: {} } },
});

const listing = route({
  ...common,
  name: 'thingsList',
  method: 'GET',
  path: 'v1/things',
  query: Type.Object({
    kind: Type.Optional(Type.Enum(['a', 'b'], { description: 'The kind' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: 'How many' })),
  }),
  success: success(200),
  handle: ({ customer, query }) => Promise.resolve({ status: 200, json: { customer, query } }),
});

const uploading = (handle: ServiceRoute['handle']): ServiceRoute => ({
  ...route({
    ...common,
    name: 'thingsSubmit',
    method: 'POST',
    path: 'v1/things',
    rate: 'submit',
    upload: { thing: { contentTypes: ['application/json'], maxBytes: 7 * 1024 * 1024, schema: Anything, example: {} } },
    success: success(202),
    handle: () => Promise.resolve({ status: 202 }),
  }),
  handle,
});

let rates: string[];
let slots: UploadSlots;
let limit: (caller: string, rate: RateName) => Promise<void>;
beforeEach(() => {
  rates = [];
  slots = new UploadSlots(1);
  limit = (caller, rate) => {
    rates.push(`${caller} ${rate}`);
    return Promise.resolve();
  };
});

interface Sent {
  readonly key?: string;
  readonly query?: string;
  readonly parts?: readonly WirePart[];
}

async function send(called: ServiceRoute, { key = 'right', query = '', parts }: Sent = {}) {
  const lines: string[] = [];
  const services = {
    clock: new ManualClock(),
    config: {},
    uploadSlots: slots,
    limitRate: ({ customer }: { readonly customer: string }, rate: RateName) => limit(customer, rate),
    checkApiKey: (header: string | null) =>
      header === 'right' ? Promise.resolve('contoso') : Promise.reject(new ApiKeyRefusal('unknown key')),
  };
  const answer = await handleRequest(
    called,
    new HttpRequest({
      method: called.method,
      url: `http://host/v1/things${query}`,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: { 'api-key': key, ...(parts === undefined ? {} : { 'content-type': multipartType() }) },
      ...(parts === undefined ? {} : { body: { bytes: multipartBody(parts) } }),
    }),
    { services: services as unknown as Services, write: (line) => void lines.push(line) },
  );
  const json = typeof answer.body === 'string' ? (JSON.parse(answer.body) as Record<string, unknown>) : undefined;
  return { status: answer.status, headers: answer.headers as Record<string, string>, json, lines };
}

describe('a route of area C', () => {
  test('knows the customer of the key, and shows the log its fingerprint alone', async () => {
    const { status, json, lines } = await send(listing);
    expect([status, json]).toEqual([200, { customer: 'contoso', query: {} }]);
    expect(lines[0]).not.toMatch(/contoso|right/);
    expect(JSON.parse(lines[0]!)).toHaveProperty('customer');
  });

  test('refuses another key before it looks at anything else', async () => {
    const { status, headers, json, lines } = await send(listing, { key: 'wrong', query: '?limit=x' });
    expect([status, headers['www-authenticate']]).toEqual([401, 'ApiKey']);
    expect(json).toMatchObject({ code: 'unauthorized', details: null });
    expect(lines[0]).toContain('unknown key');
    expect(rates).toEqual([]);
  });

  test('hands over declared parameters, numbers as numbers', async () => {
    const { json } = await send(listing, { query: '?limit=7&kind=a' });
    expect(json).toMatchObject({ query: { limit: 7, kind: 'a' } });
  });

  test('refuses parameters that it does not know, by name: a misspelt filter would answer everything', async () => {
    const { status, json } = await send(listing, { query: '?limit=7&other=1&Kind=b' });
    const locs = (json?.['details'] as { readonly loc: readonly string[] }[]).map(({ loc }) => loc);
    expect([status, locs]).toEqual([
      422,
      [
        ['query', 'other'],
        ['query', 'Kind'],
      ],
    ]);
    expect(json?.['message']).toMatch(/^The query parameter other is unknown; this operation takes kind, limit/);
  });

  test.each(['999999999', '9999999999', '9'.repeat(17), '9'.repeat(400)])(
    'takes any whole number: ?limit=%s',
    async (limit) => {
      const { status, json } = await send(listing, { query: `?limit=${limit}` });
      expect(status).toBe(200);
      expect((json?.['query'] as { limit: number }).limit).toBeGreaterThanOrEqual(999_999_999);
    },
  );

  test.each([
    [`limit=-${'9'.repeat(400)}`, 'limit', 'query.limit must be 1 or more'],
    ['limit=0', 'limit', 'query.limit must be 1 or more'],
    ['limit=1.5', 'limit', 'query.limit must be an integer'],
    ['limit=', 'limit', 'query.limit must be an integer'],
    ['kind=c', 'kind', 'query.kind must be one of a, b (exactly so)'],
  ])('refuses ?%s with its place', async (query, name, msg) => {
    const { status, json } = await send(listing, { query: `?${query}` });
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: 'validation_error', details: [{ loc: ['query', name], msg }] });
  });

  test.each<[string, ServiceRoute, string]>([
    ['a read', listing, 'contoso read'],
    ['what it names', { ...listing, rate: 'list' }, 'contoso list'],
    ['a create when it answers 202', { ...listing, success: success(202) }, 'contoso create'],
  ])('counts as %s', async (_what, called, expected) => {
    await send(called);
    expect(rates).toEqual([expected]);
  });

  test('answers 429 with Retry-After when the caller has used up its rate', async () => {
    limit = () => Promise.reject(new ServiceError(commonFaults.tooManyRequests, 'Wait.', { retryAfterSeconds: 12 }));
    const { status, headers, json } = await send(listing);
    expect([status, headers['retry-after']]).toEqual([429, '12']);
    expect(json).toMatchObject({ code: 'too_many_requests' });
  });
});

describe('a route that takes an upload', () => {
  const thing: WirePart = { name: 'thing', filename: 't', type: 'application/json', data: '{"a":1}' };
  const large = { ...thing, data: new Uint8Array(6 * 1024 * 1024).fill(32) };

  test('gets the parts by name', async () => {
    const called = uploading(({ parts }) =>
      Promise.resolve({ status: 202, json: { thing: Buffer.from(parts['thing'] ?? []).toString() } }),
    );
    expect((await send(called, { parts: [thing] })).json).toEqual({ thing: '{"a":1}' });
    expect(rates).toEqual(['contoso submit']);
  });

  test('holds a place for a large upload until it has answered, whatever the answer is', async () => {
    const during: unknown[] = [];
    const called = uploading(() => {
      during.push(slots.tryTake());
      return Promise.reject(new Error('broken'));
    });
    expect((await send(called, { parts: [large] })).status).toBe(500);
    expect(during).toEqual([undefined]);
    expect(slots.tryTake()).toBeDefined();
  });

  test('does not read a body of a caller over its rate', async () => {
    limit = () => Promise.reject(new ServiceError(commonFaults.tooManyRequests, 'Wait.'));
    expect(
      (
        await send(
          uploading(() => Promise.resolve({ status: 202 })),
          { parts: [large] },
        )
      ).status,
    ).toBe(429);
  });
});

describe('the OpenAPI document of such routes', () => {
  const { paths } = openApiDocument([listing, uploading(() => Promise.resolve({ status: 202 }))]) as {
    readonly paths: Record<string, Record<string, Record<string, unknown>>>;
  };

  test('asks for the key, shows query parameters and their forms', () => {
    expect(paths['/v1/things']?.['get']).toMatchObject({
      security: [{ apiKey: [] }],
      parameters: [
        { name: 'kind', in: 'query', required: false, description: 'The kind', schema: { enum: ['a', 'b'] } },
        {
          name: 'limit',
          in: 'query',
          required: false,
          description: 'How many',
          schema: { type: 'integer', minimum: 1 },
        },
      ],
    });
    expect(Object.keys(paths['/v1/things']?.['get']?.['responses'] as object)).toEqual(
      expect.arrayContaining(['200', '401', '422', '429']),
    );
  });

  test('shows the parts of an upload with their content types', () => {
    expect(paths['/v1/things']?.['post']?.['requestBody']).toMatchObject({
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', required: ['thing'] },
          encoding: { thing: { contentType: 'application/json' } },
        },
      },
    });
    expect(Object.keys(paths['/v1/things']?.['post']?.['responses'] as object)).toEqual(
      expect.arrayContaining(['202', '408', '413', '415', '422', '503']),
    );
  });
});
