import { describe, expect, test } from '@jest/globals';
import { checkGeoJson, inspectFields } from '../../../shared/enrollments/upload/uploadTasks.js';
import { fieldCollection, type CollectionQuery } from '../../../shared/farm/operations/fieldCollection.js';
import type { LandKey } from '../../../shared/farm/land/land.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { by, landInMemory, landKey, OTHER_TENANT, partyKey } from '../landInMemory.js';

const square = (x: number, y: number, side: number) => ({
  type: 'Polygon',
  coordinates: [[[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]], // prettier-ignore
});

interface Feature {
  readonly geometry: object;
  readonly properties: { readonly field_id: string; readonly enrollable: boolean; readonly not_enrollable?: string };
}

async function aParty(fields: Readonly<Record<string, object>>) {
  const { land, ports } = landInMemory();
  const put = (key: LandKey, body: object = {}) => putLand(ports)(key, { body: body as Record<string, unknown>, by });
  await put(partyKey());
  await put(landKey('farm', 'home'));
  for (const [id, body] of Object.entries(fields)) await put(landKey('field', id), body);
  const read = async (query: Partial<CollectionQuery> = {}, party = partyKey()) => {
    const { features, next } = await fieldCollection({ land })(party, { limit: 250, hasPrefix: true, ...query });
    const shown = features.map(({ geometry, properties }) => ({
      type: 'Feature',
      geometry: JSON.parse(Buffer.from(geometry).toString('utf8')) as object,
      properties,
    }));
    return { features: shown as unknown as readonly Feature[], ...(next && { next }) };
  };
  return { read };
}

const idsIn = ({ features }: { readonly features: readonly Feature[] }): readonly string[] =>
  features.map(({ properties }) => properties.field_id);

describe('the fields of a party as GeoJSON', () => {
  test('are those with an area, without what is being searched', async () => {
    const { read } = await aParty({
      north: { farmId: 'home', name: 'North field', geometry: square(9, 55, 0.01) },
      point: { geometry: { type: 'Point', coordinates: [9, 55] } },
      nowhere: { name: 'Not drawn yet' },
      searched: { status: 'SearchRegion', geometry: square(9, 55, 0.01) },
    });
    expect(await read()).toEqual({
      features: [
        {
          type: 'Feature',
          geometry: square(9, 55, 0.01),
          properties: {
            field_id: 'party.north',
            party_id: 'party',
            farm_id: 'home',
            name: 'North field',
            enrollable: true,
          },
        },
      ],
    });
    expect(idsIn(await read({ hasPrefix: false }))).toEqual(['north']);
  });

  test('can be submitted as they are: those that are enrollable are taken, the others are not', async () => {
    const { read } = await aParty({
      sound: { geometry: square(9, 55, 0.01) },
      two: {
        geometry: {
          type: 'MultiPolygon',
          coordinates: [square(9, 54, 0.01), square(9.1, 54, 0.01)].map((each) => each.coordinates),
        },
      },
      high: {
        geometry: {
          type: 'Polygon',
          coordinates: square(9, 55, 0.01).coordinates.map((ring) => ring.map(([x, y]) => [x, y, 12])),
        },
      },
      small: { geometry: square(9, 55, 0.00005) },
      large: { geometry: square(9, 55, 0.2) },
      long: { geometry: square(9, 55, 0.8) },
      arctic: { geometry: square(9, 84, 0.01) },
    });
    const { features } = await read();
    const submitted = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features, links: [] }));
    expect(checkGeoJson({ bytes: submitted, fieldLimit: 250 })).toEqual({ fields: 7, faults: [] });
    const taken = new Map(inspectFields(submitted).map(({ fieldId, outcome }) => [fieldId, outcome.fault]));
    expect(taken.size).toBe(7);
    for (const { properties } of features) {
      expect([properties.field_id, properties.enrollable]).toEqual([
        properties.field_id,
        taken.get(properties.field_id) === undefined,
      ]);
      expect(properties.not_enrollable).toBe(taken.get(properties.field_id)?.message);
    }
    expect(features.filter(({ properties }) => properties.enrollable)).toHaveLength(3);
  });

  test('say when an enrollment would refuse their id', async () => {
    const { read } = await aParty({ ['x'.repeat(100)]: { geometry: square(9, 55, 0.01) } });
    const long = await read({ hasPrefix: true });
    expect(long.features[0]?.properties.enrollable).toBe(true);
    const { read: readDot } = await aParty({ 'a.': { geometry: square(9, 55, 0.01) } });
    expect((await readDot()).features[0]?.properties).toMatchObject({
      enrollable: false,
      not_enrollable: 'field_id must not begin or end with a space or a dot',
    });
  });

  test('go on page by page until all have come once', async () => {
    const ids = Array.from({ length: 230 }, (_, index) => `f-${String(index).padStart(3, '0')}`);
    const { read } = await aParty(
      Object.fromEntries(ids.map((id, index) => [id, { geometry: square(9 + index / 100, 55, 0.01) }])),
    );
    const seen: string[] = [];
    let after: CollectionQuery['after'];
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await read({ limit: 50, hasPrefix: false, after });
      seen.push(...idsIn(page));
      after = page.next;
      if (after === undefined) break;
    }
    expect(seen).toEqual(ids);
  });

  test('are those of some farms, or those of some ids, each once', async () => {
    const { read } = await aParty({
      north: { farmId: 'home', geometry: square(9, 55, 0.01) },
      south: { geometry: square(9, 54, 0.01) },
    });
    expect(idsIn(await read({ farmIds: ['home', 'other'] }))).toEqual(['party.north']);
    expect(idsIn(await read({ ids: ['south', 'north', 'south', 'none'] }))).toEqual(['party.north', 'party.south']);
    expect(idsIn(await read({ ids: ['south', 'north'], farmIds: ['home'] }))).toEqual(['party.north']);
  });

  test('of an unknown party, or of that of another tenant, are not found', async () => {
    const { read } = await aParty({});
    await expect(read({}, partyKey('nobody'))).rejects.toMatchObject({ fault: { status: 404 } });
    await expect(read({}, partyKey('party', OTHER_TENANT))).rejects.toMatchObject({ fault: { status: 404 } });
  });
});
