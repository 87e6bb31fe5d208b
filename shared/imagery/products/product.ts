import {
  compareTexts,
  dayOfScene,
  productVersionOf,
  type Granule,
  type Scene,
  type UnusableScene,
} from '../../scenes/item/scene.js';
import { isUsable } from '../../scenes/item/sceneOfItem.js';
import type { WorkKey } from '../../work/item/workItem.js';
import { newestFirst } from '../../kit/validation/calendar.js';

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
  /** The best version first, as it was first shown; then the same version in the other collection; then older versions. */
  readonly scenes: readonly Scene[];
  /** An item of the product that can't be used; where there is no other item, its fault is why there is no image. */
  readonly unusable?: UnusableScene;
  /** When the catalogue first showed the best version, or, where it doesn't tell, `seenAt`. ISO 8601. */
  readonly publishedAt: string;
  /** When the service first saw the best version. ISO 8601. */
  readonly seenAt: string;
  /** Open until units were asked for, for all who want images of this version. */
  readonly fanOut: 'open' | 'done';
}

/** The kind of work that asks for the units of a product. */
export const PRODUCT = 'product';

/** The work item of a product. */
export const workOfProduct = ({ tile, scene }: ProductKey): WorkKey => ({ kind: PRODUCT, id: `|${tile}|${scene}` });

/** The product of a work item. */
export function productOfWork({ id }: Pick<WorkKey, 'id'>): ProductKey {
  const [, tile = '', ...scene] = id.split('|');
  return { tile, scene: scene.join('|') };
}

/** When the catalogue showed an item, and when the service saw it. ISO 8601. */
export interface Sighting {
  readonly publishedAt: string;
  readonly seenAt: string;
}

/**
 * What an item brought: a new product, a better version of a known one, other files of a known one, or nothing. Only the
 * first two open the product.
 */
export type News = 'new' | 'better' | 'other' | 'none';

/** Other files and versions that are kept of a product. */
const MOST_OTHERS = 8;

/** Texts of a catalogue become part of a key only when they have Sentinel-2's form. */
const DATATAKE = /^GS2[A-Z]_\d{8}T\d{6}_\d{6}$/;
const STRIP_START = /^\d{8}T\d{6}$/;
const TILE = /^\d{2}[C-X][A-Z]{2}$/;

/** The minute of the acquisition, e.g. 20260617T1005. */
const minuteOf = ({ takenAt }: Granule): string => takenAt.slice(0, 16).replaceAll(/[-:]/g, '');

/** Stands for a datatake, which names its satellite too. */
const platformOf = ({ platform }: Granule): string => (/^sentinel-2[a-z]$/.test(platform) ? platform : 'unknown');

/**
 * The product of a scene: tile, day, datatake without its baseline (which names the platform), start of the datastrip. These
 * survive reprocessing and are the same in both collections. Where the catalogue doesn't tell the start of the datastrip,
 * the minute of the acquisition stands for it.
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

/** The key of a product that a tile borrows from another tile. */
export const borrowedKey = ({ tile, scene }: ProductKey, borrower: string): ProductKey => ({
  tile: borrower,
  scene: `${scene}|${tile}`,
});

/** The scene that stands for a product: its best version, or its unusable item where there is no other. */
export function shownBy({ scenes: [best], unusable, ...key }: Product): Scene | UnusableScene {
  const shown = best ?? unusable;
  if (shown === undefined) throw new Error(`The product ${key.tile} ${key.scene} has no scene.`);
  return shown;
}

/** Whether a product is the tile's own, not borrowed. */
export const isOwn = (product: Product): boolean => shownBy(product).tile === product.tile;

/**
 * When the catalogue showed this version: `created`, or `updated` where the version was made after `created`, for an item
 * that is made again keeps its `created`. Any of these may be absent.
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

/** Whether two scenes are versions of one item, which is named by collection and id. */
const isSameItem = (a: Pick<Scene, 'collection' | 'id'>, b: Pick<Scene, 'collection' | 'id'>): boolean =>
  a.collection === b.collection && a.id === b.id;

/** The versions that are kept, best first; of one version the item that came first. */
const ordered = (scenes: readonly Scene[]): readonly Scene[] =>
  scenes.toSorted((a, b) => compareTexts(productVersionOf(b), productVersionOf(a))).slice(0, 1 + MOST_OTHERS);

interface Added {
  readonly product: Product;
  readonly news: News;
}

/** A product that is seen for the first time. */
const firstSeen = (
  key: ProductKey,
  scene: Granule,
  known: Sighting & Pick<Product, 'version' | 'scenes' | 'unusable'>,
): Added => ({ product: { ...key, day: dayOfScene(scene), ...known, fanOut: 'open' }, news: 'new' });

/** Adds an item that can't be used: it opens the product only where nothing else is known of the product. */
function withUnusable(
  known: Product | undefined,
  key: ProductKey,
  { scene, ...sighting }: Sighting & { readonly scene: UnusableScene },
): Added {
  if (known === undefined) {
    // The empty version is below all others, so that any usable item is better.
    return firstSeen(key, scene, { version: '', scenes: [], unusable: scene, ...sighting });
  }
  const isOther = known.unusable !== undefined && !isSameItem(known.unusable, scene);
  // One unusable item is enough to tell.
  if (isOther || JSON.stringify(known.unusable) === JSON.stringify(scene)) return { product: known, news: 'none' };
  return { product: { ...known, unusable: scene }, news: 'other' };
}

/**
 * Adds an item to its product. A better version opens the product again; the same version in the other collection and older
 * versions are kept behind the best one and don't.
 */
export function withScene(
  known: Product | undefined,
  key: ProductKey,
  { scene, ...sighting }: Sighting & { readonly scene: Scene | UnusableScene },
): Added {
  if (!isUsable(scene)) return withUnusable(known, key, { scene, ...sighting });
  const version = productVersionOf(scene);
  if (known === undefined) return firstSeen(key, scene, { version, scenes: [scene], ...sighting });
  const before = known.scenes.find((other) => isSameItem(other, scene));
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(scene)) return { product: known, news: 'none' };
  if (version <= known.version) return { product: { ...known, scenes: withOther(known, scene) }, news: 'other' };
  // The item's older version is dropped: its files now show the new version.
  const scenes = ordered([scene, ...known.scenes.filter((other) => !isSameItem(other, scene))]);
  const opened = { version, scenes, ...sighting, fanOut: 'open' } as const;
  return { product: { ...known, ...opened }, news: 'better' };
}

/** An item that is known takes its own place, before the versions are ordered again. */
function withOther({ scenes }: Product, scene: Scene): Product['scenes'] {
  const isKnown = scenes.some((other) => isSameItem(other, scene));
  return ordered(isKnown ? scenes.map((other) => (isSameItem(other, scene) ? scene : other)) : [...scenes, scene]);
}

/** A row takes 900,000 bytes, other columns and all names included. */
const MOST_PRODUCT_BYTES = 890_000;
const BYTES_PER_CHARACTER = 2;

/**
 * A product with as many of its scenes, the best ones, as one row of a table holds.
 *
 * @returns undefined when the best version alone is too large, with an outline of thousands of corners
 */
export function fittingRow(product: Product): Product | undefined {
  for (let kept = product.scenes.length; kept >= Math.min(1, product.scenes.length); kept -= 1) {
    const fitted: Product = { ...product, scenes: product.scenes.slice(0, kept) };
    if (BYTES_PER_CHARACTER * JSON.stringify(fitted).length <= MOST_PRODUCT_BYTES) return fitted;
  }
  return undefined;
}
