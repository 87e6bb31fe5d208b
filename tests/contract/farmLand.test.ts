import { beforeAll, describe, expect, test } from '@jest/globals';
import { farmOf, newTenant, square, VERSION, withVersion, type FarmCalls } from './farmCalls.js';
import { call, tokenOf } from './service.js';
import { blobsOf } from './storage.js';

let tid: string;
let calls: FarmCalls;
beforeAll(async () => {
  tid = await newTenant();
  calls = farmOf(tid);
  await calls.patch('/parties/party', { name: 'Party' });
  await calls.patch('/parties/party/farms/farm', { name: 'Farm' });
});

const kinds = [
  { kind: 'party', path: (id: string) => `/parties/${id}` },
  { kind: 'farm', path: (id: string) => `/parties/party/farms/${id}` },
  { kind: 'field', path: (id: string) => `/parties/party/fields/${id}` },
];

describe.each(kinds)('a $kind', ({ kind, path }) => {
  test('is created, changed, read and deleted', async () => {
    const { patch, get, remove } = calls;
    const created = await patch(path('one'), { name: 'One', description: 'First', properties: { a: 1, b: 'two' } });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ id: 'one', name: 'One', properties: { a: 1, b: 'two' } });
    const changed = await patch(path('one'), { description: null, properties: { a: null } });
    expect(changed.status).toBe(200);
    expect(changed.json).toMatchObject({ name: 'One', properties: { b: 'two' } });
    expect(changed.json).not.toHaveProperty('description');
    expect(changed.json.eTag).not.toBe(created.json.eTag);
    expect(changed.json.createdDateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const read = await get(path('one'));
    expect([read.status, read.json]).toEqual([200, changed.json]);
    expect((await remove(path('one'))).status).toBe(204);
    expect((await get(path('one'))).status).toBe(404);
    expect((await remove(path('one'))).status).toBe(404);
  });

  test('is written by whom the token names', async () => {
    const { json } = await calls.patch(path('author'), {});
    expect(json.createdBy).toMatch(/^[0-9a-f-]{36}$/);
    expect(json.modifiedBy).toBe(json.createdBy);
  });

  test('is guarded by If-Match and If-None-Match: 412', async () => {
    const { patch, remove } = calls;
    const { json } = await patch(path('guarded'), {}, { 'if-none-match': '*' });
    const refused = await patch(path('guarded'), {}, { 'if-none-match': '*' });
    expect([refused.status, refused.json.error.code]).toEqual([412, 'PreconditionFailed']);
    expect(refused.headers.get('x-ms-error-code')).toBe('PreconditionFailed');
    expect((await patch(path('guarded'), {}, { 'if-match': 'another' })).status).toBe(412);
    expect((await remove(path('guarded'), { 'if-match': '"another"' })).status).toBe(412);
    expect((await patch(path('guarded'), {}, { 'if-match': json.eTag })).status).toBe(200);
    expect((await remove(path('guarded'), { 'if-match': json.eTag })).status).toBe(412);
    expect((await remove(path('guarded'), { 'if-match': '*' })).status).toBe(204);
    expect((await patch(path('nobody'), {}, { 'if-match': '*' })).status).toBe(412);
  });

  test('takes a whole resource back, and names what no resource has', async () => {
    const { patch, get } = calls;
    await patch(path('whole'), { name: 'One', source: 'tests' });
    const whole = (await get(path('whole'))).json as object;
    expect((await patch(path('whole'), { ...whole, name: 'Two', eTag: 'old', boundaryIds: ['x'] })).json.name).toBe(
      'Two',
    );
    const refused = await patch(path('whole'), { ...whole, colour: 'red' });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'InvalidRequest']);
    expect(refused.json.error.message).toMatch(/^colour is no member of this resource, which has name, /);
    expect((await patch(path('whole'), { ...whole, id: 'other' })).status).toBe(400);
  });

  test.each([
    ['name', 'x'.repeat(101)],
    ['description', 'x'.repeat(501)],
    ['status', 'x'.repeat(101)],
    ['source', 'x'],
    ['properties', Object.fromEntries(Array.from({ length: 26 }, (_, k) => [`k${k}`, k]))],
    ['properties', { ['k'.repeat(51)]: 1 }],
    ['properties', { k: 'v'.repeat(151) }],
    ['properties', { k: { deep: 1 } }],
    ['name', 7],
  ])('is refused with a %s beyond its limit: 400', async (member, value) => {
    const { status, json } = await calls.patch(path('limits'), { [member]: value });
    expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
    expect(json.error.message).toContain(member);
  });

  test.each([
    ['application/json', '{}', 201, undefined],
    ['text/plain', '{}', 415, 'UnsupportedMediaType'],
    ['application/merge-patch+json', '{', 400, 'InvalidRequest'],
    ['application/merge-patch+json', '[]', 400, 'InvalidRequest'],
    ['application/merge-patch+json', 'null', 400, 'InvalidRequest'],
    ['application/merge-patch+json', '{"name":"\uD800"}', 201, undefined],
    ['application/merge-patch+json; charset=utf-8', '{}', 200, undefined],
  ])('%s with %s is %i %s', async (type, body, status, code) => {
    const reply = await calls.farm('PATCH', path('types'), { body, headers: { 'content-type': type } });
    if (status === 201) expect([200, 201]).toContain(reply.status);
    else expect(reply.status).toBe(status);
    expect(reply.json.error?.code).toBe(code);
  });

  test('answers HEAD as GET, and nothing that anybody may keep', async () => {
    await calls.patch(path('head'), {});
    const [got, head] = [await calls.get(path('head')), await calls.farm('HEAD', path('head'), { documented: false })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    for (const { headers } of [got, head]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('api-supported-versions')).toBe(
        '2023-11-01-preview, 2023-07-01-preview, 2023-06-01-preview, 2022-11-01-preview',
      );
      expect(headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('is for those with a role for farm data: 401, 403', async () => {
    const body = { 'content-type': 'application/merge-patch+json' };
    const write = (token: string | null) =>
      call(withVersion(path('roles')), { method: 'PATCH', token, body: '{}', headers: body });
    const read = (token: string | null) => call(withVersion(path('roles')), { token });
    expect([(await read(null)).status, (await write(null)).status]).toEqual([401, 401]);
    for (const roles of ['Jobs.ReadWrite', 'none']) {
      const refused = await read(tokenOf(tid, '--roles', roles));
      expect([refused.status, refused.json.error.code]).toEqual([403, 'Forbidden']);
    }
    expect((await write(tokenOf(tid, '--roles', 'Farm.Read'))).status).toBe(403);
    expect((await read(tokenOf(tid, '--roles', 'Farm.Read'))).status).toBe(404);
  });

  test('over 64 KB is 413, but for a field', async () => {
    const reply = await calls.patch(path('big'), { name: 'x', description: 'x'.repeat(70_000) });
    expect(reply.status).toBe(kind === 'field' ? 400 : 413);
    expect(reply.json.error.code).toBe(kind === 'field' ? 'InvalidRequest' : 'PayloadTooLarge');
  });
});

describe('what depends on another', () => {
  test('is refused without it, and keeps it from being deleted: 404, 400, 409', async () => {
    const { patch, remove } = calls;
    const orphan = await patch('/parties/nobody/farms/farm', {});
    expect([orphan.status, orphan.json.error.code]).toEqual([404, 'ResourceNotFound']);
    expect((await patch('/parties/party/fields/f', { farmId: 'nobody' })).status).toBe(400);
    await patch('/parties/full');
    await patch('/parties/full/farms/farm');
    expect((await patch('/parties/full/fields/field', { farmId: 'farm' })).status).toBe(201);
    const full = await remove('/parties/full');
    expect([full.status, full.json.error.code]).toEqual([409, 'Conflict']);
    expect(full.json.error.message).toMatch(/has farms\. Delete them first/);
    expect((await remove('/parties/full/farms/farm')).status).toBe(409);
    expect((await patch('/parties/full/fields/field', { farmId: null })).json).not.toHaveProperty('farmId');
    expect((await remove('/parties/full/farms/farm')).status).toBe(204);
    expect((await remove('/parties/full')).json.error.message).toMatch(/has fields/);
    expect((await remove('/parties/full/fields/field')).status).toBe(204);
    expect((await remove('/parties/full')).status).toBe(204);
  });
});

describe('an id', () => {
  test.each([
    ...['a|b', 'a}b', "a'b", 'a%2Fb', '%25', 'ä', 'a b', 'x'.repeat(101), 'cascade-delete'].map((id) => [id]),
  ])('%s is none: 400', async (id) => {
    for (const path of [`/parties/${encodeId(id)}`, `/parties/party/fields/${encodeId(id)}`]) {
      const reply = await calls.farm('GET', path);
      expect([reply.status, reply.json.error.code]).toEqual([400, 'InvalidRequest']);
    }
  });

  test('with a zero byte reaches nobody: 400', async () => {
    expect((await calls.farm('GET', '/parties/%00')).status).toBe(400);
  });

  test('of 100 letters, digits, dots, hyphens, underscores and tildes is one', async () => {
    const id = 'aZ09._~-'.repeat(12) + 'abcd';
    expect((await calls.patch(`/parties/${id}`)).status).toBe(201);
    expect((await calls.get(`/parties/${id}`)).json.id).toBe(id);
  });

  test('counts by case unless it is a UUID', async () => {
    await calls.patch('/parties/Case');
    expect((await calls.get('/parties/case')).status).toBe(404);
    const uuid = '0F4C4F3E-8F0B-4C7D-9A43-5D2F0C9B7E11';
    await calls.patch(`/parties/${uuid}`, {});
    expect((await calls.get(`/parties/${uuid.toLowerCase()}`)).json.id).toBe(uuid);
  });

  test('comes from the path alone, whatever query and body call by its name', async () => {
    const contradicting = await calls.patch('/parties/party', { PARTYID: 'other' });
    expect(contradicting.status).toBe(400);
    expect((await calls.get('/parties/party', 'PARTYID=other')).status).toBe(400);
    expect((await calls.patch('/parties/party/fields/mine', { partyId: 'other' })).status).toBe(400);
  });
});

const encodeId = (id: string): string => (id.includes('%') ? id : encodeURIComponent(id));

describe('a field of 100,000 positions', () => {
  const large = () => {
    const ring = Array.from({ length: 99_999 }, (_, k): [number, number] => {
      const turn = (2 * Math.PI * k) / 99_999;
      return [10 + 0.01 * Math.cos(turn), 50 + 0.01 * Math.sin(turn)];
    });
    return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  };

  test('is stored and read whole, and leaves nothing behind', async () => {
    const geometry = large();
    const body = JSON.stringify({ geometry });
    expect(body.length).toBeGreaterThan(3_500_000);
    const created = await calls.patch('/parties/party/fields/large', body);
    expect(created.status).toBe(201);
    const { json } = await calls.get('/parties/party/fields/large');
    expect(JSON.stringify(json.geometry) === JSON.stringify(geometry)).toBe(true);
    const files = blobsOf('farm-data');
    expect(await files.list(`${tid}/party/shapes/`)).toHaveLength(1);
    await calls.patch('/parties/party/fields/large', { name: 'Large' });
    expect(await files.list(`${tid}/party/shapes/`)).toHaveLength(1);
    expect((await calls.patch('/parties/party/fields/large', { geometry: square })).json.geometry).toEqual(square);
    expect(await files.list(`${tid}/party/shapes/`)).toHaveLength(0);
  });

  test('is the most: above 4 MB it is 413', async () => {
    const reply = await calls.patch('/parties/party/fields/larger', { geometry: large(), name: 'x'.repeat(500_000) });
    expect([reply.status, reply.json.error.code]).toEqual([413, 'PayloadTooLarge']);
  });
});

describe('a resource that is written by many at once', () => {
  test('has what each of them wrote', async () => {
    const writes = Array.from({ length: 12 }, (_, k) => calls.patch('/parties/many', { properties: { [`k${k}`]: k } }));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
    expect(Object.keys((await calls.get('/parties/many')).json.properties)).toHaveLength(12);
  });
});

describe('a version', () => {
  test.each(['2023-11-01-preview', '2023-07-01-preview', '2023-06-01-preview', '2022-11-01-preview'])(
    '%s is served',
    async (version) => {
      const reply = await call(withVersion('/parties/party', '', version), {
        token: tokenOf(tid, '--roles', 'Farm.Read'),
      });
      expect([reply.status, reply.json.name]).toEqual([200, 'Party']);
    },
  );

  test.each(['', '?api-version=', '?api-version=2021-03-31-preview', `?api-version=${VERSION}&api-version=${VERSION}`])(
    'must be named once, not by "%s": 400',
    async (query) => {
      const reply = await call(`/parties/party${query}`, { token: null });
      expect([reply.status, reply.json.error.code]).toEqual([400, 'UnsupportedApiVersion']);
      expect(reply.json.error.message).toContain('2023-11-01-preview, 2023-07-01-preview');
      expect(reply.headers.get('x-ms-error-code')).toBe('UnsupportedApiVersion');
      expect(reply.headers.get('api-supported-versions')).toContain(VERSION);
    },
  );
});

describe('a path that no operation on farm data has', () => {
  test.each([
    ['GET', '/parties/a/unknown', 404, 'ResourceNotFound', /No operation on farm data has this path/],
    ['GET', '/parties/a/boundaries/b', 404, 'ResourceNotFound', /is its `geometry`: PATCH/],
    ['GET', '/parties/a/seasonal-fields', 404, 'ResourceNotFound', /a degree-day job names crop and days itself/],
    ['GET', '/scenes', 404, 'ResourceNotFound', /Images of fields: POST \/v1\/enrollments\./],
    ['PUT', '/scenes/satellite/ingest-data/j', 404, 'ResourceNotFound', /Images of fields: POST \/v1\/enrollments\./],
    ['POST', '/parties', 405, 'MethodNotAllowed', /takes GET, HEAD, OPTIONS only/],
    ['PUT', '/parties/a', 405, 'MethodNotAllowed', /takes GET, HEAD, PATCH, DELETE, OPTIONS only/],
    ['DELETE', '/fields', 405, 'MethodNotAllowed', /takes GET, HEAD, OPTIONS only/],
    ['GET', '/fields:search', 405, 'MethodNotAllowed', /takes POST, OPTIONS only/],
    ['PATCH', '/farms/cascade-delete/j', 405, 'MethodNotAllowed', /takes PUT, GET, HEAD, OPTIONS only/],
  ])('%s %s is %i %s', async (method, path, status, code, message) => {
    const reply = await call(path, { method, documented: false, token: null });
    expect([reply.status, reply.json?.error?.code]).toEqual([status, code]);
    expect(reply.json.error.message).toMatch(message);
    expect(reply.json.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});
