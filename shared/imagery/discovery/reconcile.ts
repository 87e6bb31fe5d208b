import type { Clock } from '../../clock.js';
import { isTurn } from '../../nightTurn.js';
import { limiter } from '../../raster/limiter.js';
import { usualPace } from '../../retryDelay.js';
import { errorText, type Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { RetryPolicies } from '../../work/retry.js';
import type { WorkItem } from '../../work/workItem.js';
import { done, type Step, type WorkKind } from '../../work/workKind.js';
import { unusableFacts } from '../catalogue/unusableFacts.js';
import { failureOfScenes } from '../catalogue/sceneFailure.js';
import { isWanted } from '../interest/interest.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { knownOf, lackedItems, showsMore, withNeighbours, type NeighbourItem, type TileKnown } from './borrowing.js';
import { missingItems, takeInListed, type TakeInListedPorts, type WantedItem } from './compareDays.js';
import type { Found, ListedItem, SceneCatalogue } from '../catalogue/sceneCatalogue.js';
import type { FeedStore } from './feedPorts.js';
import { isCatchingUp } from './feedSilence.js';
import type { SceneStore } from '../products/scenePorts.js';
import type { Period } from '../catalogue/searchPeriods.js';
import { tileGroups } from './tileGroups.js';

/** The kind of work that holds a group of tiles against the catalogue. */
export const TILES = 'tiles';

/** Days back that every night compares. */
const NEAR_DAYS = 11;
/** Days back that one night a week compares: the 30 within which late scenes are taken in, and the week until the next. */
const FAR_DAYS = 37;
/** Tiles of one piece of work: what it lists is in memory at once, and takes minutes. */
const MOST_TILES = { [NEAR_DAYS]: 200, [FAR_DAYS]: 50 } as const;
const WEEK_DAYS = 7;
/** A product that was opened so long ago was never asked for, or given up. */
const OPEN_MS = 30 * 60_000;
/** Products are kept so long: a later version of an older day is a product that wasn't known. */
const KEPT_DAYS = 60;
const AT_ONCE = 8;

export interface PlanReconciliationPorts {
  readonly catalogueName: string;
  readonly interest: Pick<InterestStore, 'listTiles'>;
  readonly feed: Pick<FeedStore, 'findCursor'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What a piece of work compares. */
interface TilesToCompare {
  readonly tiles: readonly string[];
  /** Days back from today. */
  readonly days: number;
  /** Whether what the catalogue lacks is borrowed: not while it shows nothing of anything. */
  readonly borrows: boolean;
}

/**
 * Has each group of tiles of which anybody wants images held against the catalogue.
 *
 * @param why `night`, or `silence`: what the catalogue has not shown for long comes in any order, so this looks far back
 * @returns how many tiles there are
 */
export const planReconciliation =
  ({ catalogueName, interest, feed, enqueuer, clock }: PlanReconciliationPorts) =>
  async (why: 'night' | 'silence' = 'night'): Promise<{ readonly tiles: number }> => {
    const now = clock.now();
    const today = now.toISOString().slice(0, 10);
    const [tiles, stored] = await Promise.all([interest.listTiles(), feed.findCursor(catalogueName)]);
    const cursor = stored?.cursor;
    const borrows = why === 'silence' || cursor?.isSilent !== true;
    const isCatchUp = why === 'silence' || (cursor !== undefined && isCatchingUp(cursor, now.getTime()));
    const isFar = (tile: string): boolean => isCatchUp || isTurn(tile, { day: today, everyDays: WEEK_DAYS });
    const when = why === 'night' ? today : now.toISOString().slice(0, 13);
    for (const days of [NEAR_DAYS, FAR_DAYS] as const) {
      const ofDays = tiles.filter((tile) => isFar(tile) === (days === FAR_DAYS));
      for (const [index, group] of tileGroups(ofDays, MOST_TILES[days]).entries()) {
        const facts = { tiles: group, days, borrows } satisfies TilesToCompare;
        await enqueuer.ask({ kind: TILES, id: `|${when}|${days}|${index}`, facts });
      }
    }
    return { tiles: tiles.length };
  };

export interface ReconcilePorts extends TakeInListedPorts {
  readonly catalogue: Pick<SceneCatalogue, 'list' | 'items'>;
  readonly scenes: TakeInListedPorts['scenes'] & Pick<SceneStore, 'list' | 'remove'>;
  readonly interest: Pick<InterestStore, 'dropEmptyTile' | 'summarizeTile'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly log: Log;
}

/** What a look at a tile found. */
interface TileLook {
  readonly sentAgain: number;
  /** What is to be taken in for the tile, its own and what it borrows. */
  readonly wanted: readonly WantedItem[];
}

/** What the tile lacks and its neighbours have, as far as somebody wants it. */
async function borrowedItems(
  { interest }: ReconcilePorts,
  known: TileKnown,
  { items, today }: { readonly items: readonly ListedItem[]; readonly today: string },
): Promise<readonly NeighbourItem[]> {
  const lacked = lackedItems(known, items, today);
  if (lacked.length === 0) return [];
  const entries = await interest.summarizeTile(known.tile);
  const wantedOn = (date: string) => entries.filter((entry) => isWanted(entry, { date, today }));
  return lacked.filter((item) => showsMore(item, known, wantedOn(item.day)));
}

/**
 * Has work made of products of a tile that have been open for too long, lets go of old ones, and finds what it lacks: own
 * products that the catalogue lists, and those of its neighbours where the catalogue lists none of its own.
 */
async function lookAtTile(
  ports: ReconcilePorts,
  tile: string,
  { items, borrows }: { readonly items: readonly ListedItem[]; readonly borrows: boolean },
): Promise<TileLook> {
  const { scenes, askProduct, interest, clock } = ports;
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  const all = (await scenes.list(tile)).map(({ product }) => product);
  if (await interest.dropEmptyTile(tile)) {
    await scenes.remove(tile, all);
    return { sentAgain: 0, wanted: [] };
  }
  const isOld = ({ day }: { readonly day: string }): boolean => day < addDays(today, -KEPT_DAYS);
  await scenes.remove(tile, all.filter(isOld));
  const products = all.filter((product) => !isOld(product));
  const since = now.getTime() - OPEN_MS;
  const open = products.filter(({ fanOut, seenAt }) => fanOut === 'open' && Date.parse(seenAt) <= since);
  for (const product of open) await askProduct(product);
  const ofTile = items.filter((item) => item.tile === tile);
  const own = missingItems(ofTile, products);
  const borrowed = borrows ? await borrowedItems(ports, knownOf(tile, products, own), { items, today }) : [];
  const wanted = [...own.map((item) => ({ item })), ...borrowed.map((item) => ({ item, borrower: tile }))];
  return { sentAgain: open.length, wanted };
}

/** What the catalogue has of tiles on days, of 200 tiles at a time. */
async function listAll(
  { catalogue }: ReconcilePorts,
  tiles: readonly string[],
  days: Period,
): Promise<Required<Found<ListedItem>>> {
  const found: Found<ListedItem>[] = [];
  for (const group of tileGroups(tiles)) found.push(await catalogue.list(group, days, { withGranules: true }));
  const unreadableIds = found.flatMap((some) => some.unreadableIds ?? []);
  return {
    items: found.flatMap(({ items }) => items),
    unreadableIds,
    pages: found.reduce((sum, { pages }) => sum + pages, 0),
  };
}

/** Looks at each tile. One that can't be looked at holds up no other. */
async function lookAtAll(
  ports: ReconcilePorts,
  { tiles, borrows }: TilesToCompare,
  items: readonly ListedItem[],
): Promise<{ readonly looks: readonly TileLook[]; readonly failed: ReadonlyMap<string, unknown> }> {
  const looking = limiter(AT_ONCE);
  const failed = new Map<string, unknown>();
  const look = (tile: string): Promise<TileLook | undefined> =>
    looking(() => lookAtTile(ports, tile, { items, borrows })).catch((error: unknown) => {
      failed.set(tile, error);
      return undefined;
    });
  const looks = await Promise.all(tiles.map(look));
  return { looks: looks.filter((found) => found !== undefined), failed };
}

/**
 * Holds days of some tiles against the catalogue: what no poll was ever shown is taken in, what was left open is sent
 * again, what it lacks of them is borrowed of their neighbours, what is old goes. Doing it again is harmless; a night that
 * is missed is made good by the next.
 *
 * @returns the tiles of which that failed, and why
 * @throws CatalogueError when the catalogue can't be read
 */
export const reconcileTiles =
  (ports: ReconcilePorts) =>
  async (compared: TilesToCompare): Promise<ReadonlyMap<string, unknown>> => {
    const { tiles, days, borrows } = compared;
    const today = ports.clock.now().toISOString().slice(0, 10);
    const asked = borrows ? withNeighbours(tiles) : tiles;
    const { items, pages, unreadableIds } = await listAll(ports, asked, { from: addDays(today, -days), to: today });
    const { looks, failed } = await lookAtAll(ports, compared, items);
    const wanted = looks.flatMap((look) => look.wanted);
    const taken = await takeInListed(ports)(wanted);
    const allFailed = new Map([...failed, ...taken.failed]);
    ports.log('Feed:Reconciled', {
      ...{ tiles: tiles.length, days, asked: asked.length, pages: pages + taken.pages },
      ...unusableFacts([...new Set([...unreadableIds, ...taken.unusable])]),
      listed: items.filter(({ tile }) => tiles.includes(tile)).length,
      missing: wanted.filter(({ borrower }) => borrower === undefined).length,
      ...{ opened: taken.opened, borrowed: taken.borrowed },
      sentAgain: looks.reduce((sum, { sentAgain }) => sum + sentAgain, 0),
      failed: allFailed.size,
    });
    return allFailed;
  };

const HOUR_MS = 3_600_000;
/** The next night's takes over. */
const UNTIL_NEXT_NIGHT = { ...usualPace, maximumMs: HOUR_MS, maximumElapsedMs: 20 * HOUR_MS };
const retry: RetryPolicies = {
  // Attempts that die count, too: one that ends its process must not do so all night.
  fault: { ...UNTIL_NEXT_NIGHT, maximumAttempts: 24 },
  outage: UNTIL_NEXT_NIGHT,
  refusal: UNTIL_NEXT_NIGHT,
};

/** Tiles that failed become work of their own, so that they are tried again without the others. */
async function askAlone(ports: ReconcilePorts, { id }: WorkItem, compared: TilesToCompare, failed: readonly string[]) {
  const [, when = ''] = id.split('|');
  for (const tile of failed) {
    const facts = { ...compared, tiles: [tile] };
    await ports.enqueuer.ask({ kind: TILES, id: `|${when}|${compared.days}|${tile}`, facts });
  }
}

/** Holds a group of tiles against the catalogue. What one night left undone, the next does. */
export function tilesKind(ports: ReconcilePorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const compared = item.facts as unknown as TilesToCompare;
    const count = compared.tiles.length;
    return Promise.resolve({
      retry,
      failureOf: failureOfScenes,
      run: async () => {
        const failed = await reconcileTiles(ports)(compared);
        for (const [tile, error] of failed) ports.log('Feed:TileFailed', { tile, cause: errorText(error) });
        if (count === 1 && failed.size > 0) throw [...failed.values()][0];
        await askAlone(ports, item, compared, [...failed.keys()]);
        return done;
      },
      giveUp: (_attempt, reason) => {
        ports.log('Feed:NotReconciled', { tiles: count, cause: reason });
        return Promise.resolve(done);
      },
    });
  };
  return { kind: TILES, leaseMs, begin };
}
