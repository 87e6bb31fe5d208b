import { beforeAll, describe, expect, test } from '@jest/globals';
import { LandStore } from '../../shared/farm/land/landStore.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import { farmOf, newTenant, pagesOf, square, type FarmCalls } from './farmCalls.js';
import { service } from './service.js';
import { blobsOf, rowsOf } from './storage.js';

const DAY = '2026-05-';
/** 10:00 on that day of May 2026. */
const at = (day: number): number => Date.parse(`${DAY}${String(day).padStart(2, '0')}T10:00:00.250Z`);

let calls: FarmCalls;
let tid: string;
const store = new LandStore(rowsOf, blobsOf('farm-data'));

/** Stored as an import stores it: creation by creation would take its time. */
const insert = async (kind: LandKind, partyId: string, id: string, more: object = {}): Promise<void> => {
  const authorship = { createdAt: at(1), createdBy: 'tests', modifiedAt: at(1), modifiedBy: 'tests' };
  const key = { kind, tenant: tid, partyId, id };
  await store.insert(key, { kind, partyId, id, eTag: `${partyId}-${id}`, ...authorship, ...more });
};

/** Three parties, each with a farm and 15 fields; those of farm `farm` are every other one. */
beforeAll(async () => {
  tid = await newTenant();
  calls = farmOf(tid, 'Farm.Read');
  for (const [number, party] of ['a', 'b', 'c'].entries()) {
    await insert('party', party, party, { name: `Party ${party}`, createdAt: at(1 + number) });
    await insert('farm', party, 'farm', { name: `Farm, of ${party}` });
    const fields = Array.from({ length: 15 }, (_, k) => {
      const farm = k % 2 === 0 ? { farmId: 'farm' } : {};
      const common = { name: k === 3 ? 'North, wet' : `Field ${k}`, status: k % 3 === 0 ? 'Sown' : 'Bare' };
      const properties = { soil: k % 2 === 0 ? 'clay' : 'sand, fine', number: k };
      const times = { createdAt: at(1 + k), modifiedAt: at(10 + k) };
      return insert('field', party, `f${String(k).padStart(2, '0')}`, { ...farm, ...common, properties, ...times });
    });
    await Promise.all(fields);
  }
});

const idsOf = (json: { readonly value: readonly { readonly partyId?: string; readonly id: string }[] }): string[] =>
  json.value.map(({ partyId, id }) => (partyId === undefined ? id : `${partyId}/${id}`));
const listed = async (path: string, query = ''): Promise<string[]> => {
  const { status, json, text } = await calls.get(path, query);
  if (status !== 200) throw new Error(text);
  return idsOf(json);
};

describe('a list', () => {
  test.each([
    ['/parties', 3],
    ['/farms', 3],
    ['/parties/b/farms', 1],
    ['/fields', 45],
    ['/parties/b/fields', 15],
    ['/parties/nobody/fields', 0],
  ])('%s has %i, in order, without geometries, on one page', async (path, count) => {
    const { json } = await calls.get(path);
    expect(json.value).toHaveLength(count);
    expect(idsOf(json)).toEqual([...idsOf(json)].sort());
    expect(Object.keys(json)).toEqual(['value']);
    expect((json.value as readonly object[]).some((each) => 'geometry' in each)).toBe(false);
  });

  test.each(['maxPageSize=10', '%24maxPageSize=10', '$maxPageSize=20'])(
    'goes on by its links to the end: %s',
    async (query) => {
      const pages = await pagesOf(calls, '/fields', query);
      const size = Number(/\d+$/.exec(query)?.[0]);
      expect(pages).toHaveLength(Math.ceil(45 / size));
      expect(pages.flatMap(({ json }) => idsOf(json))).toEqual(await listed('/fields'));
      for (const { json } of pages.slice(0, -1)) {
        expect(json.nextLink).toMatch(new RegExp(`^${service.baseUrl}/fields\\?.*api-version=2023-11-01-preview`));
        expect(json.skipToken).toBe(new URL(json.nextLink as string).searchParams.get('skipToken'));
      }
    },
  );

  test.each([
    'maxPageSize=9',
    'maxPageSize=1001',
    'maxPageSize=x',
    'maxPageSize=10&maxPageSize=20',
    'maxPageSize=10&$maxPageSize=10',
  ])('has no page of another size: %s is 400', async (query) => {
    const { status, json } = await calls.get('/fields', query);
    expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
  });

  test.each(['name=Field', 'statusses=Sown', 'top=5', 'Ids=f01'])(
    'takes no parameter that it does not know: %s',
    async (query) => {
      const { status, json } = await calls.get('/fields', query);
      expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
      expect(json.error.message).toMatch(
        /^The query parameter \w+ is unknown; this operation takes api-version, ids, /,
      );
    },
  );

  test('goes on with the token of another list, other filters or none of ours never: 400', async () => {
    const { json } = await calls.get('/fields', 'maxPageSize=10&statuses=Bare');
    const token = `skipToken=${json.skipToken as string}`;
    expect((await calls.get('/fields', `${token}&maxPageSize=20&statuses=Bare`)).status).toBe(200);
    for (const [path, query] of [
      ['/fields', token],
      ['/fields', `${token}&statuses=Sown`],
      ['/parties/a/fields', `${token}&statuses=Bare`],
      ['/farms', token],
      ['/fields', `${token.slice(0, -5)}&statuses=Bare`],
      ['/fields', 'skipToken=%25%25'],
    ] as const) {
      const { status, json: error } = await calls.get(path, query);
      expect([path, query, status, error.error?.code]).toEqual([path, query, 400, 'InvalidRequest']);
    }
  });
});

describe('a filter', () => {
  test.each<[string, string, string[]]>([
    ['/parties/a/fields', 'ids=f01&ids=f02', ['a/f01', 'a/f02']],
    ['/parties/a/fields', 'ids=f01,f02', ['a/f01', 'a/f02']],
    ['/parties/a/fields', 'ids=f01%2Cf02&ids=f03', ['a/f01', 'a/f02', 'a/f03']],
    ['/fields', 'ids=f01,nobody', ['a/f01', 'b/f01', 'c/f01']],
    ['/fields', 'names=North%2C%20wet', ['a/f03', 'b/f03', 'c/f03']],
    ['/parties/a/fields', 'names=Field 1,Field 2', ['a/f01', 'a/f02']],
    ['/parties/a/fields', 'farmIds=farm&names=Field 1,Field 2', ['a/f02']],
    ['/parties/a/fields', 'statuses=Sown,Gone', ['a/f00', 'a/f03', 'a/f06', 'a/f09', 'a/f12']],
    ['/parties/a/fields', 'propertyFilters=number eq 7', ['a/f07']],
    ['/parties/a/fields', 'propertyFilters=number eq 7&propertyFilters=number eq 8', ['a/f07', 'a/f08']],
    ['/parties/a/fields', 'propertyFilters=soil eq sand, fine&ids=f01,f02', ['a/f01']],
    ['/parties', `minCreatedDateTime=${DAY}02T10:00:00Z`, ['b', 'c']],
    ['/parties', `maxCreatedDateTime=${DAY}02T10:00:00Z`, ['a', 'b']],
    ['/parties', `minCreatedDateTime=${DAY}02T10:00:00`, ['b', 'c']],
    ['/parties', `minCreatedDateTime=${DAY}02T10:00:00.9999999Z`, ['b', 'c']],
    ['/parties', `minCreatedDateTime=${DAY}02T12:00:00%2B02:00`, ['b', 'c']],
    ['/parties', `minCreatedDateTime=${DAY}02T12:00:00+02:00`, ['b', 'c']],
    ['/parties/a/fields', `minLastModifiedDateTime=${DAY}24T00:00:00.000Z`, ['a/f14']],
    ['/parties/a/fields', `maxLastModifiedDateTime=${DAY}10T23:59:59Z`, ['a/f00']],
    ['/farms', 'names=Farm, of b', ['b/farm']],
  ])('%s?%s', async (path, query, expected) => {
    // No maximum is shown to the second: what was stored within it counts as it.
    expect(await listed(path, query)).toEqual(expected);
  });

  test.each([
    'minCreatedDateTime=2026-02-30T00:00:00Z',
    'minCreatedDateTime=yesterday',
    'maxLastModifiedDateTime=2026-05-01',
    'propertyFilters=soil',
    `ids=${'a,'.repeat(100)}a`,
  ])('that has another form is 400: %s', async (query) => {
    const { status, json } = await calls.get('/fields', query);
    expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
  });
});

describe('a search for fields', () => {
  const search = (body: object, query = '') => calls.farm('POST', '/fields:search', { body, query });

  test.each<[object, string[]]>([
    [{ partyId: 'a', ids: ['f01', 'f02'] }, ['a/f01', 'a/f02']],
    [{ ids: ['f01'] }, ['a/f01', 'b/f01', 'c/f01']],
    [{ partyId: 'a', farmIds: ['farm'], statuses: ['Sown'] }, ['a/f00', 'a/f06', 'a/f12']],
    [{ partyId: 'a', names: null, propertyFilters: ['number eq 7'], intersectsWithGeometry: null }, ['a/f07']],
    [{ partyId: 'b', minCreatedDateTime: `${DAY}15T00:00:00` }, ['b/f14']],
    [{ intersectsWithGeometry: square }, []],
    [{ partyId: 'nobody' }, []],
  ])('for %j', async (body, expected) => {
    const { status, json } = await search(body);
    expect([status, idsOf(json)]).toEqual([200, expected]);
  });

  test('goes on with the same body and the token of the page', async () => {
    const first = await search({}, 'maxPageSize=30');
    const second = await search({}, `maxPageSize=30&skipToken=${first.json.skipToken as string}`);
    expect([...idsOf(first.json), ...idsOf(second.json)]).toEqual(await listed('/fields'));
    expect(second.json).not.toHaveProperty('nextLink');
    expect((await search({ statuses: ['Sown'] }, `skipToken=${first.json.skipToken as string}`)).status).toBe(400);
  });

  test.each([[{ partyIds: ['a'] }], [{ ids: 'f01' }], [{ partyId: 'a|b' }], [[]], [{ intersectsWithGeometry: {} }]])(
    'for %j is refused: 400',
    async (body) => {
      const { status, json } = await search(body);
      expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
    },
  );

  test('wants JSON: 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await calls.farm('POST', '/fields:search', { body: '{}', headers })).status).toBe(415);
  });
});

describe('a page that a rare filter leaves empty', () => {
  test('has a link, and behind it comes what was looked for', async () => {
    const crowded = await newTenant();
    const rows = rowsOf('farmFields');
    const row = (id: string, name: string) => ({
      ...{ id, partyId: 'p', eTag: id, name, farmKey: '', isDeleting: false },
      ...{ createdAt: at(1), createdBy: 'tests', modifiedAt: at(1), modifiedBy: 'tests' },
    });
    const ids = Array.from({ length: 5_200 }, (_, k) => `f${String(k).padStart(5, '0')}`);
    for (let start = 0; start < ids.length; start += 100) {
      const inserts = ids.slice(start, start + 100).map((id) => ({ insert: id, value: row(id, 'usual') }));
      await rows.transact(`${crowded}|p`, inserts);
    }
    await rows.insert(`${crowded}|p`, 'z', row('z', 'rare'));
    const pages = await pagesOf(farmOf(crowded), '/parties/p/fields', 'names=rare');
    expect(pages.map(({ json }) => idsOf(json))).toEqual([[], ['p/z']]);
  });
});
