import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  PRODUCT,
  productKeyOf,
  productOfWork,
  workOfProduct,
  type ProductKey,
} from '../../../shared/imagery/products/product.js';
import { takeIn } from '../../../shared/imagery/discovery/takeIn.js';
import { ManualClock } from '../../support/manualClock.js';
import { ScenesInMemory } from '../../support/imageryInMemory.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import { aScene } from '../builders.js';

const scene = aScene();
const key = productKeyOf(scene)!;
const better = aScene({ baseline: '05.12', generatedAt: '2026-06-19T13:00:00Z' });
const twin = aScene({ id: 'twin', collection: 'sentinel-2-c1-l2a' });

let scenes: ScenesInMemory;
let kernel: WorkInMemory;
/** What is asked for a product, in place of its work. */
let askProduct: (asked: ProductKey) => Promise<void>;
/** How often work of products was asked for. */
let timesAsked: number;
beforeEach(() => {
  timesAsked = 0;
  const clock = new ManualClock('2026-06-17T18:00:00Z');
  scenes = new ScenesInMemory();
  kernel = new WorkInMemory(() => clock);
  askProduct = counted;
});
const counted = (asked: ProductKey): Promise<void> => {
  timesAsked += 1;
  return kernel.enqueuer.ask(workOfProduct(asked));
};

/** The catalogue shows an item. */
const shown = (item = scene, borrower?: string) =>
  takeIn({ scenes, askProduct, clock: kernel.clock })({ scene: item }, borrower);
/** How often the open work of the product was asked for; undefined when there is none. */
const asks = async (of = key): Promise<number | undefined> => (await kernel.find(workOfProduct(of)))?.asks;
/** Everybody's work was asked for. */
async function fannedOut(): Promise<void> {
  const { product, etag } = (await scenes.find(key))!;
  await scenes.put({ ...product, fanOut: 'done' }, etag);
  const stored = await kernel.store.find(workOfProduct(key));
  await kernel.store.delete(stored!);
}

describe('an item that the catalogue shows', () => {
  test('is asked for as work that is nobody’s, once its product is stored', async () => {
    const stored: boolean[] = [];
    askProduct = async (asked) => {
      stored.push((await scenes.find(asked)) !== undefined);
      await kernel.enqueuer.ask(workOfProduct(asked));
    };
    expect(await shown()).toBe('new');
    expect(stored).toEqual([true]);
    expect(kernel.sent).toMatchObject([{ kind: PRODUCT, id: `|${key.tile}|${key.scene}` }]);
    expect(productOfWork(kernel.sent[0]!)).toEqual(key);
  });

  test('again while its product is open, is asked for again: its work may never have come up', async () => {
    askProduct = () => Promise.reject(new Error('dead'));
    await expect(shown()).rejects.toThrow('dead');
    askProduct = counted;
    expect(await asks()).toBeUndefined();
    expect(await shown()).toBe('none');
    expect([await asks(), timesAsked]).toEqual([1, 1]);
    // Once more for the work that is there.
    await shown();
    expect(timesAsked).toBe(2);
    expect(await kernel.store.list(PRODUCT)).toHaveLength(1);
  });

  test.each([
    { what: 'as it was', item: scene, news: 'none' },
    { what: 'in the second collection', item: twin, news: 'other' },
  ])('again $what, when its product is fanned out, is asked for no more', async ({ item, news }) => {
    await shown();
    await fannedOut();
    expect([await shown(item), await asks()]).toEqual([news, undefined]);
  });

  test.each([
    { what: 'in the second collection while the product is open', item: twin, news: 'other', isDone: false },
    { what: 'in a better version of one that is fanned out', item: better, news: 'better', isDone: true },
  ])('$what, is asked for again', async ({ item, news, isDone }) => {
    await shown();
    if (isDone) await fannedOut();
    const before = timesAsked;
    expect([await shown(item), timesAsked, await asks()]).toEqual([news, before + 1, 1]);
  });

  test('for a tile beside is work of its own there', async () => {
    await shown(scene, '33UVP');
    const borrowed = { tile: '33UVP', scene: `${key.scene}|${key.tile}` };
    expect([await asks(), await asks(borrowed)]).toEqual([undefined, 1]);
    expect(productOfWork(kernel.sent[0]!)).toEqual(borrowed);
  });
});
