import { addDays } from '../../validation/calendar.js';
import { coverOf } from '../catalogue/footprint.js';
import type { Granule } from '../catalogue/scene.js';
import { isSameOverpass } from '../catalogue/sceneChoice.js';
import type { InterestSummary } from '../interest/interest.js';
import { boxOfTile, squareOfTile, tilesBeside } from '../interest/tiles.js';
import { holds } from './compareDays.js';
import type { ListedItem } from './feedPorts.js';
import { isOwn, shownBy, type Product } from './product.js';

/** A tile and what is known of it. */
export interface TileKnown {
  readonly tile: string;
  readonly products: readonly Product[];
}

/** An item of another tile, with what it shows. */
type NeighbourItem = ListedItem & { readonly granule: Granule };

/** The places that somebody wants on a day. */
type WantedOn = (day: string) => readonly Pick<InterestSummary, 'bbox'>[];

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

/** What a tile has itself: what images can be made of, and what the catalogue lists and nobody has looked at yet. */
function ownOf({ tile, products }: TileKnown, items: readonly ListedItem[]): readonly Granule[] {
  const known = products.filter((product) => isOwn(product) && product.scenes.length > 0).map(shownBy);
  const isNew = (item: ListedItem): boolean => item.tile === tile && !products.some((product) => holds(product, item));
  return [...known, ...items.filter(isNew).flatMap(({ granule }) => granule ?? [])];
}

/**
 * The items of other tiles that reach into a tile which has nothing of their datastrip itself, and doesn't have them in this
 * version already: the catalogue lacks a product of the tile, or the tile. Where a swath ends, the outlines of the
 * neighbours end too, before they reach the tile.
 */
function lackedItems(known: TileKnown, items: readonly ListedItem[], today: string): readonly NeighbourItem[] {
  const square = squareOfTile(known.tile);
  if (square === undefined) return [];
  const [box, beside, until] = [boxOfTile(square), new Set(tilesBeside(square)), addDays(today, -GRACE_DAYS)];
  const own = ownOf(known, items);
  return items.flatMap((item) => {
    const { granule } = item;
    const isAsked = beside.has(item.tile) && item.day <= until && granule !== undefined;
    if (!isAsked || coverOf(granule.footprint, box) === 'none') return [];
    const isKnown = own.some((other) => isSameStrip(other, granule)) || known.products.some((one) => holds(one, item));
    return isKnown ? [] : [{ ...item, granule }];
  });
}

/** Whether an item shows something of places that somebody wants, which nothing of the tile's own shows whole. */
function showsMore(
  { granule }: NeighbourItem,
  ofTile: readonly Granule[],
  wanted: readonly Pick<InterestSummary, 'bbox'>[],
): boolean {
  const own = ofTile.filter((other) => isSameOverpass(other, granule));
  return wanted.some(
    ({ bbox }) =>
      coverOf(granule.footprint, bbox) !== 'none' && !own.some((other) => coverOf(other.footprint, bbox) === 'all'),
  );
}

/**
 * The items of other tiles that a tile borrows: where the catalogue lacks a product of it, or the tile, and they show something
 * of places that somebody wants.
 *
 * @param items that the catalogue lists of the tile and of those beside it
 * @param wantedOn the places that somebody wants on a day; asked only where something is lacked
 */
export async function borrowedItems(
  known: TileKnown,
  items: readonly ListedItem[],
  { today, wantedOn }: { readonly today: string; readonly wantedOn: () => Promise<WantedOn> },
): Promise<readonly NeighbourItem[]> {
  const lacked = lackedItems(known, items, today);
  if (lacked.length === 0) return [];
  const wanted = await wantedOn();
  const own = ownOf(known, items);
  return lacked.filter((item) => showsMore(item, own, wanted(item.day)));
}
