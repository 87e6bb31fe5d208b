import { limiter } from '../../kit/limiter.js';
import { productVersionOf } from '../../scenes/item/scene.js';
import type { ListedItem, SceneCatalogue, ShownItem } from '../../scenes/stac/sceneCatalogue.js';
import type { Product } from '../products/product.js';
import type { TableSceneStore } from '../products/tableSceneStore.js';
import type { Period } from '../../scenes/stac/searchPeriods.js';
import { hashOfListed, type TakenItems } from './takenItems.js';
import { isOpened, takeIn, type Intake, type TakeInPorts } from './takeIn.js';

export interface TakeInListedPorts extends TakeInPorts {
  readonly catalogue: Pick<SceneCatalogue, 'items'>;
}

export interface CompareDaysPorts extends TakeInListedPorts {
  readonly catalogue: Pick<SceneCatalogue, 'list' | 'items'>;
  readonly scenes: TakeInPorts['scenes'] & Pick<TableSceneStore, 'listDays'>;
}

/** An item of a list that is to be taken in. */
export interface WantedItem {
  readonly item: ListedItem;
  /** The tile that borrows the item's product; the item's own tile when absent. */
  readonly borrower?: string;
}

/** What became of items of a list. */
export interface ListedTaken {
  readonly pages: number;
  /** Items that opened a product of their own tile. */
  readonly opened: number;
  /** Items that opened a borrowed product. */
  readonly borrowed: number;
  /** Ids of items that can't be used or read. */
  readonly unusable: readonly string[];
  /** By tile, the error with which an item could not be taken in. */
  readonly failed: ReadonlyMap<string, unknown>;
}

const AT_ONCE = 8;

/** Whether a product has this item in this version. */
const hasItem = ({ scenes, unusable }: Product, { id, collection, version }: ListedItem): boolean =>
  [...scenes, ...(unusable === undefined ? [] : [unusable])].some(
    (scene) => scene.id === id && scene.collection === collection && productVersionOf(scene) === version,
  );

/** The items of a list that no product has. */
export const missingItems = (items: readonly ListedItem[], products: readonly Product[]): readonly ListedItem[] =>
  items.filter((item) => !products.some((product) => hasItem(product, item)));

const isItem = ({ scene: { id, collection } }: ShownItem, { item }: WantedItem): boolean =>
  item.id === id && item.collection === collection;

/**
 * Fetches items of a list from the catalogue and takes them in. An error for one tile doesn't stop the others. Items that
 * the catalogue no longer has are passed over.
 *
 * @param taken gets the items that were taken in
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
        taken?.add(hashOfListed(item));
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
export interface DaysCompared extends Pick<ListedTaken, 'pages' | 'opened' | 'unusable'> {
  /** Items that no product had, in this version. */
  readonly missing: number;
}

/** The items of a list that no product of their tile has. */
async function unknownOf(
  { scenes }: CompareDaysPorts,
  items: readonly ListedItem[],
  days: Period,
): Promise<readonly ListedItem[]> {
  const reading = limiter(AT_ONCE);
  const look = async (tile: string): Promise<readonly ListedItem[]> => {
    const products = (await scenes.listDays(tile, days)).map(({ product }) => product);
    return missingItems(
      items.filter((item) => item.tile === tile),
      products,
    );
  };
  const tiles = new Set(items.map(({ tile }) => tile));
  return (await Promise.all([...tiles].map((tile) => reading(() => look(tile))))).flat();
}

/**
 * Compares what a catalogue lists of tiles on days with the stored products, and takes in what is missing. Doing it again
 * is harmless.
 *
 * @param taken items that need not be compared; gets those that are known or were taken in
 */
export const compareDays =
  (ports: CompareDaysPorts) =>
  async (tiles: readonly string[], days: Period, taken: TakenItems): Promise<DaysCompared> => {
    const { items, pages, unreadableIds = [] } = await ports.catalogue.list(tiles, days);
    const doubtful = items.filter((item) => tiles.includes(item.tile) && !taken.isTaken(hashOfListed(item)));
    const unknown = await unknownOf(ports, doubtful, days);
    for (const item of doubtful) if (!unknown.includes(item)) taken.add(hashOfListed(item));
    const wanted = unknown.map((item) => ({ item }));
    const found = await takeInListed(ports)(wanted, taken);
    const [fault] = found.failed.values();
    if (found.failed.size > 0) throw fault;
    return {
      pages: pages + found.pages,
      opened: found.opened,
      missing: unknown.length,
      unusable: [...unreadableIds, ...found.unusable],
    };
  };
