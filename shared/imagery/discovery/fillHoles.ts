import { addDays } from '../../validation/calendar.js';
import { coverOf } from '../catalogue/footprint.js';
import type { Granule } from '../catalogue/scene.js';
import { isSameOverpass } from '../catalogue/sceneChoice.js';
import { isWanted, type InterestSummary } from '../interest/interest.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { boxOfTile, squareOfTile, tilesBeside } from '../interest/tiles.js';
import { holds, type CompareDaysPorts } from './compareDays.js';
import type { ListedItem } from './feedPorts.js';
import { isOwn, type Product } from './product.js';
import { isOpened, takeIn } from './takeIn.js';

export interface FillHolesPorts extends CompareDaysPorts {
  readonly interest: Pick<InterestStore, 'summarizeTile'>;
}

/** A tile and what is known of it. */
export interface TileKnown {
  readonly tile: string;
  readonly products: readonly Product[];
}

/** An item of another tile, with what it shows. */
type NeighbourItem = ListedItem & { readonly granule: Granule };

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
 * version already. Where a swath ends, the outlines of the neighbours end too, before they reach the tile.
 */
function lackedItems({ tile, products }: TileKnown, items: readonly ListedItem[], until: string): NeighbourItem[] {
  const square = squareOfTile(tile);
  if (square === undefined) return [];
  const [box, beside] = [boxOfTile(square), new Set(tilesBeside(square))];
  const own = products.filter(isOwn).map(({ scenes: [best] }) => best);
  return items.flatMap((item) => {
    const { granule } = item;
    const isAsked = beside.has(item.tile) && item.day <= until && granule !== undefined;
    if (!isAsked || coverOf(granule.footprint, box) === 'none') return [];
    const isKnown = own.some((scene) => isSameStrip(scene, granule)) || products.some((known) => holds(known, item));
    return isKnown ? [] : [{ ...item, granule }];
  });
}

/** Whether an item shows something of fields that somebody wants, which no product of the tile's own shows whole. */
function showsMore(
  { granule, day }: NeighbourItem,
  wanted: readonly InterestSummary[],
  known: TileKnown,
  today: string,
) {
  const own = known.products.filter(isOwn).filter(({ scenes: [best] }) => isSameOverpass(best, granule));
  return wanted.some(
    (entry) =>
      isWanted(entry, { date: day, today }) &&
      coverOf(granule.footprint, entry.bbox) !== 'none' &&
      !own.some(({ scenes: [best] }) => coverOf(best.footprint, entry.bbox) === 'all'),
  );
}

/**
 * Where a catalogue lacks a single product of a tile, the tile borrows what overlapping tiles of its zone and of the zones
 * beside have of the same datastrip, if that shows fields that somebody wants: work by place then makes them of it. Doing it
 * again is harmless, and asks for nothing where nothing is lacking.
 *
 * @param items of the tile and its neighbours, with their granules
 * @returns how many products it borrowed, or has in a better version
 */
export const fillHoles =
  (ports: FillHolesPorts) =>
  async (known: TileKnown, items: readonly ListedItem[], today: string): Promise<number> => {
    const lacked = lackedItems(known, items, addDays(today, -GRACE_DAYS));
    if (lacked.length === 0) return 0;
    const wanted = await ports.interest.summarizeTile(known.tile);
    const shown = lacked.filter((item) => showsMore(item, wanted, known, today));
    if (shown.length === 0) return 0;
    const found = await ports.sceneFeed.items(shown.map(({ id }) => id));
    let borrowed = 0;
    for (const item of found.items) if (isOpened(await takeIn(ports)(item, known.tile))) borrowed += 1;
    return borrowed;
  };
