import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import { usualPace } from '../../retryDelay.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { RetryPolicies } from '../../work/retry.js';
import type { WorkItem } from '../../work/workItem.js';
import { done, type Step, type WorkKind } from '../../work/workKind.js';
import { unusableFacts } from '../catalogue/unusableFacts.js';
import { failureOfScenes } from '../imageryFailure.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { compareItems, type CompareDaysPorts } from './compareDays.js';
import type { Found, ListedItem } from './feedPorts.js';
import { fillHoles, withNeighbours } from './fillHoles.js';
import { isOwn } from './product.js';
import type { Period } from './searchPeriods.js';
import { tileGroups } from './tileGroups.js';

/** The kind of work that holds a group of tiles against the catalogue. */
export const TILES = 'tiles';

/** Days of sensing that are compared every night. */
const COMPARED_DAYS = 10;
/** A product that was opened so long ago was never asked for, or given up. */
const OPEN_MS = 30 * 60_000;
/** Products are kept so long: a later version of an older day is a product that wasn't known. */
const KEPT_DAYS = 60;
const AT_ONCE = 8;

export interface PlanReconciliationPorts {
  readonly interest: Pick<InterestStore, 'listTiles'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Has each group of tiles of which anybody wants images held against the catalogue. @returns how many tiles there are */
export const planReconciliation =
  ({ interest, enqueuer, clock }: PlanReconciliationPorts) =>
  async (): Promise<{ readonly tiles: number }> => {
    const night = clock.now().toISOString().slice(0, 10);
    const tiles = await interest.listTiles();
    for (const [index, group] of tileGroups(tiles).entries()) {
      await enqueuer.ask({ kind: TILES, id: `|${night}|${index}`, facts: { tiles: group } });
    }
    return { tiles: tiles.length };
  };

export interface ReconcilePorts extends CompareDaysPorts {
  /** Has days of a tile searched for by the places of its fields. */
  readonly searchTile: (tile: string, days: Period) => Promise<number>;
  readonly interest: Pick<InterestStore, 'dropEmptyTile' | 'summarizeTile'>;
  readonly log: Log;
}

/** What was done for a tile at night. */
interface Mended {
  readonly sentAgain: number;
  readonly searches: number;
  /** Products of other tiles, for what the catalogue lacks of this one. */
  readonly borrowed: number;
}

/**
 * Has work made of products that have been open for too long, and lets go of old ones. A tile of which the catalogue has
 * shown nothing for days is a hole in it, or a place that no satellite takes: its enrollments are searched for. Where it
 * lacks single products of a tile, those of its neighbours do.
 *
 * @param items what the catalogue has of the tile and its neighbours
 */
async function mendTile(ports: ReconcilePorts, tile: string, items: readonly ListedItem[]): Promise<Mended> {
  const { scenes, askProduct, interest, clock } = ports;
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  await scenes.removeBefore(tile, addDays(today, -KEPT_DAYS));
  if (await interest.dropEmptyTile(tile)) return { sentAgain: 0, searches: 0, borrowed: 0 };
  const days = { from: addDays(today, -COMPARED_DAYS), to: today };
  const known = await scenes.listDays(tile, { from: addDays(today, -KEPT_DAYS), to: today });
  const products = known.map(({ product }) => product);
  const open = products.filter(
    ({ fanOut, seenAt }) => fanOut === 'open' && Date.parse(seenAt) <= now.getTime() - OPEN_MS,
  );
  for (const product of open) await askProduct(product);
  const isHole = !products.some((product) => product.day >= days.from && isOwn(product));
  if (isHole) return { sentAgain: open.length, searches: await ports.searchTile(tile, days), borrowed: 0 };
  return { sentAgain: open.length, searches: 0, borrowed: await fillHoles(ports)({ tile, products }, items, today) };
}

/** Days on which the catalogue has what no image can be made of: the searches record why. @returns how many */
async function searchUnusable({ searchTile }: ReconcilePorts, items: readonly ListedItem[]): Promise<number> {
  const days = new Map(items.map(({ tile, day }) => [`${tile} ${day}`, { tile, day }]));
  let count = 0;
  for (const { tile, day } of days.values()) count += await searchTile(tile, { from: day, to: day });
  return count;
}

/** What the catalogue has of tiles on days, of 200 tiles at a time. */
async function listAll(
  { sceneFeed }: ReconcilePorts,
  tiles: readonly string[],
  days: Period,
): Promise<Required<Found<ListedItem>>> {
  const found: Found<ListedItem>[] = [];
  for (const group of tileGroups(tiles)) found.push(await sceneFeed.list(group, days, { withGranules: true }));
  const unreadableIds = found.flatMap((some) => some.unreadableIds ?? []);
  return {
    items: found.flatMap(({ items }) => items),
    unreadable: unreadableIds.length,
    unreadableIds,
    pages: found.reduce((sum, { pages }) => sum + pages, 0),
  };
}

/**
 * Holds the days of some tiles against the catalogue: what no poll was ever shown is taken in, what was left open is sent
 * again, what it lacks of them is borrowed of their neighbours, what is old goes. Doing it again is harmless; a night that
 * is missed is made good by the next.
 *
 * @throws CatalogueError when the catalogue can't be read
 */
export const reconcileTiles =
  (ports: ReconcilePorts) =>
  async (tiles: readonly string[]): Promise<void> => {
    const today = ports.clock.now().toISOString().slice(0, 10);
    const days = { from: addDays(today, -COMPARED_DAYS), to: today };
    const asked = withNeighbours(tiles);
    const { items, pages: listPages, unreadableIds } = await listAll(ports, asked, days);
    const own = items.filter(({ tile }) => tiles.includes(tile));
    const { unusable, unreadable, pages, ...compared } = await compareItems(ports)(own, days);
    const mending = limiter(AT_ONCE);
    const mended = await Promise.all(tiles.map((tile) => mending(() => mendTile(ports, tile, items))));
    const sum = (count: (done: Mended) => number): number => mended.reduce((total, done) => total + count(done), 0);
    ports.log('Feed:Reconciled', {
      ...{ tiles: tiles.length, asked: asked.length, pages: listPages + pages },
      ...unusableFacts([...unreadableIds, ...unreadable, ...unusable.map(({ id }) => id)]),
      ...{ ...compared, sentAgain: sum(({ sentAgain }) => sentAgain) },
      searches: sum(({ searches }) => searches) + (await searchUnusable(ports, unusable)),
      borrowed: sum(({ borrowed }) => borrowed),
    });
  };

const HOUR_MS = 3_600_000;
/** The next night's takes over. */
const UNTIL_NEXT_NIGHT = { ...usualPace, maximumMs: HOUR_MS, maximumElapsedMs: 20 * HOUR_MS };
const retry: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: 5 },
  outage: UNTIL_NEXT_NIGHT,
  refusal: UNTIL_NEXT_NIGHT,
};

/** Holds a group of tiles against the catalogue. What one night left undone, the next does. */
export function tilesKind(ports: ReconcilePorts, leaseMs: number): WorkKind {
  const begin = ({ facts }: WorkItem): Promise<Step> => {
    const { tiles } = facts as unknown as { readonly tiles: readonly string[] };
    return Promise.resolve({
      retry,
      failureOf: failureOfScenes,
      run: async () => {
        await reconcileTiles(ports)(tiles);
        return done;
      },
      giveUp: (_attempt, reason) => {
        ports.log('Feed:NotReconciled', { tiles: tiles.length, cause: reason });
        return Promise.resolve(done);
      },
    });
  };
  return { kind: TILES, leaseMs, begin };
}
