import { expect, test } from '@jest/globals';
import { farmService } from './farmService.js';
import { FarmWorld } from './farmWorld.js';
import { TENANT } from './landInMemory.js';

const target = (path: string): string => `${path}?api-version=2023-11-01-preview`;

test('a property that is a number keeps every digit: as a text where a double would lose some', async () => {
  const call = farmService(new FarmWorld());
  const path = target('/parties/party');
  const body = '{"properties":{"registry":2305843009223239036,"ha":12.5,"count":9007199254740991}}';
  const properties = { registry: '2305843009223239036', ha: 12.5, count: 9007199254740991 };
  expect(await call({ tenant: TENANT }, 'PATCH', path, { body })).toMatchObject({ status: 201, json: { properties } });
  const { json } = await call({ tenant: TENANT }, 'GET', path);
  expect(json).toMatchObject({ properties });
  // A whole resource is sent back, and found by what it has.
  expect(await call({ tenant: TENANT }, 'PATCH', path, { body: json })).toMatchObject({ json: { properties } });
  const filter = encodeURIComponent('registry eq 2305843009223239036');
  const found = await call({ tenant: TENANT }, 'GET', `${target('/parties')}&propertyFilters=${filter}`);
  expect(found.json.value).toMatchObject([{ id: 'party' }]);
});

test.each(['application/json', 'application/merge-patch+json; charset=utf-8'])(
  'a change that is sent as %s is a merge patch, whose null takes a member away',
  async (type) => {
    const call = farmService(new FarmWorld());
    const put = (body: object) =>
      call({ tenant: TENANT }, 'PATCH', target('/parties/party'), { body, headers: { 'content-type': type } });
    expect(await put({ name: 'Miller', source: 'import' })).toMatchObject({ status: 201 });
    const changed = await put({ source: null });
    expect(changed).toMatchObject({ status: 200, json: { name: 'Miller' } });
    expect(changed.json).not.toHaveProperty('source');
  },
);
