import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_FARMS } from '../../../infra/local/demo/farms.js';
import { type DataManagerStandIn, startDataManager } from '../../../infra/local/standIns/dataManager.js';
import { tenantId } from '../../../infra/local/standIns/tenants.js';

const VERSION = 'api-version=2023-11-01-preview';
const AUTHORIZED = { authorization: 'Bearer good' };
const MERGE_PATCH = { ...AUTHORIZED, 'content-type': 'application/merge-patch+json' };

type Json = Record<string, unknown>;
let standIn: DataManagerStandIn;
beforeEach(async () => {
  standIn = await startDataManager({ tokenIsValid: (token) => token === 'good' });
});
afterEach(() => standIn.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
}
async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const separator = path.includes('?') ? '&' : '?';
  const response = await fetch(`${standIn.url}${path}${separator}${VERSION}`, { headers: AUTHORIZED, ...init });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json };
}
const patch = (path: string, body: unknown, headers: Record<string, string> = MERGE_PATCH): Promise<Answer> =>
  call(path, { method: 'PATCH', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const party = (): string => `/parties/${standIn.seed.partyId}`;
const field = (id: string): string => `${party()}/fields/${id}`;
const gddOf = (fieldId: string): string =>
  `${party()}/models/partnerAgPowered.gdd/resource-types/Field/resources/${fieldId}`;
const insight = {
  modelVersion: 'gdd-crops/1',
  insightStartDateTime: '2026-05-01T00:00:00Z',
  insightEndDateTime: '2026-09-30T23:59:59Z',
  measurements: { gdd: { unit: 'C', value: 1 } },
};

describe('every call', () => {
  test('without a good bearer token is 401 with WWW-Authenticate', async () => {
    for (const headers of [{}, { authorization: 'Basic good' }, { authorization: 'Bearer bad' }] as Record<
      string,
      string
    >[]) {
      const { status, headers: answered } = await call(party(), { headers });
      expect([status, answered.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  test('without the one api-version, or with it twice, is 400', async () => {
    for (const query of ['', '?api-version=2022-11-01-preview', `?${VERSION}&${VERSION}`]) {
      expect((await fetch(`${standIn.url}${party()}${query}`, { headers: AUTHORIZED })).status).toBe(400);
    }
  });

  test('that fails says so in the data manager error shape, with the code in a header too', async () => {
    const { status, headers, json } = await call('/parties/nobody');
    expect([status, headers.get('x-ms-error-code')]).toEqual([404, 'ResourceNotFound']);
    expect(json).toEqual({
      error: { code: 'ResourceNotFound', message: expect.any(String) },
      traceId: expect.any(String),
    });
  });

  test('shows request id and supported versions', async () => {
    const { headers } = await call(party());
    expect([headers.get('x-ms-request-id'), headers.get('api-supported-versions')]).toEqual([
      expect.any(String),
      '2023-11-01-preview',
    ]);
  });

  test.each([
    { path: '/elsewhere', method: 'GET', status: 404 },
    { path: '/parties/a%2Fb', method: 'GET', status: 400 },
    { path: '/parties/%zz', method: 'GET', status: 400 },
    { path: '/parties/urn%3Auuid%3A1f0c4f3e-8f0b-4c7d-9a43-5d2f0c9b7e11', method: 'GET', status: 400 },
    { path: '/parties/p', method: 'DELETE', status: 405 },
    { path: '/parties', method: 'GET', status: 404 },
    { path: '/parties/p/fields', method: 'GET', status: 404 },
    { path: '/scenes?maxpagesize=20', method: 'GET', status: 400 },
  ])('$method $path is $status', async ({ path, method, status }) => {
    expect((await call(path, { method })).status).toBe(status);
  });
});

describe('ids in upper case', () => {
  const upper = (path: string): string => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.toUpperCase());

  test('name what was made in lower case, and are answered in the spelling of before', async () => {
    const { partyId, fieldIds } = standIn.seed;
    const [id = ''] = fieldIds;
    await expect(call(upper(field(id)))).resolves.toMatchObject({ status: 200, json: { id, partyId } });
    await expect(patch(upper(field(id)), { name: 'North' })).resolves.toMatchObject({
      status: 200,
      json: { id, partyId, name: 'North' },
    });
    await expect(call(field(id))).resolves.toMatchObject({ json: { id, name: 'North' } });
  });

  test('name an insight, which is taken back in whatever case', async () => {
    const insightId = '0a6c6a0e-7a4e-5d0b-9f64-2f0b7f3f9f10';
    const path = `${gddOf(standIn.seed.fieldIds[0]!)}/insights/${insightId}`;
    expect((await patch(path, insight)).status).toBe(201);
    expect((await patch(upper(path), insight)).status).toBe(200);
    const { status } = await fetch(`${standIn.url}${upper(path)}?${VERSION}`, {
      method: 'DELETE',
      headers: AUTHORIZED,
    });
    expect(status).toBe(204);
    expect((await call(path)).status).toBe(404);
  });
});

describe('the seed', () => {
  test('has one farm with the demo tenant’s first four fields, under ids of their own', async () => {
    const fields = await Promise.all(standIn.seed.fieldIds.map(async (id) => (await call(field(id))).json));
    const demo = OWN_FARMS[0].fields.slice(0, 4);
    expect(fields.map(({ farmId }) => farmId)).toEqual(demo.map(() => standIn.seed.farmId));
    expect(fields.map(({ geometry }) => geometry)).toEqual(demo.map(({ geometry }) => geometry));
    expect(demo.map(({ id }) => id)).toEqual(expect.not.arrayContaining([...standIn.seed.fieldIds]));
  });

  test('lists one party for the tenant outside and another for the canary’s, on one address', () => {
    const { tenants, partyId } = standIn.seed;
    expect(tenants).toEqual({
      [tenantId('outside')]: { dataManagerUrl: standIn.url, partyIds: [partyId] },
      [tenantId('service')]: { dataManagerUrl: standIn.url, partyIds: [expect.not.stringMatching(partyId)] },
    });
  });
});

describe('PATCH of a field', () => {
  const square = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }; // prettier-ignore

  test('creates with 201, changes with 200, merges, and stamps', async () => {
    const created = await patch(field('region-1'), { farmId: standIn.seed.farmId, name: 'Region', geometry: square });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      id: 'region-1',
      partyId: standIn.seed.partyId,
      name: 'Region',
      geometry: square,
    });
    expect(created.headers.get('etag')).toBe(`"${String(created.json['eTag'])}"`);
    const changed = await patch(field('region-1'), { name: null, description: 'x' });
    expect([changed.status, 'name' in changed.json, changed.json['geometry']]).toEqual([200, false, square]);
    expect(changed.json['eTag']).not.toBe(created.json['eTag']);
  });

  test.each(['application/json', 'text/plain', 'application/json-patch+json'])('sent as %s is 415', async (type) => {
    expect((await patch(field('f'), {}, { ...AUTHORIZED, 'content-type': type })).status).toBe(415);
  });

  test.each([
    { why: 'no JSON', body: '{' },
    { why: 'a list', body: [] },
    { why: 'an unknown member', body: { nme: 'x' } },
    { why: 'another party', body: { partyId: 'other' } },
    { why: 'an unknown farm', body: { farmId: 'nowhere' } },
    { why: 'a name of 101 characters', body: { name: 'x'.repeat(101) } },
    {
      why: '26 properties',
      body: { properties: Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`k${index}`, 1])) },
    },
    { why: 'a nested property', body: { properties: { a: {} } } },
    { why: 'a line', body: { geometry: { type: 'LineString', coordinates: [[0, 0]] } } },
    { why: 'an open ring', body: { geometry: { ...square, coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1]]] } } }, // prettier-ignore
    { why: 'a ring of three', body: { geometry: { ...square, coordinates: [[[0, 0], [1, 0], [0, 0]]] } } }, // prettier-ignore
    {
      why: 'latitude and longitude swapped',
      body: { geometry: { type: 'Point', coordinates: [41, -93] } },
      good: true,
    },
    { why: 'a latitude of 91', body: { geometry: { type: 'Point', coordinates: [0, 91] } } },
  ])('with $why is 400', async ({ body }) => {
    expect((await patch(field('f'), body)).status).toBe(400);
  });

  test('of an unknown party is 404', async () => {
    expect((await patch('/parties/nobody/fields/f', {})).status).toBe(404);
  });
});

describe('insights', () => {
  const path = (): string => `${gddOf(standIn.seed.fieldIds[0]!)}/insights/i1`;

  test('are shown with all that the path says', async () => {
    const { status, json } = await patch(path(), insight);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...insight,
      id: 'i1',
      partyId: standIn.seed.partyId,
      modelId: 'partnerAgPowered.gdd',
      resourceType: 'Field',
      resourceId: standIn.seed.fieldIds[0],
    });
  });

  test.each([
    { why: 'no modelVersion', body: { ...insight, modelVersion: undefined } },
    { why: 'a time with milliseconds', body: { ...insight, insightStartDateTime: '2026-05-01T00:00:00.000Z' } },
    { why: 'an end before the start', body: { ...insight, insightEndDateTime: '2026-04-01T00:00:00Z' } },
    { why: 'a measurement of text', body: { ...insight, measurements: { gdd: { value: '1' } } } },
    { why: 'an unknown member of a measurement', body: { ...insight, measurements: { gdd: { value: 1, x: 1 } } } },
  ])('with $why are 400', async ({ body }) => {
    expect((await patch(path(), body)).status).toBe(400);
  });

  test.each([
    { why: 'an unknown field', from: 'FIELD', to: 'nowhere', status: 404 },
    { why: 'a model without a dot', from: 'partnerAgPowered.gdd', to: 'gdd', status: 400 },
    { why: 'a resource type in capitals', from: 'resource-types/Field', to: 'resource-types/FIELD', status: 400 },
  ])('of $why are $status', async ({ from, to, status }) => {
    const changed = path().replace(from === 'FIELD' ? standIn.seed.fieldIds[0]! : from, to);
    expect((await patch(changed, insight)).status).toBe(status);
  });

  test('carry attachments in multipart/form-data alone, with an insight that exists and a file', async () => {
    await patch(path(), insight);
    const attachment = `${gddOf(standIn.seed.fieldIds[0]!)}/insight-attachments/a1`;
    const form = (parts: Readonly<Record<string, string | Blob>>): RequestInit => {
      const body = new FormData();
      for (const [name, value] of Object.entries(parts)) body.set(name, value);
      return { method: 'PATCH', body };
    };
    const file = new Blob([Buffer.from([0xff, 0x00])]);
    expect((await patch(attachment, {})).status).toBe(415);
    expect((await call(attachment, form({ file }))).status).toBe(400);
    expect((await call(attachment, form({ insightId: 'i2', file }))).status).toBe(400);
    expect((await call(attachment, form({ insightId: 'i1' }))).status).toBe(400);
    expect((await call(attachment, form({ insightId: 'i1', other: 'x', file }))).status).toBe(400);
    expect((await call(attachment, form({ insightId: 'i1', file, name: 'n' }))).status).toBe(201);
    expect((await call(attachment, form({ insightId: 'i1', status: 's' }))).json).toMatchObject({
      name: 'n',
      status: 's',
    });
    const broken = { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=x' };
    expect((await call(attachment, { method: 'PATCH', headers: broken, body: '--x\r\nnothing' })).status).toBe(400);
  });
});

describe('what is written', () => {
  const directory = mkdtempSync(join(tmpdir(), 'data-manager-'));
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  test('survives a restart, attachments included; a changed seed stays changed', async () => {
    const kept = await startDataManager({ directory });
    const [fieldId = ''] = kept.seed.fieldIds;
    const put = (path: string, init: RequestInit): Promise<Response> =>
      fetch(`${kept.url}${path}?${VERSION}`, { method: 'PATCH', headers: MERGE_PATCH, ...init });
    await put(`${gddOf(fieldId)}/insights/i1`, { body: JSON.stringify(insight) });
    await put(field(fieldId), { body: '{"name":"Renamed"}' });
    const body = new FormData();
    body.set('insightId', 'i1');
    body.set('file', new Blob(['bytes']));
    await put(`${gddOf(fieldId)}/insight-attachments/a1`, { headers: AUTHORIZED, body });
    await kept.close();
    expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([]);

    const restarted = await startDataManager({ directory });
    const get = (path: string): Promise<Response> =>
      fetch(`${restarted.url}${path}?${VERSION}`, { headers: AUTHORIZED });
    expect(await (await get(`${gddOf(fieldId)}/insights/i1`)).json()).toMatchObject(insight);
    expect(await (await get(`${gddOf(fieldId)}/insight-attachments/a1/file`)).text()).toBe('bytes');
    expect(await (await get(field(fieldId))).json()).toMatchObject({ name: 'Renamed' });
    await restarted.close();
  });

  test('is gone after a reset, and the seed is back', async () => {
    await patch(field('extra'), {});
    await fetch(`${standIn.url}/.control/reset`, { method: 'POST' });
    expect((await call(field('extra'))).status).toBe(404);
    expect((await call(field(standIn.seed.fieldIds[0]!))).status).toBe(200);
  });
});
