import { dayOfScene, productVersionOf, preferredVersionOf } from '../catalogue/scene.js';
import { isUsable } from '../catalogue/sceneOfItem.js';
import type { InterestSummary } from '../interest/interest.js';
import { knownOf, lackedItems, showsMore } from './borrowing.js';
import type { ListedItem, ShownItem } from '../catalogue/sceneCatalogue.js';
import {
  borrowedKey,
  productKeyOf,
  publishedAtOf,
  withScene,
  type Product,
  type ProductKey,
} from '../products/product.js';

/** What was found, best version first: of one version in two collections that which describes its pixels better. */
const inOrder = (items: readonly ShownItem[]): readonly ShownItem[] =>
  items.toSorted(({ scene: a }, { scene: b }) =>
    preferredVersionOf(a) > preferredVersionOf(b) ? -1 : Number(preferredVersionOf(a) < preferredVersionOf(b)),
  );

/** The products that items are of. @param keyOf undefined where an item is none of the wanted ones */
function productsOf(
  items: readonly ShownItem[],
  keyOf: (item: ShownItem) => ProductKey | undefined,
): readonly Product[] {
  const known = new Map<string, Product>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const publishedAt = publishedAtOf(item, item.scene) ?? item.scene.takenAt;
    const { product } = withScene(known.get(key.scene), key, {
      scene: item.scene,
      publishedAt,
      seenAt: publishedAt,
    });
    known.set(key.scene, product);
  }
  return [...known.values()];
}

const listedOf = ({ scene }: ShownItem): ListedItem => ({
  id: scene.id,
  collection: scene.collection,
  tile: scene.tile,
  day: dayOfScene(scene),
  version: productVersionOf(scene),
  granule: scene,
});

/**
 * The products that a tile has of what a search found: its own, and those it borrows of its neighbours where it lacks its own,
 * by the rules by which the feed and the nights fill the table of products.
 *
 * @param wanted places for which something is borrowed
 */
export function foundProducts(
  items: readonly ShownItem[],
  {
    tile,
    wanted,
    today,
  }: { readonly tile: string; readonly wanted: readonly Pick<InterestSummary, 'bbox'>[]; today: string },
): readonly Product[] {
  const ordered = inOrder(items);
  const own = productsOf(ordered, ({ scene }) => (scene.tile === tile ? productKeyOf(scene) : undefined));
  const known = knownOf(tile, own, []);
  const lacked = lackedItems(known, ordered.map(listedOf), today).filter((item) => showsMore(item, known, wanted));
  const borrowed = productsOf(ordered, ({ scene }) => {
    const isLacked = lacked.some(({ id, collection }) => id === scene.id && collection === scene.collection);
    const key = isLacked && isUsable(scene) ? productKeyOf(scene) : undefined;
    return key === undefined ? undefined : borrowedKey(key, tile);
  });
  return [...own, ...borrowed];
}
