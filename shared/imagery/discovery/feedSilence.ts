import type { Clock } from '../../clock.js';
import type { Log } from '../../telemetry/telemetry.js';
import type { SceneCatalogue } from '../catalogue/sceneCatalogue.js';
import type { FeedCursor } from './feedWindow.js';

export interface FeedSilencePorts {
  readonly catalogueName: string;
  readonly catalogue: Pick<SceneCatalogue, 'isAlive'>;
  readonly compareAll: () => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After so long without a change among the tiles of interest the catalogue is asked whether it shows anything at all. */
const QUIET_MS = 3 * HOUR_MS;
/** After a silence all tiles are held against the catalogue every hour for so long: it may show the newest first. */
const COMPARED_FOR_MS = DAY_MS;
/** The nights look far back for so long. */
const FAR_NIGHTS_MS = 7 * DAY_MS;

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Whether a catalogue's last silence ended less than some time ago. */
const endedWithin = ({ silenceEndedAt }: FeedCursor, ms: number, now: number): boolean =>
  silenceEndedAt !== undefined && now - Date.parse(silenceEndedAt) < ms;

/** Whether what the catalogue has not shown for long may still come at any time. */
export const isCatchingUp = (cursor: FeedCursor, now: number): boolean => endedWithin(cursor, FAR_NIGHTS_MS, now);

/**
 * A catalogue that shows nothing at all is as good as away, although it answers. That is told when it begins.
 *
 * @returns the cursor with what is known of that now
 */
export async function listenFor(ports: FeedSilencePorts, cursor: FeedCursor, now: number): Promise<FeedCursor> {
  const { catalogue, catalogueName, log } = ports;
  const { isSilent, ...before } = cursor;
  const { lastChangeAt } = cursor;
  const alive = isSilent === true ? { ...before, silenceEndedAt: isoOf(now) } : before;
  if (now - Date.parse(lastChangeAt) < QUIET_MS) return alive;
  // Asked again an hour later.
  if (await catalogue.isAlive(now)) return { ...alive, lastChangeAt: isoOf(now - QUIET_MS + HOUR_MS) };
  if (isSilent !== true) log('Feed:Silent', { catalogue: catalogueName, lastChangeAt });
  return { ...before, isSilent: true };
}

/** Has all tiles held against the catalogue, once an hour of the first day after a silence. */
export async function comparedSince(
  { compareAll }: FeedSilencePorts,
  cursor: FeedCursor,
  now: number,
): Promise<FeedCursor> {
  const { comparedAt = '' } = cursor;
  const hour = isoOf(now).slice(0, 13);
  if (!endedWithin(cursor, COMPARED_FOR_MS, now) || comparedAt.startsWith(hour)) return cursor;
  await compareAll();
  return { ...cursor, comparedAt: isoOf(now) };
}
