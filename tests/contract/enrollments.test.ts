import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aCollection, aFeature, aRing, aSubmittedRequest } from '../enrollments/builders.js';
import { submissionParts } from '../support/multipart.js';
import {
  callWithKey,
  customers,
  getEnrollment,
  listEnrollments,
  newCustomer,
  submit,
  submitParts,
  untilIngested,
} from './enrollmentCalls.js';
import { purged } from './purge.js';
import { call, service } from './service.js';

const knot = [
  [
    [13, 48],
    [13.01, 48.01],
    [13.01, 48],
    [13, 48.01],
    [13, 48],
  ],
];

describe('an enrollment', () => {
  test('is received, ingested and scheduled', async () => {
    const fieldId = `north-${randomUUID()}`;
    const received = await submit([aFeature({ fieldId })], {
      description: 'Größe 🌾',
      layers: [{ layer: 'true-color' }],
    });
    expect(received.status).toBe(202);
    expect(received.json).toMatchObject({
      message: 'Enrollment received OK.',
      description: 'Größe 🌾',
      request_metadata: {
        image_source: 'sentinel-2-l2a',
        start_date: '2026-04-01',
        end_date: '2026-10-31',
        layers: [{ layer: 'true-color' }],
      },
      status: 'received',
      total_fields: 1,
      processed_fields: 0,
      failed_fields: 0,
      completed_date_time: null,
      errors: null,
    });
    expect(received.json.created_date_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const { enrollment_id: id } = received.json;
    expect(received.headers.get('location')).toBe(`/v1/enrollments/${id}`);
    const ended = await untilIngested(id);
    expect(ended.json).toMatchObject({ enrollment_id: id, status: 'completed', processed_fields: 1, errors: null });
    expect(ended.json.completed_date_time >= received.json.created_date_time).toBe(true);
    // Other tests submit for this customer meanwhile.
    const newest = (await listEnrollments('?limit=200')).json.items as { readonly enrollment_id: string }[];
    expect(newest.filter((item) => item.enrollment_id === id)).toEqual([ended.json]);
  });

  test('with one unsound field is completed without it, and says why', async () => {
    const bad = `knot-${randomUUID()}`;
    const geometry = { type: 'Polygon', coordinates: knot };
    const { json } = await submit([aFeature({ fieldId: `ok-${randomUUID()}` }), aFeature({ fieldId: bad, geometry })]);
    const ended = await untilIngested(json.enrollment_id);
    expect(ended.json).toMatchObject({ status: 'completed', processed_fields: 1, failed_fields: 1 });
    expect(ended.json.errors).toEqual([
      { field_id: bad, code: 'self_crossing', message: expect.stringContaining('longitude 13.005000') },
    ]);
  });

  test('of 250 fields is ingested whole', async () => {
    const prefix = randomUUID();
    const features = Array.from({ length: 250 }, (_, index) => aFeature({ fieldId: `${prefix}-${index}` }));
    const { json } = await submit(features);
    const ended = await untilIngested(json.enrollment_id);
    expect(ended.json).toMatchObject({ status: 'completed', total_fields: 250, processed_fields: 250 });
  });

  test('of two that claim one field id with different geometries at once wins', async () => {
    const fieldId = `claimed-${randomUUID()}`;
    const rivals = await Promise.all(
      [0, 0.5].map((shift) =>
        submit([aFeature({ fieldId, geometry: { type: 'Polygon', coordinates: [aRing(shift)] } })]),
      ),
    );
    const ended = await Promise.all(rivals.map(({ json }) => untilIngested(json.enrollment_id)));
    expect(ended.map(({ json }) => String(json.status)).sort()).toEqual(['completed', 'failed']);
    const loser = ended.find(({ json }) => json.status === 'failed');
    expect(loser?.json.errors).toMatchObject([{ field_id: fieldId, code: 'field_id_conflict' }]);
  });

  test.each([
    ['one nobody has', randomUUID()],
    ['a malformed one', 'x'],
    ['one of 2,000 characters', 'a'.repeat(2000)],
    ['one in capitals', randomUUID().toUpperCase()],
  ])('of %s as its id is 404', async (_what, id) => {
    const reply = await getEnrollment(id);
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({
      code: 'not_found',
      message: expect.any(String),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      details: null,
    });
  });

  test('stopped by an operator says so', async () => {
    const { json } = await submit();
    await untilIngested(json.enrollment_id);
    customers('stop', json.enrollment_id);
    const stopped = await getEnrollment(json.enrollment_id);
    expect(stopped.json).toMatchObject({ status: 'completed', message: 'Enrollment was stopped by an operator.' });
  });
});

describe('a submission with faults', () => {
  test('is refused with every one of them, each with its place', async () => {
    const reply = await submit([aFeature({ fieldId: 'a/b' }), { type: 'Feature' }], { image_source: 'x', extra: 1 });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({ code: 'validation_error', trace_id: expect.any(String) });
    const details = reply.json.details as { readonly loc: readonly unknown[] }[];
    expect(details.map(({ loc }) => loc.join('.'))).toEqual([
      'request.extra',
      'request.image_source',
      'geojson.features.0.properties.field_id',
      'geojson.features.1.properties.field_id',
      'geojson.features.1.geometry',
    ]);
  });

  test('names a hundred and no more', async () => {
    const reply = await submit(Array.from({ length: 200 }, () => ({ type: 'Feature' })));
    expect(reply.json.details).toHaveLength(100);
  });

  test('above the limit of its customer is refused; the limit can be raised', async () => {
    const { customer, apiKey } = await newCustomer(2);
    const features = Array.from({ length: 3 }, (_, index) => aFeature({ fieldId: `f${index}` }));
    expect((await submit(features, {}, { apiKey })).json.details).toMatchObject([{ type: 'too_many_fields' }]);
    customers('limit', customer, '3');
    expect((await submit(features, {}, { apiKey })).status).toBe(202);
  });
});

describe('the Api-Key', () => {
  test.each([
    ['is missing', null],
    ['is empty', ''],
    ['is malformed', 'pfs_x'],
    ['is a bearer token', `Bearer ${service.jwt}`],
    ['is unknown', 'pfs_000000000000_00000000000000000000000000000000000000003TeW3O'],
    [
      'is right but for its last character',
      `${service.apiKey.slice(0, -1)}${service.apiKey.endsWith('0') ? '1' : '0'}`,
    ],
    ['is doubled', `${service.apiKey}, ${service.apiKey}`],
  ])('is refused when it %s', async (_what, apiKey) => {
    for (const path of ['/v1/enrollments', `/v1/enrollments/${randomUUID()}`, '/v1/auth/sas-token']) {
      const reply = await callWithKey(path, apiKey);
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe('ApiKey');
      expect(reply.json).toMatchObject({ code: 'unauthorized', details: null });
    }
  });

  test('is not taken from the query, and a token opens nothing of area C', async () => {
    expect((await call(`/v1/enrollments?api-key=${service.apiKey}`, { token: null })).status).toBe(401);
    expect((await call('/v1/enrollments')).status).toBe(401);
    expect((await callWithKey('/v1/insights/x', service.apiKey)).status).toBe(401);
  });

  test('of an upload is asked for before its body is read', async () => {
    const reply = await submitParts(submissionParts('{', '{'), { apiKey: 'none' });
    expect(reply.status).toBe(401);
  });
});

describe('customers', () => {
  let one: { readonly customer: string; readonly apiKey: string };
  let other: { readonly customer: string; readonly apiKey: string };
  beforeAll(async () => {
    one = await newCustomer();
    other = await newCustomer();
  });

  test("see nothing of each other's: ids, lists, cursors", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { json } = await submit([aFeature({ fieldId: `f${index}` })], {}, one);
      ids.push(json.enrollment_id);
    }
    const foreign = await getEnrollment(ids[0]!, other.apiKey);
    const unknown = await getEnrollment(randomUUID(), other.apiKey);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.json, trace_id: '' }).toEqual({ ...unknown.json, trace_id: '' });
    expect((await listEnrollments('', other.apiKey)).json).toEqual({ items: [], cursor: null });
    const { cursor } = (await listEnrollments('?limit=1', one.apiKey)).json;
    const stolen = await listEnrollments(`?limit=1&cursor=${cursor}`, other.apiKey);
    expect(stolen.status).toBe(422);
    expect(stolen.json.details).toMatchObject([{ loc: ['query', 'cursor'] }]);
  });

  test('may use the same field ids with geometries of their own', async () => {
    const fieldId = `shared-${randomUUID()}`;
    const replies = await Promise.all([
      submit([aFeature({ fieldId })], {}, one),
      submit([aFeature({ fieldId, geometry: { type: 'Polygon', coordinates: [aRing(1)] } })], {}, other),
    ]);
    const [mine, theirs] = await Promise.all([
      untilIngested(replies[0].json.enrollment_id, one.apiKey),
      untilIngested(replies[1].json.enrollment_id, other.apiKey),
    ]);
    expect([mine.json.status, theirs.json.status]).toEqual(['completed', 'completed']);
  });

  test('that are purged are gone: key, enrollments, fields', async () => {
    const gone = await newCustomer();
    const { json } = await submit([aFeature()], {}, gone);
    await untilIngested(json.enrollment_id, gone.apiKey);
    const plan = customers('purge', gone.customer) as { readonly wouldDelete: Record<string, number> };
    expect(plan.wouldDelete).toMatchObject({ keys: 1, 'rows of fields': 3, inputs: 3 });
    await expect(purged(gone.customer)).resolves.toMatchObject({ keys: 1, enrollments: 3, fields: 3, inputs: 3 });
    expect((await submit([aFeature()], {}, gone)).status).toBe(401);
    expect(() => customers('purge', gone.customer)).toThrow(/nothing left of the customer/);
  });
});

describe('the list', () => {
  test.each(['limit=0', 'limit=-1', 'limit=1.5', 'limit=x', 'limit=', 'limit=1&limit=2', 'limit=1e2'])(
    'refuses %s',
    async (query) => {
      const reply = await listEnrollments(`?${query}`);
      expect(reply.status).toBe(422);
      expect(reply.json.details).toMatchObject([{ loc: ['query', 'limit'] }]);
    },
  );

  test('refuses a status nobody has, and parameters nobody knows', async () => {
    expect((await listEnrollments('?status=done')).json.details).toMatchObject([{ loc: ['query', 'status'] }]);
    expect((await listEnrollments('?status=Completed')).status).toBe(422);
    expect((await listEnrollments('?page=2&limit=1')).json.details).toMatchObject([{ loc: ['query', 'page'] }]);
  });

  test('takes 200 for more', async () => {
    expect((await listEnrollments('?limit=999999999')).status).toBe(200);
  });
});

describe('a submission in the words of other clients', () => {
  test('comes from fetch with FormData', async () => {
    const form = new FormData();
    const json = (value: unknown, type: string): Blob => new Blob([JSON.stringify(value)], { type });
    form.set('request', json(aSubmittedRequest(), 'application/json'), 'request.json');
    form.set('geojson', json(aCollection([aFeature({ fieldId: randomUUID() })]), 'application/geo+json'), 'f.geojson');
    const reply = await fetch(`${service.baseUrl}/v1/enrollments`, {
      method: 'POST',
      headers: { 'api-key': service.apiKey },
      body: form,
    });
    expect(reply.status).toBe(202);
  });

  test('comes in chunks without an announced length', async () => {
    const form = submissionParts(JSON.stringify(aSubmittedRequest()), JSON.stringify(aCollection()));
    const { multipartBody, multipartType } = await import('../support/multipart.js');
    const bytes = multipartBody(form);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let start = 0; start < bytes.length; start += 100) {
          controller.enqueue(new Uint8Array(bytes.subarray(start, start + 100)));
        }
        controller.close();
      },
    });
    const { apiKey } = await newCustomer();
    const reply = await fetch(`${service.baseUrl}/v1/enrollments`, {
      method: 'POST',
      headers: { 'api-key': apiKey, 'content-type': multipartType() },
      body: stream,
      // Fetch wants to be told that the answer comes after the whole body.
      duplex: 'half',
    });
    expect(reply.status).toBe(202);
  });
});
