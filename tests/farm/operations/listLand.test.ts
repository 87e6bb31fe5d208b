import { describe, expect, test } from '@jest/globals';
import type { LandFilters } from '../../../shared/farm/wire/landFilters.js';
import type { LandPosition, LandScope } from '../../../shared/farm/land/landPlace.js';
import { listLand } from '../../../shared/farm/operations/listLand.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { by, landInMemory, landKey, OTHER_TENANT, partyKey, TENANT } from '../landInMemory.js';

/** Three parties with 12 fields each, and one field of another tenant. */
async function manyFields() {
  const world = landInMemory();
  const put = putLand(world.ports);
  for (const party of ['a', 'b', 'c']) {
    await put(partyKey(party), { body: { name: `Party ${party}` }, by });
    for (let k = 0; k < 12; k += 1) {
      const body = { name: `Field ${k}`, status: k % 2 === 0 ? 'Even' : 'Odd', properties: { number: k } };
      await put(landKey('field', `f${String(k).padStart(2, '0')}`, party), { body, by });
      world.time.now += 1_000;
    }
  }
  await put(partyKey('a', OTHER_TENANT), { body: {}, by });
  await put(landKey('field', 'secret', 'a', OTHER_TENANT), { body: {}, by });
  return world;
}

async function wholeList(
  world: Awaited<ReturnType<typeof manyFields>>,
  scope: LandScope,
  filters: LandFilters,
  size: number,
) {
  const found: string[][] = [];
  let after: LandPosition | undefined;
  do {
    const page = await listLand(world)(scope, { ...filters, size, after });
    found.push(page.items.map(({ partyId, id }) => `${partyId}/${id}`));
    after = page.next;
  } while (after !== undefined);
  return found;
}

const fields: LandScope = { kind: 'field', tenant: TENANT };

describe('a list of fields', () => {
  test.each([1, 5, 12, 13, 36, 50])(
    'in pages of %i has each field of the tenant once, and none of another',
    async (size) => {
      const world = await manyFields();
      const pages = await wholeList(world, fields, {}, size);
      expect(pages.flat()).toHaveLength(36);
      expect(new Set(pages.flat()).size).toBe(36);
      expect(pages.flat()).toEqual([...pages.flat()].sort());
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(size);
    },
  );

  test('of one party has its fields alone', async () => {
    const world = await manyFields();
    const [page = []] = await wholeList(world, { ...fields, partyId: 'b' }, {}, 50);
    expect(page).toHaveLength(12);
    expect(page.every((name) => name.startsWith('b/'))).toBe(true);
  });

  test.each<[string, LandFilters, number]>([
    ['names', { names: ['Field 1', 'Field 2'] }, 6],
    ['statuses', { statuses: ['Even'] }, 18],
    ['a property', { propertyFilters: ['number eq 3'] }, 3],
    ['two filters', { statuses: ['Odd'], propertyFilters: ['number eq 2'] }, 0],
    ['ids', { ids: ['f01', 'nobody'] }, 3],
    ['a time', { created: { from: Date.parse('2026-05-01T10:00:34Z') } }, 2],
  ])('by %s has what the filter lets pass', async (_, filters, count) => {
    const world = await manyFields();
    expect((await wholeList(world, fields, filters, 10)).flat()).toHaveLength(count);
  });

  test('has the properties that JSON makes six times as long, and a filter finds them', async () => {
    const world = await manyFields();
    const key = landKey('field', 'escaped', 'a');
    // Seven control characters and 18 more, each of which JSON writes as six.
    const escaped = Array.from({ length: 25 }, (_, k) => String.fromCharCode(k < 7 ? 1 + k : 7 + k));
    const properties = Object.fromEntries(escaped.map((each) => [each.repeat(50), '\u0002'.repeat(150)]));
    expect(JSON.stringify(properties).length).toBeGreaterThan(30_000);
    await putLand(world.ports)(key, { body: { properties }, by });
    const propertyFilters = [`${Object.keys(properties)[7]} eq ${'\u0002'.repeat(150)}`];
    const page = await listLand(world)(fields, { propertyFilters, size: 50 });
    expect(page.items).toMatchObject([{ id: 'escaped', properties }]);
  });

  test('by ids of one party reads those alone', async () => {
    const world = await manyFields();
    const page = await wholeList(world, { ...fields, partyId: 'c' }, { ids: ['f03', 'f01', 'f03'] }, 10);
    expect(page.flat().sort()).toEqual(['c/f01', 'c/f03']);
  });

  test('leaves out what is being deleted', async () => {
    const world = await manyFields();
    const key = landKey('field', 'f01', 'a');
    await world.land.mark(key, (await world.land.find(key))?.etag ?? '');
    expect((await wholeList(world, { ...fields, partyId: 'a' }, {}, 50)).flat()).toHaveLength(11);
  });

  test('of a rare filter is cut after 5,000 rows, with a way on', async () => {
    const world = landInMemory();
    const rows = world.rows('farmFields');
    const put = putLand(world.ports);
    await put(partyKey(), { body: {}, by });
    await put(landKey('field', 'model'), { body: { name: 'Common' }, by });
    const model = await rows.find<object>(`${TENANT}|party`, 'model');
    for (let k = 0; k < 6_000; k += 1) await rows.put(`${TENANT}|party`, `f${k}`, { ...model, id: `f${k}` });
    const first = await listLand(world)({ ...fields, partyId: 'party' }, { names: ['Rare'], size: 50 });
    expect(first).toEqual({ items: [], next: expect.anything() });
    const second = await listLand(world)(
      { ...fields, partyId: 'party' },
      { names: ['Rare'], size: 50, after: first.next },
    );
    expect(second).toEqual({ items: [] });
  });
});
