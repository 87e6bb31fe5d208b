import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { productVersionOf, type Scene } from '../../../shared/scenes/item/scene.js';
import {
  productKeyOf,
  publishedAtOf,
  withScene,
  type Product,
  type ProductKey,
} from '../../../shared/imagery/products/product.js';
import { aScene } from '../builders.js';

const sighting = { publishedAt: '2026-06-17T15:00:00.000Z', seenAt: '2026-06-17T15:03:00.000Z' };
const later = { publishedAt: '2026-06-19T15:00:00.000Z', seenAt: '2026-06-19T15:03:00.000Z' };
const keyOf = (scene: Scene): ProductKey => productKeyOf(scene)!;
const first = (scene: Scene): Product => withScene(undefined, keyOf(scene), { scene, ...sighting }).product;

/** Feeds scenes of one product, one after the other. */
const after = (scenes: readonly Scene[]): Product | undefined =>
  scenes.reduce<Product | undefined>(
    (known, scene) => withScene(known, keyOf(scene), { scene, ...sighting }).product,
    undefined,
  );

const scene = aScene();
const twin = aScene({ id: 'S2B_T33UUP_20260617T100612_L2A', collection: 'sentinel-2-c1-l2a' });
const reprocessed = aScene({
  id: 'S2B_33UUP_20260617_1_L2A',
  baseline: '05.12',
  generatedAt: '2026-06-19T13:00:00Z',
});

describe('the key of a product', () => {
  test('is the day, newest first, the datatake and the start of the datastrip', () => {
    expect(keyOf(scene)).toEqual({ tile: '33UUP', scene: '79739382|GS2B_20260617T100559_043001|20260617T100612' });
  });

  test.each([
    { why: 'the second collection shows the same product', other: twin, isSame: true },
    { why: 'a reprocessed product is the same', other: reprocessed, isSame: true },
    { why: 'another datastrip is another part', other: aScene({ datastripStart: '20260617T100800' }), isSame: false },
    { why: 'another satellite', other: aScene({ datatake: 'GS2A_20260617T100559_043001' }), isSame: false },
    { why: 'the tile beside', other: aScene({ tile: '33UVP' }), isSame: false },
  ])('$why', ({ other, isSame }) => {
    expect(JSON.stringify(keyOf(other)) === JSON.stringify(keyOf(scene))).toBe(isSame);
  });

  test('takes the minute of the acquisition where no datastrip is told, and the satellite for a datatake', () => {
    expect(keyOf(aScene({ datastripStart: '' })).scene).toBe('79739382|GS2B_20260617T100559_043001|20260617T1005');
    expect(keyOf(aScene({ datatake: '' })).scene).toBe('79739382|sentinel-2b|20260617T100612');
    expect(keyOf(aScene({ datatake: '', platform: '' })).scene).toBe('79739382|unknown|20260617T100612');
  });

  test('holds nothing that a key may not hold, whatever a catalogue writes', () => {
    const anything = fc.record({
      platform: fc.string(),
      datatake: fc.string(),
      datastripStart: fc.string(),
      takenAt: fc.date({ min: new Date('2015-06-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
    });
    fc.assert(
      fc.property(anything, ({ takenAt, ...texts }) => {
        const made = aScene({ ...texts, takenAt: takenAt.toISOString() });
        expect(keyOf(made).scene).toMatch(/^\d{8}\|[\w-]+\|\d{8}T\d{4,6}$/);
      }),
    );
  });

  test('is none without a tile', () => {
    expect(['', '33uup', '33UUP/x', '1UUP'].map((tile) => productKeyOf(aScene({ tile })))).toEqual(
      Array(4).fill(undefined),
    );
  });

  test('sorts the newest day first', () => {
    const days = fc.date({ min: new Date('2015-06-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, days, (a, b) => {
        const [one, other] = [a, b].map((day) => keyOf(aScene({ takenAt: day.toISOString() })).scene.slice(0, 8));
        const [dayOne, dayOther] = [a, b].map((day) => day.toISOString().slice(0, 10));
        expect(one! < other!).toBe(dayOne! > dayOther!);
      }),
    );
  });
});

describe('the version of a product', () => {
  test.each([
    { why: 'a higher baseline', better: { baseline: '05.12' }, worse: { baseline: '05.11' } },
    { why: 'made later', better: { generatedAt: '2026-06-17T14:00:00Z' }, worse: {} },
    { why: 'one that tells its baseline', better: { baseline: '00.01' }, worse: { baseline: '' } },
    {
      why: 'the baseline before the time',
      better: { baseline: '05.12' },
      worse: { generatedAt: '2027-01-01T00:00:00Z' },
    },
  ])('$why is the better one', ({ better, worse }) => {
    expect(productVersionOf(aScene(better)) > productVersionOf(aScene(worse))).toBe(true);
  });

  test('is the same in both collections, to the millisecond and however it is written', () => {
    expect(productVersionOf(twin)).toBe(productVersionOf(scene));
    expect(productVersionOf({ ...scene, generatedAt: '2026-06-17T13:00:00.000000Z' })).toBe(productVersionOf(scene));
  });
});

describe('when a version was published', () => {
  const made = { generatedAt: '2026-06-17T13:00:00Z' };
  const [before, between, after] = ['2026-06-16T00:00:00Z', '2026-06-17T15:00:00Z', '2026-06-19T00:00:00Z'];
  test.each([
    { why: 'the item is written again', item: { created: between, updated: after }, shown: between },
    { why: 'the product is made again under its id', item: { created: before, updated: after }, shown: after },
    { why: 'only the change is told', item: { updated: after }, shown: after },
    { why: 'nothing is told', item: {}, shown: undefined },
    { why: 'nothing that can be', item: { created: before, updated: 'soon' }, shown: undefined },
  ])('$why', ({ item, shown }) => {
    const expected = shown === undefined ? undefined : new Date(shown).toISOString();
    expect(publishedAtOf(item, made)).toBe(expected);
  });

  test('is the first time told where the making is not', () => {
    expect(publishedAtOf({ created: before, updated: after }, { generatedAt: '' })).toBe('2026-06-16T00:00:00.000Z');
  });
});

describe('a product', () => {
  test('opens when it is seen for the first time', () => {
    expect(withScene(undefined, keyOf(scene), { scene, ...sighting })).toEqual({
      news: 'new',
      product: {
        tile: '33UUP',
        scene: '79739382|GS2B_20260617T100559_043001|20260617T100612',
        day: '2026-06-17',
        version: '05.11 2026-06-17T13:00:00.000Z',
        scenes: [scene],
        ...sighting,
        fanOut: 'open',
      },
    });
  });

  test('that is seen again as it was has no news', () => {
    const known = { ...first(scene), fanOut: 'done' } as const;
    expect(withScene(known, keyOf(scene), { scene: aScene(), ...later })).toEqual({ news: 'none', product: known });
  });

  test.each([
    { why: 'in the second collection', other: twin },
    { why: 'in an older version', other: aScene({ id: 'old', baseline: '05.10' }) },
    { why: 'with another description', other: aScene({ cloudPercent: 7 }) },
  ])('that is seen $why keeps the files, and opens nothing', ({ other }) => {
    const known = { ...first(scene), fanOut: 'done' } as const;
    const { news, product } = withScene(known, keyOf(other), { scene: other, ...later });
    expect(news).toBe('other');
    expect(product.scenes).toContainEqual(other);
    expect({ ...product, scenes: [] }).toEqual({ ...known, scenes: [] });
  });

  test('opens again for a better version, which stands before the others', () => {
    const known = { ...after([scene, twin])!, fanOut: 'done' } as const;
    const { news, product } = withScene(known, keyOf(reprocessed), { scene: reprocessed, ...later });
    expect(news).toBe('better');
    expect(product).toMatchObject({ ...later, fanOut: 'open' });
    expect(product.version).toBe('05.12 2026-06-19T13:00:00.000Z');
    expect(product.scenes).toEqual([reprocessed, scene, twin]);
  });

  test('that is made again under its id has the new description alone', () => {
    const again = aScene({ baseline: '05.12' });
    expect(withScene(first(scene), keyOf(again), { scene: again, ...later }).product.scenes).toEqual([again]);
  });

  test('that can’t be used is a product of its own until anything of it can', () => {
    const odd = { ...scene, fault: 'it has no asset nir' };
    const told = withScene(undefined, keyOf(scene), { scene: odd, ...sighting });
    expect(told).toMatchObject({ news: 'new', product: { scenes: [], unusable: odd, version: '', fanOut: 'open' } });
    const done: Product = { ...told.product, fanOut: 'done' };
    expect(withScene(done, keyOf(scene), { scene: odd, ...later })).toEqual({ product: done, news: 'none' });
    const mended = withScene(done, keyOf(scene), { scene, ...later });
    expect(mended).toMatchObject({ news: 'better', product: { scenes: [scene], fanOut: 'open' } });
  });

  test('that can’t be used opens nothing beside what can', () => {
    const known: Product = { ...first(scene), fanOut: 'done' };
    const odd = { ...scene, id: 'odd', baseline: '05.12', fault: 'it has no asset nir' };
    const told = withScene(known, keyOf(scene), { scene: odd, ...later });
    expect(told).toEqual({ news: 'other', product: { ...known, unusable: odd } });
  });

  test('keeps the best versions of many', () => {
    const versions = Array.from({ length: 30 }, (_, index) =>
      aScene({ id: `v${index}`, generatedAt: new Date(Date.UTC(2026, 5, 17, 13, (index * 7) % 30)).toISOString() }),
    );
    const product = after(versions)!;
    expect(product.scenes).toHaveLength(9);
    expect(product.scenes.map(productVersionOf)).toEqual(product.scenes.map(productVersionOf).toSorted().toReversed());
    expect(productVersionOf(product.scenes[0]!)).toBe(product.version);
  });

  test('ends in the same version, however its items are repeated and put in order', () => {
    const items = fc.record({
      id: fc.constantFrom('a', 'b'),
      collection: fc.constantFrom('sentinel-2-l2a', 'sentinel-2-c1-l2a'),
      baseline: fc.constantFrom('05.10', '05.11'),
      generatedAt: fc.constantFrom('2026-06-17T13:00:00Z', '2026-06-18T13:00:00Z'),
    });
    fc.assert(
      fc.property(
        fc.array(items, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (made, extra) => {
          const scenes = made.map((item) => aScene({ ...item, id: `${item.id}${item.baseline}${item.generatedAt}` }));
          const shuffled = [...scenes, ...extra.map((index) => scenes[index % scenes.length]!)].toReversed();
          const [one, other] = [after(scenes)!, after(shuffled)!];
          expect([other.version, other.scenes.length]).toEqual([one.version, one.scenes.length]);
        },
      ),
    );
  });
});
