import { dayOfScene, productVersionOf, type Granule, type Scene, type UnusableScene } from '../catalogue/scene.js';
import { isUsable } from '../catalogue/sceneOfItem.js';
import type { WorkKey } from '../../work/workItem.js';
import { newestFirst } from '../../validation/calendar.js';

/** Names a product: one granule of one overpass, whatever its processing and whichever collection shows it. */
export interface ProductKey {
  /** MGRS tile with a zone of two digits, such as 33UUP. */
  readonly tile: string;
  /** `<inverse day>|<datatake>|<start of the datastrip>`: the products of a tile sort newest first. */
  readonly scene: string;
}

/** What the catalogue's items say of one product, all collections and versions together. */
export interface Product extends ProductKey {
  /** UTC day of the acquisition. */
  readonly day: string;
  /** The best version known, as text that sorts. */
  readonly version: string;
  /** The best version first as it was first shown; behind it other files of the same, then versions of before. */
  readonly scenes: readonly Scene[];
  /** What can't be used of it; where there is nothing else, that is why there is no image. */
  readonly unusable?: UnusableScene;
  /** When the catalogue first showed the best version, as far as it tells; else when it was seen. ISO 8601. */
  readonly publishedAt: string;
  /** When the service first saw the best version. ISO 8601. */
  readonly seenAt: string;
  /** Open until work was asked for, for all who want images of this version. */
  readonly fanOut: 'open' | 'done';
}

/** The kind of work that asks for the images of a product. */
export const PRODUCT = 'product';

/** A product as work. */
export const workOfProduct = ({ tile, scene }: ProductKey): WorkKey => ({ kind: PRODUCT, id: `|${tile}|${scene}` });

/** The product that a piece of work is about. */
export function productOfWork({ id }: Pick<WorkKey, 'id'>): ProductKey {
  const [, tile = '', ...scene] = id.split('|');
  return { tile, scene: scene.join('|') };
}

/** When an item was shown, and when it was noticed. ISO 8601. */
export interface Sighting {
  readonly publishedAt: string;
  readonly seenAt: string;
}

/**
 * What an item brought: a product that wasn't known, a better version of one, other files of one that is known, or
 * nothing new. Only the first two ask for work.
 */
export type News = 'new' | 'better' | 'other' | 'none';

/** Other files and versions that are kept of a product. */
const MOST_OTHERS = 8;

/** Catalogues are others': their texts become keys only when they look as Sentinel-2's do. */
const DATATAKE = /^GS2[A-Z]_\d{8}T\d{6}_\d{6}$/;
const STRIP_START = /^\d{8}T\d{6}$/;
const TILE = /^\d{2}[C-X][A-Z]{2}$/;

/** The minute of the acquisition, e.g. 20260617T1005. */
const minuteOf = ({ takenAt }: Granule): string => takenAt.slice(0, 16).replaceAll(/[-:]/g, '');

/** The satellite where the catalogue names it as it should, for a datatake names it too. */
const platformOf = ({ platform }: Granule): string => (/^sentinel-2[a-z]$/.test(platform) ? platform : 'unknown');

/**
 * The product that a scene is an item of: (platform, datatake without its baseline, tile, start of the datastrip), for
 * these survive reprocessing and are the same in both collections. A datatake names its platform. Where the catalogue
 * doesn't tell the strip's start, the acquisition stands for it, to a minute.
 *
 * @returns undefined when the catalogue doesn't name the tile
 */
export function productKeyOf(scene: Granule): ProductKey | undefined {
  const { tile, datatake, datastripStart } = scene;
  if (!TILE.test(tile)) return undefined;
  const take = DATATAKE.test(datatake) ? datatake : platformOf(scene);
  const start = STRIP_START.test(datastripStart) ? datastripStart : minuteOf(scene);
  return { tile, scene: [newestFirst(dayOfScene(scene)), take, start].join('|') };
}

/** The key under which a tile has a product of another tile, which shows what its own products lack. */
export const borrowedKey = ({ tile, scene }: ProductKey, borrower: string): ProductKey => ({
  tile: borrower,
  scene: `${scene}|${tile}`,
});

/** What a product shows: its best version, or what can't be used of it. */
export function shownBy({ scenes: [best], unusable, ...key }: Product): Scene | UnusableScene {
  const shown = best ?? unusable;
  if (shown === undefined) throw new Error(`The product ${key.tile} ${key.scene} has no scene.`);
  return shown;
}

/** Whether a product is the tile's own. */
export const isOwn = (product: Product): boolean => shownBy(product).tile === product.tile;

/**
 * When the catalogue showed this version: `created`, unless the version was made after it, for an item that is made
 * again keeps `created`; then `updated`. Any of them may be absent.
 */
export function publishedAtOf(
  { created, updated }: { readonly created?: string | undefined; readonly updated?: string | undefined },
  { generatedAt }: Pick<Scene, 'generatedAt'>,
): string | undefined {
  const instants = [created, updated].map((text) => Date.parse(text ?? ''));
  const made = Date.parse(generatedAt);
  const shown = instants.find((instant) => !Number.isNaN(instant) && !(instant < made));
  return shown === undefined ? undefined : new Date(shown).toISOString();
}

/** Items are told apart by collection and id: one that is made again under its id takes its own place. */
const isSameItem = (a: Pick<Scene, 'collection' | 'id'>, b: Pick<Scene, 'collection' | 'id'>): boolean =>
  a.collection === b.collection && a.id === b.id;

/** The versions, best first; of one version the item that came first. */
const ordered = (scenes: readonly Scene[]): readonly Scene[] =>
  scenes
    .toSorted((a, b) => {
      const [first, second] = [productVersionOf(a), productVersionOf(b)];
      return first === second ? 0 : first > second ? -1 : 1;
    })
    .slice(0, 1 + MOST_OTHERS);

/** A product that is seen for the first time. */
const firstSeen = (
  key: ProductKey,
  { takenAt }: Pick<Scene, 'takenAt'>,
  known: Sighting & Pick<Product, 'version' | 'scenes' | 'unusable'>,
): Product => ({ ...key, day: dayOfScene({ takenAt }), ...known, fanOut: 'open' });

/** What can't be used stands beside what can: it opens the product only where nothing else is known of it. */
function withUnusable(
  known: Product | undefined,
  key: ProductKey,
  { scene, ...sighting }: Sighting & { readonly scene: UnusableScene },
): { readonly product: Product; readonly news: News } {
  if (known === undefined) {
    // Whatever can be used is better.
    const product = firstSeen(key, scene, { version: '', scenes: [], unusable: scene, ...sighting });
    return { product, news: 'new' };
  }
  const isOther = known.unusable !== undefined && !isSameItem(known.unusable, scene);
  // Of two of them one tells enough.
  if (isOther || JSON.stringify(known.unusable) === JSON.stringify(scene)) return { product: known, news: 'none' };
  return { product: { ...known, unusable: scene }, news: 'other' };
}

/**
 * Puts an item to what is known of its product. A better version opens the product again; the same version in the
 * second collection and versions of before are kept behind the best one and open nothing, nor does the same again. What
 * can't be used is kept as such.
 */
export function withScene(
  known: Product | undefined,
  key: ProductKey,
  { scene, ...sighting }: Sighting & { readonly scene: Scene | UnusableScene },
): { readonly product: Product; readonly news: News } {
  if (!isUsable(scene)) return withUnusable(known, key, { scene, ...sighting });
  const version = productVersionOf(scene);
  if (known === undefined) {
    return { product: firstSeen(key, scene, { version, scenes: [scene], ...sighting }), news: 'new' };
  }
  const before = known.scenes.find((other) => isSameItem(other, scene));
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(scene)) return { product: known, news: 'none' };
  if (version <= known.version) return { product: { ...known, scenes: withOther(known, scene) }, news: 'other' };
  // What its version of before is needed for, the item's own files no longer show.
  const scenes = ordered([scene, ...known.scenes.filter((other) => !isSameItem(other, scene))]);
  const opened = { version, scenes, ...sighting, fanOut: 'open' } as const;
  return { product: { ...known, ...opened }, news: 'better' };
}

/** An item's newer description stands where the older one stood, unless it fell back behind the best version. */
function withOther({ scenes }: Product, scene: Scene): Product['scenes'] {
  const isKnown = scenes.some((other) => isSameItem(other, scene));
  return ordered(isKnown ? scenes.map((other) => (isSameItem(other, scene) ? scene : other)) : [...scenes, scene]);
}

/** Two bytes a character; a row takes 900,000 bytes, the columns beside the product and all names included. */
const MOST_PRODUCT_BYTES = 890_000;
const BYTES_PER_CHARACTER = 2;

/**
 * A product with as many of its other scenes as one row of a table holds, the best ones.
 *
 * @returns undefined when the best version alone is too large: no catalogue's outline has the thousands of corners for it
 */
export function fittingRow(product: Product): Product | undefined {
  for (let kept = product.scenes.length; kept >= Math.min(1, product.scenes.length); kept -= 1) {
    const fitted: Product = { ...product, scenes: product.scenes.slice(0, kept) };
    if (BYTES_PER_CHARACTER * JSON.stringify(fitted).length <= MOST_PRODUCT_BYTES) return fitted;
  }
  return undefined;
}
