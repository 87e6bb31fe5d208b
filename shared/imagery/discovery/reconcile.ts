import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { compareDays, type CompareDaysPorts } from './compareDays.js';
import { tileGroups } from './tileGroups.js';

/** Tells workers that tiles are to be reconciled. */
export interface TilesQueue {
  enqueue(tiles: readonly string[]): Promise<void>;
}

/** Days of sensing that are compared every night: what comes later than that is for the searches of enrollments. */
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
  readonly interest: Pick<InterestStore, 'dropEmptyTile'>;
  readonly log: Log;
}

/** Has work made of products that have been open for too long, and lets go of old ones. @returns how many were open */
async function mendTile({ scenes, sceneQueue, interest, clock }: ReconcilePorts, tile: string): Promise<number> {
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  await scenes.removeBefore(tile, addDays(today, -KEPT_DAYS));
  if (await interest.dropEmptyTile(tile)) return 0;
  const recent = await scenes.listDays(tile, { from: addDays(today, -COMPARED_DAYS), to: today });
  const open = recent.filter(
    ({ product: { fanOut, seenAt } }) => fanOut === 'open' && Date.parse(seenAt) <= now.getTime() - OPEN_MS,
  );
  for (const { product } of open) await sceneQueue.enqueue({ tile: product.tile, scene: product.scene });
  return open.length;
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
    const compared = await compareDays(ports)(tiles, { from: addDays(today, -COMPARED_DAYS), to: today });
    const mending = limiter(AT_ONCE);
    const open = await Promise.all(tiles.map((tile) => mending(() => mendTile(ports, tile))));
    const sentAgain = open.reduce((sum, count) => sum + count, 0);
    ports.log('Feed:Reconciled', { tiles: tiles.length, ...compared, sentAgain });
  };
