import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DataManagerStandIn, startDataManager } from '../../../infra/local/standIns/dataManager.js';
import type { ScriptedFault } from '../../../infra/local/standIns/http/faultScript.js';
import type { Clock } from '../../../shared/kit/clock.js';
import type { DataManagerError, InsightKey, InsightWrite } from '../../../shared/jobs/dataManager/dataManager.js';
import { DataManagerClient } from '../../../shared/jobs/dataManager/dataManagerClient.js';
import type { TransportOptions } from '../../../shared/jobs/dataManager/dataManagerTransport.js';

const TOKEN = 'canary.token-that.must-not-leak';
const NOON = new Date('2026-05-01T12:00:00Z');

let standIn: DataManagerStandIn;
let waits: number[] = [];

/** Stands still; a sleep is noted and over at once. */
const clock: Clock = {
  now: () => NOON,
  sleep: (milliseconds) => {
    waits.push(milliseconds);
    return Promise.resolve();
  },
  every: () => () => undefined,
};

function aClient(options: Partial<TransportOptions> = {}): DataManagerClient {
  return new DataManagerClient({
    baseUrl: standIn.url,
    apiVersion: '2023-11-01-preview',
    getToken: () => Promise.resolve(TOKEN),
    clock,
    random: () => 0.5,
    ...options,
  });
}

async function failureOf(call: Promise<unknown>): Promise<DataManagerError> {
  try {
    await call;
  } catch (cause) {
    return cause as DataManagerError;
  }
  throw new Error('the call succeeded');
}

/** The resource as the data manager shows it. */
async function stored(path: string): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const url = `${standIn.url}${path}?api-version=2023-11-01-preview`;
  const response = await fetch(url, { headers: { authorization: 'Bearer reader' } });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

beforeAll(async () => {
  standIn = await startDataManager({ tokenIsValid: (token) => token === TOKEN || token === 'reader' });
});
afterAll(() => standIn.close());
afterEach(() => {
  standIn.script.reset();
  waits = [];
});

describe('reading', () => {
  test('a party and a farm are told by their ids', async () => {
    const { partyId, farmId } = standIn.seed;
    expect(await aClient().getParty(partyId)).toEqual({ id: partyId });
    expect(await aClient().getFarm(partyId, farmId)).toEqual({ id: farmId, partyId });
  });

  test('a field comes with farm, name and a point within it', async () => {
    const { partyId, farmId, fieldIds } = standIn.seed;
    const field = await aClient().getField(partyId, fieldIds[0]!);
    expect(field).toMatchObject({ id: fieldIds[0], partyId, farmId, name: expect.any(String) });
    expect(field.point?.how).toBe('boundary-centroid');
  });

  test('an unknown id is not_found', async () => {
    expect(await failureOf(aClient().getParty('nobody'))).toMatchObject({
      name: 'DataManagerError',
      kind: 'not_found',
      status: 404,
    });
    expect(await failureOf(aClient().getField(standIn.seed.partyId, 'nowhere'))).toMatchObject({ kind: 'not_found' });
  });

  test('a token that is refused is denied, and is not tried again', async () => {
    const failure = await failureOf(
      aClient({ getToken: () => Promise.resolve('stale') }).getParty(standIn.seed.partyId),
    );
    expect(failure).toMatchObject({ kind: 'denied', status: 401 });
    expect(standIn.script.requests()).toHaveLength(1);
  });

  test('every id is encoded, so that it cannot reach another path', async () => {
    await failureOf(aClient().getFarm(standIn.seed.partyId, '../fields/x?y=1#z'));
    expect(standIn.script.requests()[0]!.path).toBe(
      `/parties/${standIn.seed.partyId}/farms/..%2Ffields%2Fx%3Fy%3D1%23z?api-version=2023-11-01-preview`,
    );
  });

  test.each(['', '.', '..', '\ud800'])('the id %j is refused before any call', async (id) => {
    expect(await failureOf(aClient().getParty(id))).toMatchObject({ kind: 'bad_request', status: 0 });
    expect(standIn.script.requests()).toHaveLength(0);
  });
});

describe('insights', () => {
  const key = (): InsightKey => ({
    partyId: standIn.seed.partyId,
    modelId: 'partnerAgPowered.gdd',
    resourceType: 'Field',
    resourceId: standIn.seed.fieldIds[0]!,
    insightId: '51f1b1a2-0000-4000-8000-000000000001',
  });
  const ownerPath = (): string =>
    `/parties/${key().partyId}/models/partnerAgPowered.gdd/resource-types/Field/resources/${key().resourceId}`;
  const insightPath = (): string => `${ownerPath()}/insights/${key().insightId}`;
  /** Where something was written, once for each time. */
  const written = (part: string): readonly string[] =>
    standIn.script.requests().flatMap(({ method, path }) => (method === 'PATCH' && path.includes(part) ? [path] : []));
  const insight: InsightWrite = {
    modelVersion: 'gdd-crops/1',
    from: new Date('2026-05-01T00:00:00.123Z'),
    to: new Date('2026-09-30T23:59:59.999Z'),
    measurements: { gdd: { unit: 'C', value: 812.5 }, forecast: { unit: 'C', value: 12 } },
    name: 'GDD of CORN',
    properties: { crop: 'CORN', days: 153 },
  };
  const attachment = {
    id: 'record-1',
    name: 'insight.json',
    contentType: 'application/json',
    data: Buffer.from([0xff, 0xfe, 0, 0x80]),
  };

  test('are written as a merge patch with times of whole seconds', async () => {
    await aClient().putInsight(key(), insight);
    expect((await stored(insightPath())).json).toMatchObject({
      id: key().insightId,
      resourceType: 'Field',
      modelVersion: 'gdd-crops/1',
      insightStartDateTime: '2026-05-01T00:00:00Z',
      insightEndDateTime: '2026-09-30T23:59:59Z',
      measurements: { gdd: { unit: 'C', value: 812.5 } },
      properties: { crop: 'CORN', days: 153 },
    });
    expect(standIn.script.requests()[0]).toMatchObject({
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
    });
  });

  test('written twice are one insight', async () => {
    await aClient().putInsight(key(), insight);
    await aClient().putInsight(key(), insight);
    const [first, ...others] = written('/insights/');
    expect(others).toEqual([first]);
  });

  test('lose a measurement that is null', async () => {
    await aClient().putInsight(key(), insight);
    await aClient().putInsight(key(), { ...insight, measurements: { forecast: null } });
    expect((await stored(insightPath())).json['measurements']).toEqual({ gdd: { unit: 'C', value: 812.5 } });
  });

  test('carry attachments whose bytes are not changed', async () => {
    await aClient().putInsight(key(), insight);
    await aClient().putInsightAttachment(key(), attachment);
    const { json } = await stored(`${ownerPath()}/insight-attachments/record-1`);
    expect(json).toMatchObject({ insightId: key().insightId, name: 'insight.json', originalFileName: 'insight.json' });
    const url = `${standIn.url}${ownerPath()}/insight-attachments/record-1/file?api-version=2023-11-01-preview`;
    const file = await fetch(url, { headers: { authorization: 'Bearer reader' } });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(attachment.data);
  });

  test('an attachment is sent whole again after a lost answer', async () => {
    await aClient().putInsight(key(), insight);
    standIn.script.add({ kind: 'lose', path: 'insight-attachments' });
    await aClient().putInsightAttachment(key(), attachment);
    const [first, ...others] = written('/insight-attachments/');
    expect(others).toEqual([first]);
    expect((await stored(`${ownerPath()}/insight-attachments/record-1`)).status).toBe(200);
  });

  test('are removed with their attachments, and removing them again is no fault', async () => {
    await aClient().putInsight(key(), insight);
    await aClient().putInsightAttachment(key(), attachment);
    for (const _time of ['first', 'again']) {
      await aClient().removeInsightAttachment(key(), attachment.id);
      await aClient().removeInsight(key());
    }
    expect((await stored(`${ownerPath()}/insight-attachments/${attachment.id}`)).status).toBe(404);
    expect((await stored(insightPath())).status).toBe(404);
  });

  test('that have attachments are not removed before them', async () => {
    await aClient().putInsight(key(), insight);
    await aClient().putInsightAttachment(key(), attachment);
    expect(await failureOf(aClient().removeInsight(key()))).toMatchObject({ kind: 'conflict' });
  });

  test('are removed although the answer is lost', async () => {
    await aClient().putInsight(key(), insight);
    standIn.script.add({ kind: 'lose', method: 'DELETE' });
    await aClient().removeInsight(key());
    expect((await stored(insightPath())).status).toBe(404);
  });

  test('a removal that fails is a failure, not a silent success', async () => {
    standIn.script.add({ kind: 'status', status: 500, method: 'DELETE' });
    expect(await failureOf(aClient().removeInsight(key()))).toMatchObject({ kind: 'unavailable' });
  });

  test('of an unknown field are not_found; a broken body is bad_request', async () => {
    expect(await failureOf(aClient().putInsight({ ...key(), resourceId: 'x' }, insight))).toMatchObject({
      kind: 'not_found',
    });
    const wrong = { ...insight, measurements: { gdd: { value: Number.NaN } } };
    expect(await failureOf(aClient().putInsight(key(), wrong))).toMatchObject({ kind: 'bad_request', status: 400 });
  });
});

describe('a call that fails', () => {
  const read = (options: Partial<TransportOptions> = {}): Promise<unknown> =>
    aClient(options).getParty(standIn.seed.partyId);

  test.each<ScriptedFault & { readonly why: string }>([
    { why: '429', kind: 'status', status: 429 },
    { why: '502', kind: 'status', status: 502 },
    { why: '503', kind: 'status', status: 503 },
    { why: '504', kind: 'status', status: 504 },
    { why: 'a connection cut before the answer', kind: 'drop' },
    { why: 'a connection cut after the write', kind: 'lose' },
    { why: 'half an answer', kind: 'truncate' },
  ])('with $why three times succeeds at the fourth try', async ({ why: _why, ...fault }) => {
    standIn.script.add({ ...fault, times: 3 });
    expect(await read()).toEqual({ id: standIn.seed.partyId });
    expect(standIn.script.requests()).toHaveLength(4);
  });

  test('waits with full jitter from a growing range', async () => {
    standIn.script.add({ kind: 'status', status: 503, times: 3 });
    await read();
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test('without an answer in time is tried again', async () => {
    standIn.script.add({ kind: 'hang' });
    expect(await read({ timeoutMs: 300 })).toEqual({ id: standIn.seed.partyId });
  });

  test('slow but in time is no failure', async () => {
    standIn.script.add({ kind: 'delay', milliseconds: 100 });
    expect(await read({ timeoutMs: 2000 })).toEqual({ id: standIn.seed.partyId });
    expect(standIn.script.requests()).toHaveLength(1);
  });

  test.each([
    { status: 429, kind: 'throttled' },
    { status: 503, kind: 'unavailable' },
  ])('with $status for good is $kind after four tries', async ({ status, kind }) => {
    standIn.script.add({ kind: 'status', status, times: 9 });
    expect(await failureOf(read())).toMatchObject({ kind, status });
    expect(standIn.script.requests()).toHaveLength(4);
  });

  test.each([
    { status: 400, kind: 'bad_request' },
    { status: 401, kind: 'denied' },
    { status: 403, kind: 'denied' },
    { status: 404, kind: 'not_found' },
    { status: 409, kind: 'conflict' },
    { status: 412, kind: 'conflict' },
    { status: 415, kind: 'bad_request' },
    { status: 408, kind: 'unavailable' },
    { status: 500, kind: 'unavailable' },
  ])('with $status is $kind at once, whatever the body says', async ({ status, kind }) => {
    standIn.script.add({ kind: 'status', status, body: '{"error":{"code":"NotFound"}}' });
    expect(await failureOf(read())).toMatchObject({ kind, status });
    expect(standIn.script.requests()).toHaveLength(1);
  });

  test('is unavailable when nobody listens', async () => {
    const closed = await startDataManager();
    await closed.close();
    const failure = await failureOf(aClient({ baseUrl: closed.url }).getParty('p'));
    expect(failure).toMatchObject({ kind: 'unavailable', status: 0 });
    expect(waits).toHaveLength(3);
  });
});

describe('Retry-After', () => {
  const read = (): Promise<unknown> => aClient().getParty(standIn.seed.partyId);

  test.each([
    { why: 'seconds', retryAfter: '7' },
    { why: 'an HTTP date', retryAfter: new Date(NOON.getTime() + 7000).toUTCString() },
  ])('in $why holds the next try back', async ({ retryAfter }) => {
    standIn.script.add({ kind: 'status', status: 429, retryAfter });
    await read();
    expect(waits).toEqual([7500]);
  });

  test('above 60 s ends the call and is told to the caller', async () => {
    standIn.script.add({ kind: 'status', status: 429, retryAfter: '61' });
    expect(await failureOf(read())).toMatchObject({ kind: 'throttled', retryAfterSeconds: 61 });
    expect(waits).toEqual([]);
  });

  test('that cannot be read, or has passed, is no reason to wait longer', async () => {
    standIn.script.add(
      { kind: 'status', status: 503, retryAfter: 'soon' },
      { kind: 'status', status: 503, retryAfter: new Date(0).toUTCString() },
    );
    await read();
    expect(waits).toEqual([500, 1000]);
  });
});

describe('an answer that cannot be believed is unavailable', () => {
  const answerWith = (body: unknown): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    standIn.script.add({ kind: 'status', status: 200, headers: { 'content-type': 'application/json' }, body: text });
  };
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];

  test.each([
    { why: 'no JSON', body: '<html>' },
    { why: 'nothing', body: '' },
    { why: 'a list', body: [] },
    { why: 'no id', body: { partyId: 'p' } },
    { why: 'another field', body: { id: 'g', partyId: 'p' } },
    { why: 'a field of another party', body: { id: 'f', partyId: 'q' } },
    { why: 'a name that is a number', body: { id: 'f', partyId: 'p', name: 5 } },
    { why: 'a geometry that is text', body: { id: 'f', partyId: 'p', geometry: 'x' } },
    { why: 'a line', body: { id: 'f', partyId: 'p', geometry: { type: 'LineString', coordinates: ring } } },
    { why: 'no coordinates', body: { id: 'f', partyId: 'p', geometry: { type: 'Polygon' } } },
    {
      why: 'an open ring',
      body: { id: 'f', partyId: 'p', geometry: { type: 'Polygon', coordinates: [[...ring.slice(0, 3), [0, 1]]] } },
    },
    {
      why: 'a ring of three positions',
      body: { id: 'f', partyId: 'p', geometry: { type: 'Polygon', coordinates: [[...ring.slice(0, 2), [0, 0]]] } },
    },
    { why: 'positions of text', body: { id: 'f', partyId: 'p', geometry: { type: 'Point', coordinates: ['1', '2'] } } },
    {
      why: 'positions off the globe',
      body: { id: 'f', partyId: 'p', geometry: { type: 'Point', coordinates: [1, 91] } },
    },
  ])('$why', async ({ body }) => {
    answerWith(body);
    expect(await failureOf(aClient().getField('p', 'f'))).toMatchObject({ kind: 'unavailable' });
    expect(standIn.script.requests()).toHaveLength(1);
  });

  test('garbage', async () => {
    standIn.script.add({ kind: 'garbage' });
    expect(await failureOf(aClient().getField('p', 'f'))).toMatchObject({ kind: 'unavailable', status: 200 });
  });

  test('more than 8 MiB, of which no more is read', async () => {
    answerWith('"'.padEnd(9 * 1024 * 1024, 'x'));
    expect((await failureOf(aClient().getField('p', 'f'))).message).toMatch('larger than');
  });

  test('yet the point of a field lies outside its hole, and a height is dropped', async () => {
    const ring = (...corners: [number, number][]) => [...corners, ...corners.slice(0, 1)].map((at) => [...at, 300]);
    const rings = [ring([0, 0], [3, 0], [3, 3], [0, 3]), ring([1, 1], [1, 2], [2, 2], [2, 1])];
    answerWith({ id: 'f', partyId: 'p', geometry: { type: 'MultiPolygon', coordinates: [rings] } });
    const { point } = await aClient().getField('p', 'f');
    expect(point).toMatchObject({ how: 'point-on-surface', position: { length: 2 } });
  });

  test('yet neither a null geometry nor a point is an area, and the case of ids does not matter', async () => {
    answerWith({ id: 'F', partyId: 'P', geometry: null });
    expect(await aClient().getField('p', 'f')).toEqual({ id: 'F', partyId: 'P' });
    answerWith({ id: 'f', partyId: 'p', geometry: { type: 'Point', coordinates: [1, 2, 300] } });
    expect(await aClient().getField('p', 'f')).toEqual({ id: 'f', partyId: 'p' });
  });
});

describe('the token', () => {
  test('does not follow a redirect', async () => {
    const seen: (string | undefined)[] = [];
    const foreign = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
    standIn.script.add({ kind: 'status', status: 307, headers: { location } });
    expect(await failureOf(aClient().getParty('p'))).toMatchObject({ kind: 'unavailable', status: 307 });
    foreign.close();
    expect(seen).toEqual([]);
  });

  test('is in no error, even when the data manager says it back', async () => {
    const headers = { 'x-ms-error-code': TOKEN, 'x-ms-request-id': TOKEN };
    standIn.script.add({ kind: 'status', status: 400, headers, body: TOKEN }, { kind: 'garbage' });
    const failures = [
      await failureOf(aClient().getParty('p')),
      await failureOf(aClient().getParty('p')),
      await failureOf(aClient({ getToken: () => Promise.resolve(`${TOKEN}\nx`) }).getParty('p')),
    ];
    for (const failure of failures) {
      expect(JSON.stringify([failure.message, failure.stack, String(failure.cause)])).not.toContain('canary');
    }
  });

  test('that cannot be had makes the call unavailable without a request', async () => {
    const getToken = (): Promise<string> => Promise.reject(new Error('no identity'));
    expect(await failureOf(aClient({ getToken }).getParty('p'))).toMatchObject({ kind: 'unavailable', status: 0 });
    expect(standIn.script.requests()).toHaveLength(0);
  });

  test('that never comes does not hold the call beyond the time of a try', async () => {
    const getToken = (): Promise<string> => new Promise(() => undefined);
    expect(await failureOf(aClient({ getToken, timeoutMs: 50 }).getParty('p'))).toMatchObject({ kind: 'unavailable' });
  });

  test.each(['http://datamanager.example', 'http://127.0.0.1.example', 'ftp://127.0.0.1'])(
    'is never sent to %s',
    (baseUrl) => {
      expect(() => aClient({ baseUrl })).toThrow('must be https');
    },
  );
});

describe('a caller that gives up', () => {
  test('ends the call under way without another try', async () => {
    standIn.script.add({ kind: 'hang', times: 4 });
    const giveUp = new AbortController();
    const call = failureOf(aClient().getParty(standIn.seed.partyId, giveUp.signal));
    while (standIn.script.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    giveUp.abort(new Error('job cancelled'));
    expect(await call).toMatchObject({ kind: 'unavailable', status: 0 });
    expect(standIn.script.requests()).toHaveLength(1);
  });

  test('beforehand makes no call at all', async () => {
    expect(await failureOf(aClient().getParty('p', AbortSignal.abort()))).toMatchObject({ kind: 'unavailable' });
    expect(standIn.script.requests()).toHaveLength(0);
  });
});

test('a base URL with a path keeps it', async () => {
  await failureOf(aClient({ baseUrl: `${standIn.url}/instance/` }).getParty('p'));
  expect(standIn.script.requests()[0]!.path).toMatch(/^\/instance\/parties\/p\?/);
});
