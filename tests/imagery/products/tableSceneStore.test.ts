import { beforeEach, describe, expect, test } from '@jest/globals';
import { fittingRow, productKeyOf, withScene, type Product } from '../../../shared/imagery/products/product.js';
import { TableSceneStore } from '../../../shared/imagery/products/tableSceneStore.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { aScene } from '../builders.js';

/** A product of a tile and day that was just seen. */
function aProduct(tile: string, day: string, more: Partial<Parameters<typeof aScene>[0]> = {}): Product {
  const compact = day.replaceAll('-', '');
  const datatake = `GS2B_${compact}T100559_043001`;
  const scene = aScene({
    tile,
    datatake,
    takenAt: `${day}T10:05:59.000Z`,
    datastripStart: `${compact}T100612`,
    ...more,
  });
  const seen = { publishedAt: `${day}T15:00:00.000Z`, seenAt: `${day}T15:03:00.000Z` };
  const { scene: name } = productKeyOf({ ...scene, tile: '33UUP' })!;
  return withScene(undefined, { tile, scene: name }, { scene, ...seen }).product;
}

describe('products', () => {
  const store = new TableSceneStore(new MemoryRows());
  let tiles = 0;
  const newTile = () => `33UA${(tiles += 1)}`;
  let tile = newTile();
  beforeEach(() => {
    tile = newTile();
  });
  const put = (...products: Product[]) => Promise.all(products.map((product) => store.put(product, undefined)));

  test('are found by their key as they were put', async () => {
    const product = aProduct(tile, '2026-06-17');
    await put(product, aProduct(tile, '2026-06-12'));
    expect((await store.find(product))?.product).toEqual(product);
    expect(await store.find({ tile, scene: '79739382|none|none' })).toBeUndefined();
  });

  test('are listed by their days, the newest first, and only those of the tile', async () => {
    const [newest, middle, oldest] = ['2026-06-17', '2026-06-12', '2026-06-07'].map((day) => aProduct(tile, day));
    const second = aProduct(tile, '2026-06-12', { datastripStart: '20260612T100559' });
    await put(oldest!, newest!, middle!, second, aProduct(newTile(), '2026-06-12'));
    const listed = await store.listDays(tile, { from: '2026-06-12', to: '2026-06-17' });
    expect(listed.map(({ product }) => product)).toEqual([newest, second, middle]);
    expect(await store.listDays(tile, { from: '2026-06-13', to: '2026-06-16' })).toEqual([]);
  });

  test('are written by whoever read them last alone', async () => {
    const product = aProduct(tile, '2026-06-17');
    expect(await store.put(product, undefined)).toBe(true);
    expect(await store.put({ ...product, version: '9' }, undefined)).toBe(false);
    const [first, second] = [await store.find(product), await store.find(product)];
    expect(await store.put({ ...product, version: '1', fanOut: 'done' }, first?.etag)).toBe(true);
    expect(await store.put({ ...product, version: '2' }, second?.etag)).toBe(false);
    expect((await store.find(product))?.product).toMatchObject({ version: '1', fanOut: 'done' });
  });

  // The platform counts two bytes a character, Azurite one: what is refused here both refuse.
  test('of nearly 900 KB are kept whole, and those of 2 MB are refused', async () => {
    const corners = (count: number): Product => {
      const ring = Array.from({ length: count }, (_, index) => [13 + index / 1_000_000, 48.123456] as const);
      return aProduct(tile, '2026-06-17', { footprint: { type: 'Polygon', coordinates: [ring] } });
    };
    const large = corners(20_000);
    const bytes = 2 * JSON.stringify(large).length;
    expect(bytes).toBeGreaterThan(750 * 1024);
    expect(bytes).toBeLessThan(900 * 1024);
    expect(await store.put(large, undefined)).toBe(true);
    const stored = await store.find(large);
    expect(stored?.product).toEqual(large);
    await expect(store.put(corners(65_000), stored?.etag)).rejects.toThrow();
    expect((await store.find(large))?.product).toEqual(large);
  });

  test.each([2_250, 2_270, 2_290])(
    'of nine scenes with %i corners each are taken with as many as fit',
    async (count) => {
      const ring = Array.from({ length: count }, (_, index) => [13 + index / 1_000_000, 48.123456] as const);
      const footprint = { type: 'Polygon', coordinates: [ring] } as const;
      const product = aProduct(tile, '2026-06-17', { footprint });
      const best = product.scenes[0]!;
      const others = Array.from({ length: 8 }, (_, index) => ({ ...best, id: String(index) }));
      const fitting = fittingRow({ ...product, scenes: [best, ...others] })!;
      expect(fitting.scenes.length).toBeGreaterThan(7);
      expect(await store.put(fitting, undefined)).toBe(true);
      expect((await store.find(product))?.product).toEqual(fitting);
    },
  );

  test('are listed of all days, and go when they are removed, twice too', async () => {
    const days = ['2026-06-17', '2026-06-12', '2026-06-07'];
    await put(...days.map((day) => aProduct(tile, day)));
    const daysLeft = async () => (await store.list(tile)).map(({ product }) => product.day);
    expect(await daysLeft()).toEqual(days);
    const old = (await store.listDays(tile, { from: '2026-06-01', to: '2026-06-12' })).map(({ product }) => product);
    for (let time = 0; time < 2; time += 1) await store.remove(tile, old);
    expect(await daysLeft()).toEqual(['2026-06-17']);
  });
});
