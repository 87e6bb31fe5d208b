import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { SceneCatalogue } from '../../scenes/stac/sceneCatalogue.js';
import { isoOf, type FeedCursor } from './feedWindow.js';

export interface FeedSilencePorts {
  readonly catalogueName: string;
  readonly catalogue: Pick<SceneCatalogue, 'isAlive'>;
  /** Asks for a comparison of all tiles with the catalogue. */
  readonly compareAll: () => Promise<unknown>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After so long without a change in the tiles of interest the catalogue is asked whether it shows anything at all. */
const QUIET_MS = 3 * HOUR_MS;
/** For so long after a silence all tiles are compared every hour: the catalogue may show the newest items first. */
const COMPARED_FOR_MS = DAY_MS;
/** For so long after a silence each night looks far back. */
const FAR_NIGHTS_MS = 7 * DAY_MS;

/** Whether a catalogue's last silence ended less than so many milliseconds ago. */
const endedWithin = ({ silenceEndedAt }: FeedCursor, ms: number, now: number): boolean =>
  silenceEndedAt !== undefined && now - Date.parse(silenceEndedAt) < ms;

/** Whether the catalogue may still show items that it held back during a silence. */
export const isCatchingUp = (cursor: FeedCursor, now: number): boolean => endedWithin(cursor, FAR_NIGHTS_MS, now);

/** Finds out whether a catalogue is silent: it answers and shows nothing at all. @returns the cursor that tells so */
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

/** Has all tiles compared with the catalogue, once an hour in the first day after a silence. */
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
