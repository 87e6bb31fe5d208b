import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REFUSED_FORMS, WHOLE_FORMS } from '../../../infra/local/standIns/stac/oddForms.js';
import type { ItemDocument } from '../../../infra/local/standIns/stac/sceneItems.js';
import { READ_TO, CATALOGUES, itemOfTile, serviceWith } from './oddItemsUnderTest.js';

const GOOD = ['33UUP', '33UWP'];
const goodIds = GOOD.map((tile) => itemOfTile(tile).id);
const among = (odd: ItemDocument): readonly ItemDocument[] => [itemOfTile('33UUP'), odd, itemOfTile('33UWP')];
/** Forms of which nothing is left to be named by. */
const NAMELESS = ['no-id', 'no-object'];
const nameOf = ({ id }: ItemDocument, form: string): string => (NAMELESS.includes(form) ? 'an item without an id' : id);

const refused = CATALOGUES.flatMap((catalogue) => Object.keys(REFUSED_FORMS).map((form) => ({ catalogue, form })));
const whole = CATALOGUES.flatMap((catalogue) => Object.keys(WHOLE_FORMS).map((form) => ({ catalogue, form })));

describe('an item that no image can be made of', () => {
  test.each(refused)(
    '$form, alone in $catalogue, is counted with its id, and the poll comes to its end',
    async (row) => {
      const odd = itemOfTile('33UVP', row.form);
      const service = await serviceWith(row.catalogue, [odd]);
      const lagSeconds = row.catalogue === 'earth-search' ? 30 : 0;
      expect(await service.poll()).toMatchObject({ opened: 0, unusable: 1, lagSeconds });
      expect(service.logged('Feed:Read')).toMatchObject({ unusable: 1, unusableIds: [nameOf(odd, row.form)] });
      expect(service.taken()).toEqual([]);
    },
  );

  test.each(refused)('$form, among good ones of $catalogue, keeps none of them away', async (row) => {
    const service = await serviceWith(row.catalogue, among(itemOfTile('33UVP', row.form)));
    expect(await service.poll()).toMatchObject({ opened: 2, unusable: 1 });
    expect(service.taken()).toEqual(goodIds);
  });

  test.each(refused)('$form, among good ones of $catalogue, leaves the night its work', async (row) => {
    const odd = itemOfTile('33UVP', row.form);
    const service = await serviceWith(row.catalogue, among(odd));
    await service.night();
    expect(service.taken()).toEqual(goodIds);
    expect(service.logged('Feed:Reconciled')).toMatchObject({ unusable: 1, unusableIds: [nameOf(odd, row.form)] });
  });

  test.each(refused)('$form, among good ones of $catalogue, leaves a search what it found', async (row) => {
    const service = await serviceWith(row.catalogue, among(itemOfTile('33UVP', row.form)));
    const found = await service.search();
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(goodIds));
    for (const { takenAt } of found) expect(new Date(takenAt).toISOString()).toBe(takenAt);
  });

  test('is named among the first ten of many', async () => {
    const many = Array.from({ length: 30 }, (_, index) => {
      const item = itemOfTile('33UVP', 'no-instant');
      return { ...item, id: item.id.replace('_0_', `_${index}_`) };
    });
    const service = await serviceWith('earth-search', many);
    expect(await service.poll()).toMatchObject({ unusable: 30 });
    expect(service.logged('Feed:Read')?.['unusableIds']).toHaveLength(10);
  });
});

describe('an item with any value in place of one of its members', () => {
  test.each(CATALOGUES)('keeps no other away in %s, and the cursor moves', async (catalogue) => {
    const odd = itemOfTile('33UVP');
    const members = fc.constantFrom(...membersOf(odd));
    await fc.assert(
      fc.asyncProperty(members, fc.jsonValue(), async (path, value) => {
        const changed = (feature: unknown): unknown =>
          (feature as { id: string }).id === odd.id ? withMember(feature, path, value) : feature;
        const service = await serviceWith(catalogue, among(odd), changed);
        await service.poll();
        expect(service.taken()).toEqual(expect.arrayContaining(goodIds));
        expect((await service.readTo()) > READ_TO).toBe(true);
        await service.night();
        expect((await service.search()).map(({ id }) => id)).toEqual(expect.arrayContaining(goodIds));
      }),
      { numRuns: 200 },
    );
  });
});

type Path = readonly string[];

/** The path of every member of a document, at any depth. */
function membersOf(document: unknown): readonly Path[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, member]) => [
    [name],
    ...membersOf(member).map((path) => [name, ...path]),
  ]);
}

/** A document with another value at a path, where it has that. */
function withMember(document: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof document !== 'object' || document === null) return document;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(document)
    ? [...(document as unknown[])]
    : { ...document };
  Object.assign(copy, { [name]: withMember((document as Record<string, unknown>)[name], rest, value) });
  return copy;
}

describe('an odd item that is whole all the same', () => {
  test.each(whole)('$form, alone in $catalogue, is taken in for the tile in its id', async ({ catalogue, form }) => {
    const odd = itemOfTile('33UVP', form);
    const service = await serviceWith(catalogue, [odd]);
    expect(await service.poll()).toMatchObject({ opened: 1, unusable: 0 });
    expect(service.scenes.products).toMatchObject([{ tile: '33UVP', day: '2026-06-17', scenes: [{ id: odd.id }] }]);
    expect(service.logged('Feed:Read')).not.toHaveProperty('unusableIds');
  });

  test.each(whole)('$form, among good ones of $catalogue, is taken in beside them', async ({ catalogue, form }) => {
    const odd = itemOfTile('33UVP', form);
    const service = await serviceWith(catalogue, among(odd));
    expect(await service.poll()).toMatchObject({ opened: 3, unusable: 0 });
    expect(service.taken()).toEqual([...goodIds, odd.id].sort());
  });

  test.each(whole)('$form is known to the next night of $catalogue', async ({ catalogue, form }) => {
    const service = await serviceWith(catalogue, [itemOfTile('33UVP', form)]);
    await service.night();
    await service.night();
    expect(service.logged('Feed:Reconciled')).toMatchObject({ listed: 1, missing: 0 });
  });

  test.each([
    { why: 'the change alone', times: { created: undefined }, publishedAt: '2026-06-17T14:58:00.000Z' },
    { why: 'a change on no day', times: { updated: '2026-02-30T00:00:00Z' }, publishedAt: '2026-06-17T14:58:00.000Z' },
    { why: 'nulls', times: { created: null, updated: null }, publishedAt: '2026-06-17T15:10:00.000Z' },
  ])('which tells of its times $why was published at $publishedAt', async ({ times, publishedAt }) => {
    const item = itemOfTile('33UVP');
    const service = await serviceWith('planetary-computer', [
      { ...item, properties: { ...item.properties, ...times } },
    ]);
    await service.poll();
    expect(service.scenes.products).toMatchObject([{ publishedAt }]);
  });

  test('at a leap second was taken in the second before it', async () => {
    const service = await serviceWith('earth-search', [itemOfTile('33UVP', 'leap-second')]);
    await service.poll();
    expect(service.scenes.products[0]?.scenes[0]?.takenAt).toBe('2026-06-17T23:59:59.000Z');
  });
});

describe('a product of more than a table holds in one row', () => {
  /** Outlines of 2,000 corners: nine of them are more than a row takes. */
  const versions = Array.from({ length: 12 }, (_, index) => {
    const item = itemOfTile('33UUP');
    const ring = Array.from({ length: 3_999 }, (_, corner) => [
      13.14 + 0.123456789 * Math.cos(corner),
      48.29 + 0.123456789 * Math.sin(corner),
    ]);
    const geometry = { type: 'Polygon' as const, coordinates: [[...ring, ring[0]]] };
    const properties = { ...item.properties, 's2:processing_baseline': `05.${20 - index}` };
    return { ...item, id: item.id.replace('_0_', `_${index}_`), geometry, properties };
  });

  test.each([
    { order: 'the best version first', items: versions },
    { order: 'the best version last', items: versions.toReversed() },
  ])('keeps the best version and as many others as fit, shown $order', async ({ items }) => {
    const service = await serviceWith('earth-search', items);
    expect(await service.poll()).toMatchObject({ unusable: 0 });
    const [product] = service.scenes.products;
    expect(product?.scenes[0]?.baseline).toBe('05.20');
    expect(product?.scenes.length).toBeGreaterThan(1);
    expect(product?.scenes.length).toBeLessThan(8);
    expect(2 * JSON.stringify(product).length).toBeLessThanOrEqual(900 * 1024);
    await service.night();
    expect(service.scenes.products[0]?.version).toBe(product?.version);
  });

  test('stays as it was when its next version alone is more than that', async () => {
    const endless = itemOfTile('33UUP', 'endless-outline');
    const better = { ...endless, properties: { ...endless.properties, 's2:processing_baseline': '05.12' } };
    const service = await serviceWith('earth-search', [itemOfTile('33UUP'), better]);
    expect(await service.poll()).toMatchObject({ opened: 1, unusable: 1 });
    expect(service.taken()).toEqual([itemOfTile('33UUP').id]);
  });
});
