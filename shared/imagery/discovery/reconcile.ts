import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { compareDays, type CompareDaysPorts } from './compareDays.js';
import type { ListedItem } from './feedPorts.js';
import type { Period } from './searchPeriods.js';
import { tileGroups } from './tileGroups.js';

/** Tells workers that tiles are to be reconciled. */
export interface TilesQueue {
  enqueue(tiles: readonly string[]): Promise<void>;
}

/** Days of sensing that are compared every night. */
const COMPARED_DAYS = 10;
/** A product that was opened so long ago has lost its message, or whoever took it. */
const OPEN_MS = 30 * 60_000;
/** Products are kept so long: a later version of an older day is a product that wasn't known. */
const KEPT_DAYS = 60;
const AT_ONCE = 8;

/** Leaves a message for each group of tiles of which anybody wants images. @returns how many tiles there are */
export const planReconciliation =
  ({
    interest,
    tilesQueue,
  }: {
    readonly interest: Pick<InterestStore, 'listTiles'>;
    readonly tilesQueue: TilesQueue;
  }) =>
  async (): Promise<{ readonly tiles: number }> => {
    const tiles = await interest.listTiles();
    for (const group of tileGroups(tiles)) await tilesQueue.enqueue(group);
    return { tiles: tiles.length };
  };

export interface ReconcilePorts extends CompareDaysPorts {
  /** Has days of a tile searched for by the places of its fields. */
  readonly searchTile: (tile: string, days: Period) => Promise<number>;
  readonly interest: Pick<InterestStore, 'dropEmptyTile'>;
  readonly log: Log;
}

/** What was done for a tile at night. */
interface Mended {
  readonly sentAgain: number;
  readonly searches: number;
}

/**
 * Has work made of products that have been open for too long, and lets go of old ones. A tile of which the catalogue has
 * shown nothing for days is a hole in it, or a place that no satellite takes: neighbouring tiles may show its fields.
 */
async function mendTile(ports: ReconcilePorts, tile: string): Promise<Mended> {
  const { scenes, sceneQueue, interest, clock } = ports;
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  await scenes.removeBefore(tile, addDays(today, -KEPT_DAYS));
  if (await interest.dropEmptyTile(tile)) return { sentAgain: 0, searches: 0 };
  const days = { from: addDays(today, -COMPARED_DAYS), to: today };
  const known = await scenes.listDays(tile, { from: addDays(today, -KEPT_DAYS), to: today });
  const recent = known.filter(({ product: { day } }) => day >= days.from);
  const open = known.filter(
    ({ product: { fanOut, seenAt } }) => fanOut === 'open' && Date.parse(seenAt) <= now.getTime() - OPEN_MS,
  );
  for (const { product } of open) await sceneQueue.enqueue({ tile: product.tile, scene: product.scene });
  return { sentAgain: open.length, searches: recent.length === 0 ? await ports.searchTile(tile, days) : 0 };
}

/** Days on which the catalogue has what no image can be made of: the searches record why. @returns how many */
async function searchUnusable({ searchTile }: ReconcilePorts, items: readonly ListedItem[]): Promise<number> {
  const days = new Map(items.map(({ tile, day }) => [`${tile} ${day}`, { tile, day }]));
  let count = 0;
  for (const { tile, day } of days.values()) count += await searchTile(tile, { from: day, to: day });
  return count;
}

/**
 * Holds the days of some tiles against the catalogue: what no poll was ever shown is taken in, what was left open is sent
 * again, what is old goes. Doing it again is harmless; a night that is missed is made good by the next.
 *
 * @throws CatalogueError when the catalogue can't be read: the message comes again
 */
export const reconcileTiles =
  (ports: ReconcilePorts) =>
  async (tiles: readonly string[]): Promise<void> => {
    const today = ports.clock.now().toISOString().slice(0, 10);
    const days = { from: addDays(today, -COMPARED_DAYS), to: today };
    const { unusable, ...compared } = await compareDays(ports)(tiles, days);
    const mending = limiter(AT_ONCE);
    const mended = await Promise.all(tiles.map((tile) => mending(() => mendTile(ports, tile))));
    const sentAgain = mended.reduce((sum, done) => sum + done.sentAgain, 0);
    const found = mended.reduce((sum, done) => sum + done.searches, 0);
    const searches = found + (await searchUnusable(ports, unusable));
    ports.log('Feed:Reconciled', { tiles: tiles.length, ...compared, unusable: unusable.length, sentAgain, searches });
  };
