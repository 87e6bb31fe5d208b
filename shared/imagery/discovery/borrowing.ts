import { addDays } from '../../validation/calendar.js';
import { coverOf } from '../catalogue/footprint.js';
import type { Granule } from '../catalogue/scene.js';
import { isSameOverpass } from '../catalogue/sceneChoice.js';
import type { InterestSummary } from '../interest/interest.js';
import { boxOfTile, squareOfTile, tilesBeside } from '../catalogue/tiles.js';
import { missingItems } from './compareDays.js';
import type { ListedItem } from '../catalogue/sceneCatalogue.js';
import { isOwn, shownBy, type Product } from '../products/product.js';

/** A tile and what is known of it. */
export interface TileKnown {
  readonly tile: string;
  readonly products: readonly Product[];
  /** What it has itself: what images can be made of, and what the catalogue lists and nobody has looked at yet. */
  readonly own: readonly Granule[];
}

/** @param listed what the catalogue lists of the tile and no product has */
export function knownOf(tile: string, products: readonly Product[], listed: readonly ListedItem[]): TileKnown {
  const usable = products.filter((product) => isOwn(product) && product.scenes.length > 0).map(shownBy);
  return { tile, products, own: [...usable, ...listed.flatMap(({ granule }) => granule ?? [])] };
}

/** An item of another tile, with what it shows. */
export type NeighbourItem = ListedItem & { readonly granule: Granule };

/** What the tile itself lacks may still come: its neighbours' items are often there hours before. */
const GRACE_DAYS = 2;

/** The tiles that overlap any of these, and these. */
export const withNeighbours = (tiles: readonly string[]): readonly string[] => {
  const squares = tiles.flatMap((tile) => squareOfTile(tile) ?? []);
  return [...new Set([...tiles, ...squares.flatMap(tilesBeside)])].sort();
};

/** Whether both are of one datastrip of one overpass, as far as the catalogue tells; it may end between their days. */
const isSameStrip = (one: Granule, other: Granule): boolean =>
  isSameOverpass(one, other) &&
  (one.datastripStart === '' || other.datastripStart === '' || one.datastripStart === other.datastripStart);

/**
 * The items of other tiles that reach into a tile which has nothing of their datastrip itself, and doesn't have them in this
 * version already: the catalogue lacks a product of the tile, or the tile. Where a swath ends, the outlines of the
 * neighbours end too, before they reach the tile.
 *
 * @param items that the catalogue lists of the tile and of those beside it
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

/** Whether an item shows something of places that somebody wants, which nothing of the tile's own shows whole. */
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
