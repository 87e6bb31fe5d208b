/** Farm data by our own client, against a service that names another address in its links than the one that is called. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { FieldClient, Refusal } from '../../clients/typescript/index.js';
import { service } from '../contract/service.js';
import { tenantWithInsight } from './farmCallers.js';

/** More than a page of GeoJSON has. */
const FIELDS = 260;
const ids = { partyId: 'grower', farmId: 'home' };

const featureAt = (index: number) => {
  const [west, south] = [9 + 0.01 * (index % 20), 55 + 0.01 * Math.floor(index / 20)];
  const ring = [[west, south], [west + 0.005, south], [west + 0.005, south + 0.005], [west, south]]; // prettier-ignore
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { field_id: `f${index}`, name: `Field ${index}` },
  };
};

const collected = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? [error.status, error.code] : error),
  );

let farm: FieldClient['farm'];
beforeAll(async () => {
  const { token } = await tenantWithInsight();
  ({ farm } = new FieldClient({ baseUrl: service.baseUrl, token: () => token }));
  await farm.parties.put({ partyId: 'grower' }, { name: 'Grower', description: 'Invented' });
  await farm.farms.put(ids, { name: 'Home' });
});

describe('parties, farms and fields', () => {
  test('a merge patch leaves absent members as they are and takes away those that are null', async () => {
    await farm.parties.put({ partyId: 'patched' }, { name: 'Before', description: 'Goes', source: 'Stays' });
    await farm.parties.put({ partyId: 'patched' }, { name: 'After', description: null });
    const party = await farm.parties.get({ partyId: 'patched' });
    expect(party).toMatchObject({ name: 'After', source: 'Stays' });
    expect(party).not.toHaveProperty('description');
  });

  test('neither change nor go while they have another eTag than the caller knows', async () => {
    const old = await farm.farms.put({ partyId: 'grower', farmId: 'changed' }, { name: 'Old' });
    const { eTag } = await farm.farms.put({ partyId: 'grower', farmId: 'changed' }, { name: 'New' }, old.eTag);
    const key = { partyId: 'grower', farmId: 'changed' };
    expect(await refusalOf(farm.farms.put(key, { name: 'Lost' }, old.eTag))).toEqual([412, 'PreconditionFailed']);
    expect(await refusalOf(farm.farms.remove(key, old.eTag))).toEqual([412, 'PreconditionFailed']);
    expect(await farm.farms.get(key)).toMatchObject({ name: 'New', eTag });
    await farm.farms.remove(key, eTag);
    expect(await refusalOf(farm.farms.get(key))).toEqual([404, 'ResourceNotFound']);
  });
});

describe('fields of a file', () => {
  let errors: readonly { readonly index: number }[];
  beforeAll(async () => {
    const line = { type: 'LineString', coordinates: [[9, 55], [9.1, 55.1]] }; // prettier-ignore
    const features = [
      ...Array.from({ length: FIELDS }, (_, index) => featureAt(index)),
      { ...featureAt(0), geometry: line },
    ];
    const file = new Blob([JSON.stringify({ type: 'FeatureCollection', features })], { type: 'application/geo+json' });
    const { id } = await farm.import(file, ids);
    const state = await farm.imported(id);
    expect(state).toMatchObject({ status: 'Succeeded', total: FIELDS + 1, written: FIELDS, failed: 1 });
    ({ errors } = state);
  });

  test('those that cannot be written are told by their place in the file', () => {
    expect(errors.map(({ index }) => index)).toEqual([FIELDS]);
  });

  test('are listed once each, whatever the size of a page', async () => {
    const fields = await collected(farm.fields.list({ partyId: 'grower', farmIds: ['home'], maxPageSize: 100 }));
    expect(new Set(fields.map(({ id }) => id)).size).toBe(FIELDS);
    expect(fields).toHaveLength(FIELDS);
  });

  test('are found by several filters of one name', async () => {
    const names = ['Field 7', 'Field 11'];
    const found = await collected(farm.fields.list({ partyId: 'grower', names }));
    expect(found.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  test('are searched by a geometry, page by page', async () => {
    const box = [[8.9, 54.9], [9.3, 54.9], [9.3, 55.029], [8.9, 55.029], [8.9, 54.9]]; // prettier-ignore
    const area = { type: 'Polygon' as const, coordinates: [box] };
    const found = await collected(farm.search({ partyId: 'grower', intersectsWithGeometry: area }));
    const wanted = Array.from({ length: 60 }, (_, index) => `Field ${index}`);
    expect(found.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
  });

  test('are one collection of GeoJSON', async () => {
    const { type, features, ...more } = await farm.fieldsGeoJson('grower');
    expect([type, features.length, more]).toEqual(['FeatureCollection', FIELDS, {}]);
  });
});

test('insights are listed for the field that they are about', async () => {
  const owner = { partyId: 'planted', modelId: 'partnerAgPowered.gdd', resourceType: 'Field', resourceId: 'field' };
  const [insight, ...others] = await collected(farm.insights(owner));
  expect(others).toEqual([]);
  expect(insight).toMatchObject({ id: 'insight', measurements: { gdd: { value: 212.5 } } });
});
