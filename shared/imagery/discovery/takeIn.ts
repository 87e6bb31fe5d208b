import type { Clock } from '../../clock.js';
import { isUsable } from '../catalogue/sceneOfItem.js';
import type { ShownItem } from '../catalogue/sceneCatalogue.js';
import {
  borrowedKey,
  fittingRow,
  productKeyOf,
  publishedAtOf,
  withScene,
  type News,
  type ProductKey,
} from '../products/product.js';
import type { SceneStore } from '../products/scenePorts.js';

export interface TakeInPorts {
  readonly scenes: Pick<SceneStore, 'find' | 'put'>;
  /** Asks for the work of everybody who wants images of a product. */
  readonly askProduct: (key: ProductKey) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * What an item brought; `unusable`: no image can be made of it as the catalogue describes it, which whoever wants one is
 * told, or it names no tile, or no row holds it.
 */
export type Intake = News | 'unusable';

/** Writers of one product at once: polls, the night, and the fan-out. */
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
 * Puts an item to its product, and has work made where there is something new. Doing it again is harmless; a product
 * that is still open is asked for again, in case it never was.
 *
 * @param borrower the tile that gets it beside its own products; the scene's own tile when absent
 */
export const takeIn =
  (ports: TakeInPorts) =>
  async ({ scene, ...times }: ShownItem, borrower?: string): Promise<Intake> => {
    const own = productKeyOf(scene);
    // What another tile can't be used for is that tile's to tell.
    if (own === undefined || (borrower !== undefined && !isUsable(scene))) return 'unusable';
    const key = borrower === undefined ? own : borrowedKey(own, borrower);
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const news = await tryToTakeIn(ports, key, { scene, ...times });
      if (news !== undefined) return news;
    }
    throw new Error(`The product ${key.tile} ${key.scene} is changed faster than it can be written.`);
  };

/** Whether it asks for work. */
export const isOpened = (news: Intake | undefined): boolean => news === 'new' || news === 'better';
