// Weeks of the feed with a clock that is moved by hand: the product's own reading, writing and comparing, two hosts, and
// the stand-in's search. Experiments build it, with a protection taken out when they must fail.
import { searchReply } from '../../infra/local/standIns/stac/searchRoute.js';
import { UntidyFeed, type FeedCases } from '../../infra/local/standIns/stac/untidyFeed.js';
import { CatalogueError } from '../../shared/scenes/stac/catalogueError.js';
import type { CatalogueCall } from '../../shared/scenes/stac/catalogueHttpClient.js';
import { StacClient } from '../../shared/scenes/stac/stacClient.js';
import type { ProductKey } from '../../shared/imagery/products/product.js';
import { readFeed } from '../../shared/imagery/discovery/readFeed.js';
import { planReconciliation, reconcileTiles } from '../../shared/imagery/discovery/reconcile.js';
import type { Enqueuer } from '../../shared/work/enqueue.js';
import { FeedInMemory, ScenesInMemory } from '../support/imageryInMemory.js';
import { PlannedCatalogue, planOf, type PlanOptions, type Publication } from './feedCatalogue.js';
import { productBreaches, WANTED, workBreaches, type Seen } from './feedOracle.js';

const MINUTE_MS = 60_000;
/** Within which a new scene must be known. */
const LIMIT_MS = 20 * MINUTE_MS;
const POLL_MS = 5 * MINUTE_MS;
const DAY_MS = 1440 * MINUTE_MS;
const START = Date.parse('2026-06-01T00:00:00Z');
/** Of the last two nobody wants images. */
const TILES = [...WANTED, '31TGN', '54LWP'];

export interface FeedDaysOptions {
  readonly random: () => number;
  readonly days: number;
  readonly plan?: Pick<PlanOptions, 'skipped' | 'late' | 'repeated'>;
  /** Days from which to which the catalogue is away. */
  readonly away?: readonly [from: number, to: number];
  readonly cases?: FeedCases;
  /** Whether some ticks are missed and doubled, and some messages lost. */
  readonly isUnsteady?: boolean;
}

interface World {
  readonly options: FeedDaysOptions;
  readonly published: readonly Publication[];
  now: number;
  readonly scenes: ScenesInMemory;
  readonly counts: {
    polls: number;
    failed: number;
    calls: number;
    mostPolled: number;
    products: number;
    opened: number;
  };
  readonly seen: Seen[];
  readonly tick: () => Promise<void>;
  readonly night: () => Promise<void>;
}

const idOf = (collection: string, id: string): string => `${collection}/${id}`;

/** The pages of a search, their features in any order and some of them twice. */
function untidyPage(page: Record<string, unknown>, random: () => number): unknown {
  const features = (page['features'] as readonly unknown[]).map((feature) => ({ feature, at: random() }));
  const shuffled = features.sort((a, b) => a.at - b.at).map(({ feature }) => feature);
  const twice = shuffled.filter(() => random() < 0.1);
  return { ...page, features: [...shuffled, ...twice] };
}

function newWorld(options: FeedDaysOptions): World {
  const { random, days, cases = {} } = options;
  const published = planOf({ random, tiles: TILES, from: START - DAY_MS, days: days + 1, ...options.plan });
  const counts = { polls: 0, failed: 0, calls: 0, mostPolled: 0, products: 0, opened: 0 };
  const scenes = new ScenesInMemory();
  const seen: Seen[] = [];
  const granules = new Map(published.map(({ item, granule }) => [idOf(item.collection, item.id), granule]));
  const world = { options, published, now: START, scenes, counts, seen } as unknown as {
    -readonly [K in keyof World]: World[K];
  };
  const untidy = new UntidyFeed(() => new Date(world.now));
  untidy.set(cases);
  const source = untidy.within(new PlannedCatalogue(published, () => world.now));
  const getJson = ({ url, body }: CatalogueCall): Promise<unknown> => {
    counts.calls += 1;
    const day = (world.now - START) / DAY_MS;
    const [from, to] = options.away ?? [Infinity, Infinity];
    if (day >= from && day < to) return Promise.reject(new CatalogueError('unavailable', 'The catalogue is away.'));
    const exchange = { method: 'POST', url: new URL(url), headers: {}, body: Buffer.from(JSON.stringify(body)) };
    const reply = searchReply(source, exchange);
    return Promise.resolve(untidyPage(JSON.parse(String(reply.body)) as Record<string, unknown>, random));
  };
  const lost: ProductKey[] = [];
  /** Stands for the fan-out: a version that is opened is worked on once. */
  const workOn = async (key: ProductKey): Promise<void> => {
    // The row of the work is there: the sweep sends its message again.
    if (options.isUnsteady === true && random() < 0.03) return void lost.push(key);
    const stored = await scenes.find(key);
    if (stored?.product.fanOut !== 'open') return;
    await scenes.put({ ...stored.product, fanOut: 'done' }, stored.etag);
    counts.opened += 1;
    const { version, scenes: items } = stored.product;
    const [best] = items;
    // What can't be used brings nothing but its reason.
    if (best === undefined) return;
    const granule = granules.get(idOf(best.collection, best.id)) ?? 'unknown';
    seen.push({ granule, version, seenAt: world.now });
  };
  const sent: ProductKey[] = [];
  const ports = {
    catalogueName: 'earth-search' as const,
    catalogue: new StacClient({ catalogue: 'earth-search', url: 'https://catalogue.example/v1', getJson }),
    scenes,
    feed: new FeedInMemory(),
    askProduct: (key: ProductKey) => Promise.resolve(void sent.push(key)),
    interest: {
      listTiles: () => Promise.resolve(WANTED),
      dropEmptyTile: () => Promise.resolve(false),
      summarizeTile: () => Promise.resolve([]),
    },
    clock: { now: () => new Date(world.now) },
    log: () => undefined,
  };
  const ask: Enqueuer['ask'] = async ({ facts }) => {
    await reconcileTiles({ ...ports, enqueuer: { ask } })(
      facts as unknown as Parameters<ReturnType<typeof reconcileTiles>>[0],
    );
  };
  const compareAll = planReconciliation({ ...ports, enqueuer: { ask } });
  const hosts = [0, 1].map(() => readFeed({ ...ports, compareAll: () => compareAll('silence') }));
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    sent.push(...lost.splice(0));
    await act().catch(() => (counts.failed += 1));
    for (const key of sent.splice(0)) await workOn(key);
  };
  world.tick = async () => {
    const drawn = options.isUnsteady === true ? random() : 1;
    if (drawn < 0.05) return;
    counts.polls += 1;
    const host = hosts[Math.floor(random() * 2)];
    const before = counts.calls;
    await attempt(drawn < 0.1 ? () => Promise.all(hosts.map((poll) => poll())) : () => host!());
    // The first poll of all reads a day.
    if (counts.polls > 1) counts.mostPolled = Math.max(counts.mostPolled, counts.calls - before);
  };
  world.night = () => attempt(() => compareAll('night'));
  return world;
}

/** Lives through the days and compares what came out with what was published. */
export async function feedDays(options: FeedDaysOptions) {
  const world = newWorld(options);
  const { counts } = world;
  const end = START + options.days * DAY_MS;
  for (; world.now < end; world.now += POLL_MS) {
    await world.tick();
    if (world.now % DAY_MS === 330 * MINUTE_MS) await world.night();
  }
  // The last night, after which nothing may be left.
  world.now = end + 330 * MINUTE_MS;
  await world.night();
  const breaches: string[] = [];
  breaches.push(...productBreaches(world, world.now));
  const { slowest, breaches: late } = workBreaches(world, { limitMs: LIMIT_MS, from: START, away: options.away });
  breaches.push(...late);
  counts.products = world.scenes.products.length;
  const minutes = Math.round(slowest / MINUTE_MS);
  return {
    counts: { ...counts, items: world.published.length, slowestMinutes: minutes },
    breaches: breaches.map((text) => `I6: ${text}`),
  };
}
