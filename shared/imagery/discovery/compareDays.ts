import { limiter } from '../../raster/limiter.js';
import type { ListedItem, SceneFeed } from './feedPorts.js';
import { productVersionOf, type Product } from './product.js';
import type { SceneStore } from './scenePorts.js';
import type { Period } from './searchPeriods.js';
import { markOfListed, type SeenItems } from './seenItems.js';
import { isOpened, takeIn, type TakeInPorts } from './takeIn.js';

export interface CompareDaysPorts extends TakeInPorts {
  readonly sceneFeed: Pick<SceneFeed, 'list' | 'items'>;
  readonly scenes: SceneStore;
}

/** What a comparison of days found. */
export interface DaysCompared {
  readonly pages: number;
  readonly listed: number;
  /** Items that weren't known in this version, and were taken in. */
  readonly missing: number;
  /** Of these, products that nobody knew, and better versions. */
  readonly opened: number;
  /** Items that no image can be made of as the catalogue describes them. */
  readonly unusable: readonly ListedItem[];
  /** Ids of features that are none that can be read. */
  readonly unreadable: readonly string[];
}

const AT_ONCE = 8;

/** Whether a product has this item in this version. */
export const holds = ({ scenes }: Product, { id, collection, version }: ListedItem): boolean =>
  scenes.some((scene) => scene.id === id && scene.collection === collection && productVersionOf(scene) === version);

/** The items of a list that no product of their tile has. */
async function unknownOf(
  { scenes }: CompareDaysPorts,
  items: readonly ListedItem[],
  days: Period,
): Promise<readonly ListedItem[]> {
  const reading = limiter(AT_ONCE);
  const tiles = [...new Set(items.map(({ tile }) => tile))];
  const products = new Map<string, readonly Product[]>();
  const read = async (tile: string): Promise<void> => {
    products.set(
      tile,
      (await scenes.listDays(tile, days)).map(({ product }) => product),
    );
  };
  await Promise.all(tiles.map((tile) => reading(() => read(tile))));
  return items.filter((item) => products.get(item.tile)?.some((product) => holds(product, item)) !== true);
}

/**
 * Compares items that a catalogue lists of some days with the products that are known, and takes in what is missing: what
 * no poll was ever shown, or showed too late. Doing it again is harmless.
 *
 * @param seen items that need no look; what is found is added
 */
export const compareItems =
  (ports: CompareDaysPorts) =>
  async (items: readonly ListedItem[], days: Period, seen?: SeenItems): Promise<DaysCompared> => {
    const doubtful = items.filter((item) => seen?.has(markOfListed(item)) !== true);
    const unknown = await unknownOf(ports, doubtful, days);
    const found = unknown.length === 0 ? undefined : await ports.sceneFeed.items(unknown.map(({ id }) => id));
    const taking = limiter(AT_ONCE);
    const shown = found?.items ?? [];
    const news = await Promise.all(shown.map((item) => taking(() => takeIn(ports)(item))));
    for (const item of doubtful) seen?.add(markOfListed(item));
    const odd = new Set(shown.filter((_, index) => news[index] === 'unusable').map(({ scene }) => scene.id));
    return {
      pages: found?.pages ?? 0,
      listed: items.length,
      missing: unknown.length,
      opened: news.filter(isOpened).length,
      unusable: unknown.filter(({ id }) => odd.has(id)),
      unreadable: found?.unreadableIds ?? [],
    };
  };

/** Asks a catalogue what it has of tiles on days, and compares that, see `compareItems`. */
export const compareDays =
  (ports: CompareDaysPorts) =>
  async (tiles: readonly string[], days: Period, seen?: SeenItems): Promise<DaysCompared> => {
    const wanted = new Set(tiles);
    const { items, pages, unreadableIds = [] } = await ports.sceneFeed.list(tiles, days);
    const ofTiles = items.filter(({ tile }) => wanted.has(tile));
    const compared = await compareItems(ports)(ofTiles, days, seen);
    return { ...compared, pages: pages + compared.pages, unreadable: [...unreadableIds, ...compared.unreadable] };
  };
