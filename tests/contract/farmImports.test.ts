import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/kit/clock.js';
import { randomId } from '../../shared/kit/ids.js';
import { importTenants } from '../../shared/access/tenants/manageTenants.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { aSubmittedRequest } from '../enrollments/builders.js';
import { collectionOf, featureAt, someFeatures } from '../farm/imports/importWorld.js';
import { kmlText, placemark, polygonElement } from '../farm/kml.js';
import { zipped, zippedSquares } from '../farm/shapefiles.js';
import { submissionParts } from '../support/multipart.js';
import { getEnrollment, newCustomer, submitParts, untilIngested } from './enrollmentCalls.js';
import { call, tokenOf, type CallOptions, type Reply } from './service.js';
import { blobsOf, rowsOf } from './storage.js';

const GEO_JSON = 'application/geo+json';
const VERSION = 'api-version=2023-11-01-preview';

/** A tenant, served when this returns, with a party and a farm. */
async function aTenant(): Promise<string> {
  const tid = randomUUID();
  const operator = {
    tenants: new TenantStore(rowsOf('tenants'), randomId),
    hasJobs: () => Promise.resolve(true),
    hasFarmData: () => Promise.resolve(true),
    clock: systemClock,
    by: 'tests',
  };
  await importTenants(operator)(JSON.stringify({ [tid]: {} }));
  while ((await asFarmer(tid, '/v1/imports/none')).status === 401) await new Promise((done) => setTimeout(done, 250));
  for (const path of ['/parties/party', '/parties/party/farms/home']) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const put = await asFarmer(tid, `${path}?${VERSION}`, { method: 'PATCH', headers, body: '{}' });
    if (put.status !== 201) throw new Error(put.text);
  }
  return tid;
}

const asFarmer = (tid: string, path: string, options: CallOptions = {}, roles = 'Farm.ReadWrite'): Promise<Reply> =>
  call(path, { token: tokenOf(tid, '--roles', roles), ...options });

interface Sent {
  readonly query?: string;
  readonly type?: string;
  readonly key?: string;
}

const send = (tid: string, body: string | Uint8Array, { query = 'partyId=party', type = GEO_JSON, key }: Sent = {}) =>
  asFarmer(tid, `/v1/imports?${query}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body,
  });

/** Sends a file and waits until its import has ended. */
async function imported(tid: string, ...given: [body: string | Uint8Array, sent?: Sent]): Promise<Reply> {
  const accepted = await send(tid, ...given);
  expect([accepted.status, accepted.text]).toEqual([202, accepted.text]);
  const path = new URL(accepted.headers.get('location') ?? '').pathname;
  for (;;) {
    const reply = await asFarmer(tid, path, {}, 'Farm.Read');
    if (!['Waiting', 'Running'].includes(reply.json?.status)) return reply;
    await new Promise((done) => setTimeout(done, 250));
  }
}

interface Collection {
  readonly features: readonly { readonly properties: { readonly field_id: string; readonly name: string } }[];
  readonly links?: readonly { readonly href: string }[];
}

const geoJsonOf = async (tid: string, query = ''): Promise<Collection> =>
  JSON.parse((await asFarmer(tid, `/v1/parties/party/fields.geojson${query}`, {}, 'Farm.Read')).text) as Collection;

describe('an import over HTTP', () => {
  let tid: string;
  beforeAll(async () => {
    tid = await aTenant();
  });

  test('of GeoJSON writes its fields, tells of those that it could not, and leaves no file', async () => {
    const features = [...(JSON.parse(someFeatures(120)) as { features: object[] }).features, { type: 'Feature' }];
    const done = await imported(tid, collectionOf(features), { query: 'partyId=party&farmId=home' });
    expect(done.json).toMatchObject({
      status: 'Succeeded',
      total: 121,
      written: 120,
      failed: 1,
      errors: [{ index: 120, code: 'InvalidRequest', message: 'The feature has no geometry.' }],
    });
    expect(await blobsOf('farm-data').list(`${tid}/$imports/`)).toEqual([]);
    const read = await geoJsonOf(tid, '?limit=1000');
    expect(read.features).toHaveLength(120);
    expect(read.features[0]?.properties).toMatchObject({ party_id: 'party', farm_id: 'home', enrollable: true });
  });

  test('of a zipped shapefile writes its fields; one without a reference system is refused with what helps', async () => {
    const other = await aTenant();
    const type = 'application/zip';
    const done = await imported(other, zippedSquares(30), {
      type,
      query: 'partyId=party&idProperty=ID&nameProperty=NAME',
    });
    expect(done.json).toMatchObject({ status: 'Succeeded', total: 30, written: 30 });
    const names = (await geoJsonOf(other)).features.map((each) => each.properties.name);
    expect(new Set(names).size).toBe(30);
    const refused = await send(other, zipped({ 'a.shp': Buffer.alloc(100), 'a.dbf': Buffer.alloc(40) }), { type });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'InvalidRequest']);
    expect(refused.json.error.message).toContain('ogr2ogr -t_srs EPSG:4326');
  });

  test('of KML and KMZ writes its fields', async () => {
    const other = await aTenant();
    const corners = (west: number): string => `${west},55 ${west + 0.01},55 ${west},55.01 ${west},55`;
    const text = (name: string, west: number): string => kmlText(placemark(polygonElement(corners(west)), name));
    const kml = await imported(other, text('North', 9), { type: 'application/vnd.google-earth.kml+xml' });
    const packed = zipped({ 'doc.kml': text('South', 10), 'files/icon.png': 'x' });
    const kmz = await imported(other, packed, { type: 'application/vnd.google-earth.kmz' });
    expect([kml.json, kmz.json]).toMatchObject([{ written: 1 }, { written: 1 }]);
    const names = (await geoJsonOf(other)).features.map((each) => each.properties.name);
    expect(names.toSorted()).toEqual(['North', 'South']);
  });

  test('of an export writes parties, farms and fields under their own ids', async () => {
    const other = await aTenant();
    const lines = [
      { path: '/parties/p2', resource: { id: 'p2', name: 'Second' } },
      { path: '/parties/p2/farms/f', resource: { id: 'f', partyId: 'p2' } },
      { path: '/parties/p2/fields/north', resource: { id: 'north', farmId: 'f', geometry: featureAt(0).geometry } },
      { path: '/parties/p2/fields/south', resource: { farmId: 'none' } },
    ];
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const done = await imported(other, body, { type: 'application/x-ndjson', query: '' });
    expect(done.json).toMatchObject({ status: 'Succeeded', total: 4, written: 3, failed: 1 });
    expect(done.json.errors).toMatchObject([{ index: 3, id: 'south', code: 'ResourceNotFound' }]);
    const field = await asFarmer(other, `/parties/p2/fields/north?${VERSION}`);
    expect(field.json).toMatchObject({ id: 'north', farmId: 'f', geometry: featureAt(0).geometry });
  });

  test('under one Idempotency-Key is one; with another file it is refused', async () => {
    const key = randomUUID();
    const first = await send(tid, someFeatures(2), { key });
    const again = await send(tid, someFeatures(2), { key });
    expect([first.status, again.status, again.json.id]).toEqual([202, 202, first.json.id]);
    const other = await send(tid, someFeatures(3), { key });
    expect([other.status, other.json.error.code]).toEqual([409, 'Conflict']);
    expect((await send(tid, someFeatures(2), { key: 'two words' })).status).toBe(422);
  });

  test.each([
    { why: 'another content type', sent: { type: 'application/json' }, status: 415, code: 'UnsupportedMediaType' },
    { why: 'no party', sent: { query: '' }, status: 400, code: 'InvalidRequest' },
    { why: 'a mode that is none', sent: { query: 'partyId=party&mode=guess' }, status: 400, code: 'InvalidRequest' },
    { why: 'an unknown parameter', sent: { query: 'partyId=party&farm=1' }, status: 400, code: 'InvalidRequest' },
    { why: 'an id that none can be', sent: { query: 'partyId=a%2Fb' }, status: 400, code: 'InvalidRequest' },
    { why: 'an unknown party', sent: { query: 'partyId=nobody' }, status: 404, code: 'ResourceNotFound' },
    { why: 'an unknown farm', sent: { query: 'partyId=party&farmId=none' }, status: 404, code: 'ResourceNotFound' },
  ])('is refused with $why: $status', async ({ sent, status, code }) => {
    const reply = await send(tid, someFeatures(1), sent);
    expect([reply.status, reply.json.error.code]).toEqual([status, code]);
  });

  test('above 50 MB is refused: 413', async () => {
    const reply = await send(tid, new Uint8Array(50 * 1024 * 1024 + 1));
    expect([reply.status, reply.json.error.code]).toEqual([413, 'PayloadTooLarge']);
  });

  test('needs a token, and the role to write; of another tenant it is not there', async () => {
    const post = { method: 'POST', headers: { 'content-type': GEO_JSON }, body: someFeatures(1) };
    expect((await call('/v1/imports?partyId=party', { ...post, token: null })).status).toBe(401);
    for (const roles of ['Farm.Read', 'Jobs.ReadWrite']) {
      expect((await asFarmer(tid, '/v1/imports?partyId=party', post, roles)).status).toBe(403);
    }
    const { json } = await send(tid, someFeatures(1));
    const other = await aTenant();
    expect((await asFarmer(other, `/v1/imports/${json.id}`)).status).toBe(404);
    expect((await asFarmer(other, '/v1/parties/nobody/fields.geojson')).status).toBe(404);
  });
});

describe('the fields of a party as GeoJSON', () => {
  test('are an enrollment when they are submitted as they are', async () => {
    const tid = await aTenant();
    await imported(tid, someFeatures(5));
    const answer = await asFarmer(tid, '/v1/parties/party/fields.geojson?idPrefix=party', {}, 'Farm.Read');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, GEO_JSON]);
    const { apiKey } = await newCustomer();
    const submitted = await submitParts(submissionParts(JSON.stringify(aSubmittedRequest()), answer.text), { apiKey });
    expect([submitted.status, submitted.json.total_fields]).toEqual([202, 5]);
    await untilIngested(submitted.json.enrollment_id, apiKey);
    const enrollment = await getEnrollment(submitted.json.enrollment_id, apiKey);
    expect(enrollment.json).toMatchObject({ status: 'completed', errors: null });
  });

  test('go on by their link', async () => {
    const tid = await aTenant();
    await imported(tid, someFeatures(7));
    const seen: string[] = [];
    let query = '?limit=3';
    for (;;) {
      const page = await geoJsonOf(tid, query);
      seen.push(...page.features.map((each) => each.properties.field_id));
      const [next] = page.links ?? [];
      if (next === undefined) break;
      query = new URL(next.href).search;
    }
    expect(new Set(seen).size).toBe(7);
  });
});
