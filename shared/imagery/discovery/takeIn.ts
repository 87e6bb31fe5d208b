import type { Clock } from '../../kit/clock.js';
import { isUsable } from '../../scenes/item/sceneOfItem.js';
import type { ShownItem } from '../../scenes/stac/sceneCatalogue.js';
import {
  borrowedKey,
  fittingRow,
  productKeyOf,
  publishedAtOf,
  withScene,
  type News,
  type ProductKey,
} from '../products/product.js';
import type { TableSceneStore } from '../products/tableSceneStore.js';

/** What taking an item in needs. */
export interface TakeInPorts {
  readonly scenes: Pick<TableSceneStore, 'find' | 'put'>;
  /** Asks for the work of a product: units for everybody who wants images of it. */
  readonly askProduct: (key: ProductKey) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * What an item brought. `unusable`: no image can be made of the item, for its description can't be used, it names no tile
 * or is too large for a row.
 */
export type Intake = News | 'unusable';

/** Polls, the night and the fan-out may write one product at the same time. */
const MOST_TRIES = 10;

/** One try; undefined when somebody else wrote the product meanwhile. */
async function tryToTakeIn(ports: TakeInPorts, key: ProductKey, item: ShownItem): Promise<Intake | undefined> {
  const { scenes, askProduct, clock } = ports;
  const stored = await scenes.find(key);
  const seenAt = clock.now().toISOString();
  const publishedAt = publishedAtOf(item, item.scene) ?? seenAt;
  const { product, news } = withScene(stored?.product, key, { scene: item.scene, publishedAt, seenAt });
  const row = fittingRow(product);
  if (row === undefined) return 'unusable';
  if (news !== 'none' && !(await scenes.put(row, stored?.etag))) return undefined;
  if (product.fanOut === 'open') await askProduct(key);
  return isUsable(item.scene) ? news : 'unusable';
}

/**
 * Adds an item to its product and asks for the product's work when there is something new. Doing it again is harmless: the
 * work of a product that is still open is asked for again.
 *
 * @param borrower the tile that borrows the product; the scene's own tile when absent
 */
export const takeIn =
  (ports: TakeInPorts) =>
  async (item: ShownItem, borrower?: string): Promise<Intake> => {
    const own = productKeyOf(item.scene);
    // An unusable item is recorded for its own tile, never borrowed.
    if (own === undefined || (borrower !== undefined && !isUsable(item.scene))) return 'unusable';
    const key = borrower === undefined ? own : borrowedKey(own, borrower);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const news = await tryToTakeIn(ports, key, item);
      if (news !== undefined) return news;
    }
    throw new Error(`The product ${key.tile} ${key.scene} is changed faster than it can be written.`);
  };

/** Whether an intake opened a product, so that work was asked for. */
export const isOpened = (news: Intake | undefined): boolean => news === 'new' || news === 'better';
