import { addDays } from '../../kit/validation/calendar.js';
import { coverOf } from '../../scenes/place/footprint.js';
import type { Granule } from '../../scenes/item/scene.js';
import { isSameOverpass } from '../../scenes/item/sceneChoice.js';
import type { InterestSummary } from '../interest/interest.js';
import { boxOfTile, squareOfTile, tilesBeside } from '../../scenes/place/tiles.js';
import type { ListedItem } from '../../scenes/stac/sceneCatalogue.js';
import { missingItems } from './compareDays.js';
import { isOwn, shownBy, type Product } from '../products/product.js';

/** A tile and what the service knows of its scenes. */
export interface TileKnown {
  readonly tile: string;
  readonly products: readonly Product[];
  /** Granules of the tile itself: of its usable products, and those that the catalogue lists and no product has. */
  readonly own: readonly Granule[];
}

/** What is known of a tile. @param listed items that the catalogue lists of the tile and no product has */
export function knownOf(tile: string, products: readonly Product[], listed: readonly ListedItem[]): TileKnown {
  const usable = products.filter((product) => isOwn(product) && product.scenes.length > 0).map(shownBy);
  return { tile, products, own: [...usable, ...listed.flatMap(({ granule }) => granule ?? [])] };
}

/** An item of another tile, with what it shows. */
export type NeighbourItem = ListedItem & { readonly granule: Granule };

/** A tile's own item often comes hours after those of its neighbours; nothing is borrowed for so long. */
const GRACE_DAYS = 2;

/** Whether two granules are of one datastrip of one overpass, as far as the catalogue tells; their days may differ. */
const isSameStrip = (one: Granule, other: Granule): boolean =>
  isSameOverpass(one, other) &&
  (one.datastripStart === '' || other.datastripStart === '' || one.datastripStart === other.datastripStart);

/**
 * The items of neighbouring tiles that a tile may borrow: they reach into the tile, which has no granule of their datastrip
 * and has not borrowed this version yet. Where a swath ends before a tile, its neighbours' outlines end too, so nothing is
 * borrowed.
 *
 * @param items what the catalogue lists of the tile and its neighbours
 */
export function lackedItems(known: TileKnown, items: readonly ListedItem[], today: string): readonly NeighbourItem[] {
  const square = squareOfTile(known.tile);
  if (square === undefined) return [];
  const [box, beside, until] = [boxOfTile(square), new Set(tilesBeside(square)), addDays(today, -GRACE_DAYS)];
  return missingItems(items, known.products).flatMap((item) => {
    const { granule } = item;
    const isAsked = beside.has(item.tile) && item.day <= until && granule !== undefined;
    if (!isAsked || coverOf(granule.footprint, box) === 'none') return [];
    return known.own.some((other) => isSameStrip(other, granule)) ? [] : [{ ...item, granule }];
  });
}

/** Whether an item shows some wanted place that no granule of the tile itself shows whole. */
export function showsMore(
  { granule }: NeighbourItem,
  known: TileKnown,
  wanted: readonly Pick<InterestSummary, 'bbox'>[],
): boolean {
  const own = known.own.filter((other) => isSameOverpass(other, granule));
  return wanted.some(
    ({ bbox }) =>
      coverOf(granule.footprint, bbox) !== 'none' && !own.some((other) => coverOf(other.footprint, bbox) === 'all'),
  );
}
