import { limiter } from '../../raster/limiter.js';
import { productVersionOf } from '../catalogue/scene.js';
import type { ListedItem, SceneCatalogue, ShownItem } from '../catalogue/sceneCatalogue.js';
import type { Product } from '../products/product.js';
import type { SceneStore } from '../products/scenePorts.js';
import type { Period } from '../catalogue/searchPeriods.js';
import { markOfListed, type TakenItems } from './takenItems.js';
import { isOpened, takeIn, type Intake, type TakeInPorts } from './takeIn.js';

export interface TakeInListedPorts extends TakeInPorts {
  readonly catalogue: Pick<SceneCatalogue, 'items'>;
}

export interface CompareDaysPorts extends TakeInListedPorts {
  readonly catalogue: Pick<SceneCatalogue, 'list' | 'items'>;
  readonly scenes: TakeInPorts['scenes'] & Pick<SceneStore, 'listDays'>;
}

/** An item of a list that is to be taken in. */
export interface WantedItem {
  readonly item: ListedItem;
  /** The tile that gets it beside its own products; the item's own tile when absent. */
  readonly borrower?: string;
}

/** What became of items of a list. */
export interface ListedTaken {
  readonly pages: number;
  /** Of items taken in for their own tiles: products that nobody knew, and better versions. */
  readonly opened: number;
  /** The same of those taken in for other tiles. */
  readonly borrowed: number;
  /** Ids of items that no image can be made of as the catalogue describes them, or that are none that can be read. */
  readonly unusable: readonly string[];
  /** Why items of a tile could not be taken in. */
  readonly failed: ReadonlyMap<string, unknown>;
}

const AT_ONCE = 8;

/** Whether a product has this item in this version. */
export const holds = ({ scenes, unusable }: Product, { id, collection, version }: ListedItem): boolean =>
  [...scenes, ...(unusable === undefined ? [] : [unusable])].some(
    (scene) => scene.id === id && scene.collection === collection && productVersionOf(scene) === version,
  );

/** The items of a list that none of some products has. */
export const missingItems = (items: readonly ListedItem[], products: readonly Product[]): readonly ListedItem[] =>
  items.filter((item) => !products.some((product) => holds(product, item)));

const isItem = ({ scene: { id, collection } }: ShownItem, { item }: WantedItem): boolean =>
  item.id === id && item.collection === collection;

/**
 * Asks the catalogue for items that it has listed, and takes them in. One tile's trouble is not another's. An item that is
 * not among the answers was not got.
 *
 * @param taken gets the marks of what was got
 */
export const takeInListed =
  (ports: TakeInListedPorts) =>
  async (wanted: readonly WantedItem[], taken?: TakenItems): Promise<ListedTaken> => {
    const ids = [...new Set(wanted.map(({ item }) => item.id))];
    const found = ids.length === 0 ? undefined : await ports.catalogue.items(ids);
    const failed = new Map<string, unknown>();
    const taking = limiter(AT_ONCE);
    const take = async (shown: ShownItem, { item, borrower }: WantedItem): Promise<Intake | undefined> => {
      try {
        const news = await takeIn(ports)(shown, borrower);
        taken?.add(markOfListed(item));
        return news;
      } catch (error) {
        failed.set(borrower ?? item.tile, error);
        return undefined;
      }
    };
    const got = (found?.items ?? []).flatMap((shown) =>
      wanted.filter((entry) => isItem(shown, entry)).map((entry) => ({ shown, entry })),
    );
    const news = await Promise.all(got.map(({ shown, entry }) => taking(() => take(shown, entry))));
    const opened = got.filter((_, index) => isOpened(news[index]));
    const unusable = got.filter((_, index) => news[index] === 'unusable').map(({ shown }) => shown.scene.id);
    const borrowed = opened.filter(({ entry }) => entry.borrower !== undefined).length;
    return {
      pages: found?.pages ?? 0,
      opened: opened.length - borrowed,
      borrowed,
      unusable: [...new Set([...(found?.unreadableIds ?? []), ...unusable])],
      failed,
    };
  };

/** What a comparison of days found. */
export interface DaysCompared extends Omit<ListedTaken, 'borrowed' | 'failed'> {
  /** Items that weren't known in this version, and were taken in. */
  readonly missing: number;
}

/** The items of a list that no product of their tile has. */
async function unknownOf(
  { scenes }: CompareDaysPorts,
  items: readonly ListedItem[],
  days: Period,
): Promise<readonly ListedItem[]> {
  const reading = limiter(AT_ONCE);
  const tiles = [...new Set(items.map(({ tile }) => tile))];
  const look = async (tile: string): Promise<readonly ListedItem[]> => {
    const products = (await scenes.listDays(tile, days)).map(({ product }) => product);
    const ofTile = items.filter((item) => item.tile === tile);
    return missingItems(ofTile, products);
  };
  return (await Promise.all(tiles.map((tile) => reading(() => look(tile))))).flat();
}

/**
 * Asks a catalogue what it has of tiles on days, compares that with the products that are known, and takes in what is
 * missing. Doing it again is harmless.
 *
 * @param taken items that need no look; what is known or was got is added
 */
export const compareDays =
  (ports: CompareDaysPorts) =>
  async (tiles: readonly string[], days: Period, taken: TakenItems): Promise<DaysCompared> => {
    const { items, pages, unreadableIds = [] } = await ports.catalogue.list(tiles, days);
    const doubtful = items.filter((item) => tiles.includes(item.tile) && !taken.isTaken(markOfListed(item)));
    const unknown = await unknownOf(ports, doubtful, days);
    for (const item of doubtful) if (!unknown.includes(item)) taken.add(markOfListed(item));
    const wanted = unknown.map((item) => ({ item }));
    const { failed, borrowed: _, ...found } = await takeInListed(ports)(wanted, taken);
    const [fault] = failed.values();
    if (failed.size > 0) throw fault;
    return {
      ...found,
      pages: pages + found.pages,
      missing: unknown.length,
      unusable: [...unreadableIds, ...found.unusable],
    };
  };
