import type { Clock } from '../../kit/clock.js';
import { isTurn } from '../../work/upkeep/nightTurn.js';
import { limiter } from '../../kit/limiter.js';
import { usualPace } from '../../kit/retryDelay.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import { addDays } from '../../kit/validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { RetryPolicies } from '../../work/item/retry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Step, type WorkKind } from '../../work/item/workKind.js';
import { groupsOf, TILES_A_QUERY } from '../../scenes/stac/groups.js';
import { joined, type Found, type ListedItem, type SceneCatalogue } from '../../scenes/stac/sceneCatalogue.js';
import { failureOfScenes } from '../../scenes/stac/sceneFailure.js';
import type { Period } from '../../scenes/stac/searchPeriods.js';
import { withNeighbours } from '../../scenes/place/tiles.js';
import { unusableFacts } from '../../scenes/item/unusableFacts.js';
import { isWanted } from '../interest/interest.js';
import type { TableInterestStore } from '../interest/tableInterestStore.js';
import type { TableSceneStore } from '../products/tableSceneStore.js';
import { knownOf, lackedItems, showsMore, type NeighbourItem, type TileKnown } from './borrowing.js';
import { missingItems, takeInListed, type TakeInListedPorts, type WantedItem } from './compareDays.js';
import { isCatchingUp } from './feedSilence.js';
import type { TableFeedStore } from './tableFeedStore.js';

/** The kind of work that reconciles a group of tiles with the catalogue. */
export const TILES = 'tiles';

/** Days back that every night compares. */
const NEAR_DAYS = 11;
/** Days back that one night a week compares: the 30 within which late scenes are taken in, and the week until the next. */
const FAR_DAYS = 37;
/** Tiles of one work item: all items of its lists are in memory at once. */
const MOST_TILES = { [NEAR_DAYS]: 200, [FAR_DAYS]: 50 } as const;
const WEEK_DAYS = 7;
/** When a product has been open for so long, its work was never asked for or was given up. */
const OPEN_MS = 30 * 60_000;
/** Products are kept so long; a later version of an older one opens a new product. */
const KEPT_DAYS = 60;
const AT_ONCE = 8;

/** What asking for reconciliations needs. */
export interface PlanReconciliationPorts {
  readonly catalogueName: string;
  readonly interest: Pick<TableInterestStore, 'listTiles'>;
  readonly feed: Pick<TableFeedStore, 'findCursor'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What a work item of kind `tiles` reconciles. */
interface TilesToCompare {
  readonly tiles: readonly string[];
  /** Days back from today. */
  readonly days: number;
  /** Whether the tiles borrow what the catalogue lacks: not while the catalogue is silent. */
  readonly borrows: boolean;
}

/**
 * Asks for the reconciliation of all tiles of which anybody wants images, in groups.
 *
 * @param why `night`, or `silence`, which looks far back: after a silence the catalogue may show items in any order
 * @returns number of tiles
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
      for (const [index, group] of groupsOf(ofDays, MOST_TILES[days]).entries()) {
        const facts = { tiles: group, days, borrows } satisfies TilesToCompare;
        await enqueuer.ask({ kind: TILES, id: `|${when}|${days}|${index}`, facts });
      }
    }
    return { tiles: tiles.length };
  };

/** What reconciling tiles needs. */
export interface ReconcilePorts extends TakeInListedPorts {
  readonly catalogue: Pick<SceneCatalogue, 'list' | 'items'>;
  readonly scenes: TakeInListedPorts['scenes'] & Pick<TableSceneStore, 'list' | 'remove'>;
  readonly interest: Pick<TableInterestStore, 'dropEmptyTile' | 'summarizeTile'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly log: Log;
}

/** What the rows of a tile, compared with a list, call for. */
interface TileLook {
  /** Open products whose work was asked for again. */
  readonly sentAgain: number;
  /** Items to be taken in for the tile, its own and borrowed ones. */
  readonly wanted: readonly WantedItem[];
}

/** Items of neighbours that the tile borrows, as far as somebody wants images of them. */
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
 * Asks again for the work of a tile's products that have been open for too long, removes old ones, and finds the items that
 * are missing: the tile's own, and those of its neighbours where the catalogue lists none of the tile itself.
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

/** What the catalogue lists of tiles on days, with granules. */
async function listAll(
  { catalogue }: ReconcilePorts,
  tiles: readonly string[],
  days: Period,
): Promise<Found<ListedItem>> {
  const found: Found<ListedItem>[] = [];
  for (const group of groupsOf(tiles, TILES_A_QUERY)) {
    found.push(await catalogue.list(group, days, { withGranules: true }));
  }
  return joined(found);
}

/** Looks at each tile. An error for one tile doesn't stop the others. */
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
 * Reconciles days of some tiles with the catalogue: takes in what no poll was shown, asks again for the work of open
 * products, borrows from neighbours what the catalogue lacks, removes old products. Doing it again is harmless; the next
 * night does what a missed one did not.
 *
 * @returns the tiles that failed, each with its error
 * @throws CatalogueError when the catalogue can't be read
 */
export const reconcileTiles =
  (ports: ReconcilePorts) =>
  async (compared: TilesToCompare): Promise<ReadonlyMap<string, unknown>> => {
    const { tiles, days, borrows } = compared;
    const today = ports.clock.now().toISOString().slice(0, 10);
    const asked = borrows ? withNeighbours(tiles) : tiles;
    const listed = await listAll(ports, asked, { from: addDays(today, -days), to: today });
    const { items, pages, unreadableIds = [] } = listed;
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
/** Retried until the next night's reconciliation takes over. */
const UNTIL_NEXT_NIGHT = { ...usualPace, maximumMs: HOUR_MS, maximumElapsedMs: 20 * HOUR_MS };
const retry: RetryPolicies = {
  // Limited, for attempts that die count too: work that ends its process must not do so all night.
  fault: { ...UNTIL_NEXT_NIGHT, maximumAttempts: 24 },
  outage: UNTIL_NEXT_NIGHT,
  refusal: UNTIL_NEXT_NIGHT,
};

/** Asks for work of their own for tiles that failed, so that they are retried without the others. */
async function askAlone(ports: ReconcilePorts, { id }: WorkItem, compared: TilesToCompare, failed: readonly string[]) {
  const [, when = ''] = id.split('|');
  for (const tile of failed) {
    const facts = { ...compared, tiles: [tile] };
    await ports.enqueuer.ask({ kind: TILES, id: `|${when}|${compared.days}|${tile}`, facts });
  }
}

/** The kind of work that reconciles a group of tiles. What is given up is left to the next night. */
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
