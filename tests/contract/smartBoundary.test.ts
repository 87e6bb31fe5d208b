import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { tenantId } from '../../infra/local/standIns/tenants.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { toMapPoint } from '../../shared/geo/grid/grid.js';
import { memorySource } from '../../shared/raster/read/memorySource.js';
import { openRaster } from '../../shared/raster/read/rasterReader.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { call, newJobId, service, tokenOf, untilEnded, type CallOptions, type Reply } from './service.js';
import { writeFarmlandScene } from '../support/farmlandScenes.js';
import { settings, tableOf } from './storage.js';

const PATH = '/solutions/partnerAgPowered.smartBoundary';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** What the secret of the demo licence looks like; it must never be seen. */
const CANARY = 'canary-demo-imagery-secret';

/** The day so many days ago. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const parameters = (changes: object = {}): Record<string, unknown> => ({
  partyId: service.partyId,
  resourceType: 'Farm',
  resourceId: service.farmId,
  imageStartDate: daysAgo(21),
  imageEndDate: daysAgo(10),
  pointOnSurface: service.pointOnSurface,
  ...changes,
});
const create = (jobId: string, body: object = parameters(), options: CallOptions = {}): Promise<Reply> =>
  call(`${PATH}:create`, {
    method: 'POST',
    body: { requestPath: `/v1/smart-boundary/${jobId}`, partnerRequestBody: body },
    ...options,
  });
const named =
  (operation: string) =>
  (jobId: string, options: CallOptions = {}): Promise<Reply> =>
    call(`${PATH}:${operation}`, {
      method: 'POST',
      body: { requestPath: `/v1/smart-boundary/${jobId}` },
      ...options,
    });
const fetchJob = named('fetch');
const cancel = named('cancel');

/** The forms in which the parameters come back. */
const flat = (changes: object = {}): object => ({ ...parameters(changes), resourceType: 'FARM' });
const inModelSpec = (changes: object = {}): object => {
  const { imageStartDate, imageEndDate, pointOnSurface, ...resource } = parameters(changes);
  return { modelSpec: { imageStartDate, imageEndDate, pointOnSurface }, ...resource, resourceType: 'FARM' };
};

beforeAll(async () => {
  // The catalogue of these tests has nothing else of the demo farm.
  const folder = join(dirname(process.env['SERVICE_FILE'] ?? ''), 'scenes');
  for (const [days, looksLike] of [
    [12, '2026-06-12'],
    [17, '2026-06-07'],
  ] as const) {
    await writeFarmlandScene(folder, service.pointOnSurface, { date: daysAgo(days), looksLike });
  }
});

describe('a Smart Boundary job', () => {
  test('is created, runs and leaves the boundary of the field at the point', async () => {
    const jobId = newJobId();
    const created = await create(jobId);
    expect(created.status).toBe(202);
    expect(Object.keys(created.json).sort()).toEqual(
      ['partnerRequestBody', 'id', 'jobCreatedDateTime', 'jobLastActionDateTime', 'message', 'status', 'e2eId'].sort(),
    );
    expect(created.json).toMatchObject({
      id: jobId,
      status: 'WAITING',
      message: expect.stringMatching(/^MESA-01001: /),
      partnerRequestBody: inModelSpec(),
    });
    expect(Number(created.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);

    const seen = new Set<string>();
    const fetched = await untilEnded(async () => {
      const reply = await fetchJob(jobId);
      seen.add(`${String(reply.json.status)} ${String(reply.json.message).slice(0, 9)}`);
      return reply;
    });
    expect(fetched.json).toMatchObject({
      id: jobId,
      e2eId: created.json.e2eId,
      status: 'SUCCEEDED',
      message: expect.stringMatching(/^IMG-02001: /),
      partnerRequestBody: flat(),
      insightId: expect.stringMatching(UUID),
    });
    expect([...seen]).toContain('RUNNING IMG-01002');

    const path = `/v1/insights/${String(fetched.json.insightId)}`;
    const insight = await call(path);
    expect(insight.json).toMatchObject({ insightId: fetched.json.insightId, kind: 'SMART_BOUNDARY', jobId });
    // The field that the synthetic scenes show at the point has 60.7 ha.
    expect(insight.json.areaHectares).toBeGreaterThan(30);
    expect(insight.json.areaHectares).toBeLessThan(75);

    const geoJson = await call(path, { headers: { accept: 'application/geo+json' } });
    expect(geoJson.headers.get('content-type')).toBe('application/geo+json');
    expect(JSON.parse(geoJson.text)).toMatchObject({
      type: 'Feature',
      geometry: insight.json.boundary,
      properties: { areaHectares: insight.json.areaHectares, confidence: insight.json.confidence },
    });
    const picture = await call(path, { headers: { accept: 'image/svg+xml' } });
    expect(picture.headers.get('content-type')).toBe('image/svg+xml');
    expect(picture.text).toMatch(/^<svg .*data:image\/png;base64,iVBOR/s);
    const ground = await fetch(`${service.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${service.jwt}`, accept: 'image/tiff' },
    });
    expect(ground.headers.get('content-type')).toBe('image/tiff; application=geotiff; profile=cloud-optimized');
    const bytes = new Uint8Array(await ground.arrayBuffer());
    expect(bytes.length).toBeLessThanOrEqual(300_000);
    const { grid } = await openRaster(memorySource(bytes));
    const { toPosition } = projectionOf(grid!.epsg);
    const [upperLeft, , lowerRight] = (insight.json.picture as { readonly corners: readonly Position[] }).corners;
    const [fromFile, toFile] = [
      [0, 0],
      [grid!.width, grid!.height],
    ].map((corner) => toPosition(toMapPoint(grid!, corner as [number, number])).map((one) => expect.closeTo(one, 6)));
    expect([upperLeft, lowerRight]).toEqual([fromFile, toFile]);
    expect((await call(path, { headers: { accept: 'text/csv' } })).status).toBe(406);
    expect((await call(path, { token: tokenOf('unlicensed') })).status).toBe(404);
  });

  test('of an id that is taken is 409 IMG-04103, even of ten at the same time', async () => {
    const jobId = newJobId();
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(jobId)));
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(9);
    for (const { json } of refused) {
      expect(json.error).toMatchObject({ code: 'IMG-04103', message: expect.stringMatching(/^IMG-04103: /) });
    }
    await cancel(jobId);
  });

  test('may end FAILED and says why: a farm that does not exist', async () => {
    const jobId = newJobId();
    await create(jobId, parameters({ resourceId: '00000000-0000-4000-8000-000000000000' }));
    const { json } = await untilEnded(() => fetchJob(jobId));
    expect(json).toMatchObject({ status: 'FAILED', message: expect.stringMatching(/^IMG-05001: /) });
    expect(json).not.toHaveProperty('insightId');
    expect((await cancel(jobId)).json.error).toMatchObject({
      code: 'MSIMAGE-04102',
      message: expect.stringMatching(/^MSIMAGE-04102: Invalid job status/),
    });
  });

  test('that is cancelled before its end stays so, without an insight', async () => {
    const jobId = newJobId();
    await create(jobId);
    const cancelled = await cancel(jobId);
    expect(cancelled.status).toBe(200);
    expect(cancelled.json).toMatchObject({
      status: 'CANCELLED',
      message: expect.stringMatching(/^MSIMAGE-02002: /),
      partnerRequestBody: inModelSpec(),
    });
    expect((await cancel(jobId)).json.error.code).toBe('MSIMAGE-04102');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const { json } = await fetchJob(jobId);
    expect(json.status).toBe('CANCELLED');
    expect(json).not.toHaveProperty('insightId');
  });

  test.each([
    ['fetch', fetchJob],
    ['cancel', cancel],
  ])('%s of an unknown job is 404 IMG-04101', async (operation, send) => {
    const { status, json } = await send(newJobId());
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ code: 'IMG-04101', message: expect.stringMatching(/^IMG-04101: /) });
    if (operation === 'fetch') expect(json.errors).toEqual([json.error]);
  });
});

describe('a body that breaks a rule is 400 IMG-04100 and names', () => {
  test.each<[string, object, RegExp]>([
    [
      '15 days',
      { imageStartDate: daysAgo(25) },
      /imageEndDate is 15 days after imageStartDate; at most 14 are allowed/,
    ],
    ['an end before the start', { imageStartDate: daysAgo(5) }, /imageEndDate is before imageStartDate/],
    [
      'a day in the future',
      { imageStartDate: daysAgo(-3), imageEndDate: daysAgo(-3) },
      /imageEndDate is in the future/,
    ],
    [
      'days before Sentinel-2',
      { imageStartDate: '2015-06-22', imageEndDate: '2015-06-30' },
      /imageStartDate is before 2015-06-23, when Sentinel-2 was launched; choose a later day/,
    ],
    ['a day that does not exist', { imageEndDate: '2026-02-30' }, /imageEndDate must be a calendar day/],
    ['another resource type', { resourceType: 'Field' }, /resourceType must be one of Farm/],
    ['a farm that is no UUID', { resourceId: 'x' }, /resourceId must be a UUID/],
    ['the URN of a farm', { resourceId: `urn:uuid:${service.farmId}` }, /must be a UUID.* without `urn:uuid:`/],
    ['a point as a list', { pointOnSurface: [-92.98, 41.5] }, /pointOnSurface must be an object/],
    ['a longitude off the globe', { pointOnSurface: { longitude: 181, latitude: 0 } }, /longitude must be 180 or less/],
    ['a latitude without imagery', { pointOnSurface: { longitude: 0, latitude: 84 } }, /latitude is beyond 83 degrees/],
    ['a point without latitude', { pointOnSurface: { longitude: 0 } }, /pointOnSurface\.latitude is missing/],
    ['an unknown property', { crop: 'CORN' }, /partnerRequestBody\.crop is not a known property/],
  ])('%s', async (_what, changes, message) => {
    const { status, json } = await create(newJobId(), parameters(changes));
    expect(status).toBe(400);
    expect(json.error.code).toBe('IMG-04100');
    expect(json.error.message).toMatch(/^IMG-04100: /);
    expect(json.error.message).toMatch(message);
  });

  test('another path of the request', async () => {
    const body = { requestPath: '/v1/gdd/a', partnerRequestBody: parameters() };
    const { status, json } = await call(`${PATH}:create`, { method: 'POST', body });
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/requestPath must be \/v1\/smart-boundary\/<job id>/);
  });

  test('nothing that is at its limit: 14 days, today, the whole globe of the imagery', async () => {
    for (const changes of [
      { imageStartDate: daysAgo(24) },
      { imageStartDate: daysAgo(0), imageEndDate: daysAgo(0) },
      { pointOnSurface: { longitude: -180, latitude: 83 } },
    ]) {
      const jobId = newJobId();
      expect((await create(jobId, parameters(changes))).status).toBe(202);
      await cancel(jobId);
    }
  });
});

const tenants = JSON.parse(settings['TENANTS'] ?? '{}') as Record<string, { readonly keyVaultUrl: string }>;
const vaultUrl = tenants[tenantId('demo')]!.keyVaultUrl;

/** Tells the vault what goes wrong with the next reads of the other tenant's client id. */
function scriptVault(fault: object): Promise<number> {
  const body = JSON.stringify({ path: 'other-imagery-client-id', ...fault });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${vaultUrl}/.control/faults`,
      { method: 'POST', ca: readFileSync(service.caFile) },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the licence in the key vault', () => {
  const other = tokenOf('unlicensed');
  const theirs = (): Record<string, unknown> => parameters({ partyId: '8f3b2e7c-5d90-4c16-a2f8-b7d4e1c6a922' });

  test('that is missing: 403 IMG-04104, and nothing is stored', async () => {
    const jobId = newJobId();
    const { status, json } = await create(jobId, theirs(), { token: other });
    expect(status).toBe(403);
    expect(json.error).toMatchObject({
      code: 'IMG-04104',
      message: expect.stringMatching(/^IMG-04104: .*has no secret other-imagery-client-id\. Store client id/),
    });
    expect((await fetchJob(jobId, { token: other })).status).toBe(404);
  });

  test('that may not be read: 403 IMG-04104', async () => {
    expect(await scriptVault({ kind: 'status', status: 403 })).toBe(204);
    const { status, json } = await create(newJobId(), theirs(), { token: other });
    expect([status, json.error.code]).toEqual([403, 'IMG-04104']);
    expect(json.error.message).toMatch(/does not let this service read/);
  });

  test.each([
    ['away', { kind: 'drop', times: 3 }],
    ['failing', { kind: 'status', status: 503, times: 3 }],
    ['throttled', { kind: 'status', status: 429, retryAfter: '1', times: 4 }],
    ['silent', { kind: 'hang', times: 3 }],
  ])('in a vault that is %s: 503 with Retry-After, and nothing is stored', async (_what, fault) => {
    await scriptVault(fault);
    const jobId = newJobId();
    const { status, headers, json } = await create(jobId, theirs(), { token: other });
    expect([status, json.error.code]).toEqual([503, 'ServiceUnavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetchJob(jobId, { token: other })).status).toBe(404);
  });

  test('is asked for after the body and the id: their faults come first', async () => {
    const { status } = await create(newJobId(), { ...theirs(), resourceType: 'x' }, { token: other });
    expect(status).toBe(400);
  });

  test('has its secret in no table, no log and no answer', async () => {
    for (const name of ['work', 'limits']) {
      for await (const row of tableOf(name).listEntities()) expect(JSON.stringify(row)).not.toContain(CANARY);
    }
    const log = readFileSync(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'output.log'), 'utf8');
    expect(log.length).toBeGreaterThan(1000);
    expect(log).not.toContain(CANARY);
  });
});

describe('another tenant', () => {
  test('neither sees nor cancels a job', async () => {
    const jobId = newJobId();
    await create(jobId);
    const other = tokenOf('unlicensed');
    expect((await fetchJob(jobId, { token: other })).status).toBe(404);
    expect((await cancel(jobId, { token: other })).status).toBe(404);
    expect((await cancel(jobId)).status).toBe(200);
  });
});
