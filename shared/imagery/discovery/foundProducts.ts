import { compareTexts, dayOfScene, productVersionOf, preferredVersionOf } from '../../scenes/item/scene.js';
import { isUsable } from '../../scenes/item/sceneOfItem.js';
import type { InterestSummary } from '../interest/interest.js';
import { knownOf, lackedItems, showsMore } from './borrowing.js';
import { missingItems } from './compareDays.js';
import type { ListedItem, ShownItem } from '../../scenes/stac/sceneCatalogue.js';
import {
  borrowedKey,
  productKeyOf,
  publishedAtOf,
  withScene,
  type Product,
  type ProductKey,
} from '../products/product.js';

/** The products of items, by the order of the items. @param keyOf undefined for an item that is left out */
function productsOf(
  items: readonly ShownItem[],
  keyOf: (item: ShownItem) => ProductKey | undefined,
): readonly Product[] {
  const known = new Map<string, Product>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const publishedAt = publishedAtOf(item, item.scene) ?? item.scene.takenAt;
    const sighting = { scene: item.scene, publishedAt, seenAt: publishedAt };
    known.set(key.scene, withScene(known.get(key.scene), key, sighting).product);
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
 * The products of a tile among the items of a search: its own, and those that the tile borrows of its neighbours, by the
 * same rules as those of the feed and the nights. None is stored.
 *
 * @param wanted places for which products are borrowed
 */
export function foundProducts(
  items: readonly ShownItem[],
  {
    tile,
    wanted,
    today,
  }: { readonly tile: string; readonly wanted: readonly Pick<InterestSummary, 'bbox'>[]; today: string },
): readonly Product[] {
  // The best version first: of one version in two collections the one whose metadata are right.
  const ordered = items.toSorted((a, b) => compareTexts(preferredVersionOf(b.scene), preferredVersionOf(a.scene)));
  const own = productsOf(ordered, ({ scene }) => (scene.tile === tile ? productKeyOf(scene) : undefined));
  const listed = ordered.map(listedOf);
  // A product keeps one of several items that can't be used: the others are the tile's own granules all the same.
  const ofTile = listed.filter((item) => item.tile === tile);
  const known = knownOf(tile, own, missingItems(ofTile, own));
  const lacked = lackedItems(known, listed, today).filter((item) => showsMore(item, known, wanted));
  const borrowed = productsOf(ordered, ({ scene }) => {
    const isLacked = lacked.some(({ id, collection }) => id === scene.id && collection === scene.collection);
    const key = isLacked && isUsable(scene) ? productKeyOf(scene) : undefined;
    return key === undefined ? undefined : borrowedKey(key, tile);
  });
  return [...own, ...borrowed];
}
