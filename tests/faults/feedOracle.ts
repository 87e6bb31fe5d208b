// What was published, held against what came of it.
import type { Product } from '../../shared/imagery/products/product.js';
import { productVersionOf } from '../../shared/scenes/item/scene.js';
import type { ScenesInMemory } from '../support/imageryInMemory.js';
import type { Publication } from './feedCatalogue.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The tiles of which somebody wants images. */
export const WANTED = ['33UUP', '33UVP', '05VNL', '15TWF'];

/** When a version of a granule was worked on. */
export interface Seen {
  readonly granule: string;
  readonly version: string;
  readonly seenAt: number;
}

interface Lived {
  readonly published: readonly Publication[];
  readonly scenes: ScenesInMemory;
  readonly seen: readonly Seen[];
}

/** What must be known of each wanted granule at the end: its best processing that was ever visible. */
function expectedOf(published: readonly Publication[], until: number): ReadonlyMap<string, string> {
  const best = new Map<string, string>();
  for (const { granule, processing, visibleAt } of published) {
    if (processing === '' || visibleAt > until || !WANTED.includes(granule.slice(0, 5))) continue;
    if (processing > (best.get(granule) ?? '')) best.set(granule, processing);
  }
  return best;
}

const truthOf = (published: readonly Publication[]): ((scene: { collection: string; id: string }) => string) => {
  const granules = new Map(published.map(({ item, granule }) => [`${item.collection}/${item.id}`, granule]));
  return ({ collection, id }) => granules.get(`${collection}/${id}`) ?? 'none';
};

/** What is wrong with the product of a granule, if anything. */
function faultOf(product: Product | undefined, processing: string): string | undefined {
  if (product === undefined) return 'is not known';
  if (product.version !== processing) return `is known as ${product.version}, not as ${processing}`;
  if (product.fanOut !== 'done') return 'is left open';
  const [best] = product.scenes;
  return best !== undefined && productVersionOf(best) === processing ? undefined : 'has older files first';
}

/** Each granule must be one product of its own, in its best version. */
export function productBreaches({ published, scenes }: Lived, until: number): readonly string[] {
  const breaches: string[] = [];
  const granuleOf = truthOf(published);
  const found = new Map<string, Product>();
  for (const product of scenes.products) {
    const granules = [...new Set(product.scenes.map(granuleOf))];
    if (granules.length > 1) breaches.push(`${product.tile} ${product.scene} mixes ${granules.join(' and ')}`);
    for (const granule of granules) {
      if (found.has(granule)) breaches.push(`${granule} is two products`);
      found.set(granule, product);
    }
  }
  const expected = expectedOf(published, until);
  for (const [granule, processing] of expected) {
    const fault = faultOf(found.get(granule), processing);
    if (fault !== undefined) breaches.push(`${granule} ${fault}`);
  }
  const strays = [...found.keys()].filter((granule) => !expected.has(granule));
  return [...breaches, ...strays.map((granule) => `${granule} is none that is wanted`)];
}

/** When the feed could have shown each version of a granule. */
function shownAt(published: readonly Publication[]): ReadonlyMap<string, number> {
  const shown = new Map<string, number>();
  for (const { granule, processing, visibleAt, isSkipped, isLate } of published) {
    if (processing === '' || isSkipped || isLate) continue;
    const key = `${granule} ${processing}`;
    shown.set(key, Math.min(shown.get(key) ?? Infinity, visibleAt));
  }
  return shown;
}

/** Nothing may be worked on twice for one version, and what the feed could show may not be late. */
export function workBreaches(
  { published, seen }: Lived,
  options: { readonly limitMs: number; readonly from: number; readonly away: readonly [number, number] | undefined },
): { readonly breaches: readonly string[]; readonly slowest: number } {
  const { limitMs, from, away = [-1, -1] } = options;
  const breaches: string[] = [];
  const known = new Map<string, number>();
  for (const { granule, version, seenAt } of seen) {
    const key = `${granule} ${version}`;
    if (known.has(key)) breaches.push(`${key} is worked on twice`);
    known.set(key, seenAt);
  }
  const [awayFrom, awayTo] = [from + away[0] * DAY_MS, from + away[1] * DAY_MS];
  const waits = [...shownAt(published)].flatMap(([key, visibleAt]): [string, number][] => {
    const seenAt = known.get(key);
    // A better version may have come first: then the older one is never worked on.
    if (seenAt === undefined || visibleAt < from) return [];
    return [[key, seenAt - (visibleAt >= awayFrom && visibleAt < awayTo ? awayTo : visibleAt)]];
  });
  for (const [key, wait] of waits) {
    if (wait > limitMs) breaches.push(`${key} is seen after ${Math.round(wait / MINUTE_MS)} minutes`);
  }
  return { breaches, slowest: Math.max(0, ...waits.map(([, wait]) => wait)) };
}
