import type { FeedWindow } from '../../scenes/stac/sceneCatalogue.js';

/** How far a catalogue has been read. Instants are ISO 8601. */
export interface FeedCursor {
  /**
   * The watermark. Earth Search: the latest change that the catalogue showed of the tiles of interest, so that a change whose
   * time is long before it becomes visible is still read. Planetary Computer: when its days were compared last.
   */
  readonly readTo: string;
  /** Where the next poll goes on when the last one could not read its window to the end. */
  readonly resumeAt?: string;
  /** The end of the last window that the catalogue could not answer: earlier changes are not asked for again. */
  readonly skippedTo?: string;
  /** When the catalogue was last known to show something. */
  readonly lastChangeAt: string;
  /** The last poll found that the catalogue answers and shows nothing. */
  readonly isSilent?: true;
  /** When the catalogue's last silence ended. */
  readonly silenceEndedAt?: string;
  /** When a comparison of all tiles was last asked for because of that silence. */
  readonly comparedAt?: string;
  /** Hashes of items that were taken in and that the next poll meets again, see `TakenItems`. */
  readonly taken?: readonly string[];
}

/** The latest changes are left to the next poll: not every page of a search may show them yet. */
const BEHIND_MS = 30_000;
/** Items get their time before they become visible: each poll looks back this far. */
const OVERLAP_MS = 10 * 60_000;
/** A poll looks back at most so far; older changes are found at night. */
const LONGEST_MS = 30 * 24 * 3_600_000;
/** A new feed begins a day back; older scenes are found by backfills and at night. */
const FIRST_MS = 24 * 3_600_000;
/** A window is not halved below this: many items may have one time. */
const SHORTEST_MS = 1_000;

/** @param milliseconds since 1970 UTC. @returns ISO 8601 */
export const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The cursor of a feed that has never been read. */
export const firstCursor = (now: number): FeedCursor => ({
  readTo: isoOf(now - FIRST_MS),
  lastChangeAt: isoOf(now - FIRST_MS),
});

/** The end of the next window: half a minute ago, ISO 8601. */
export const endOfFeed = (now: number): string => isoOf(now - BEHIND_MS);

/** The changes that a poll has to read; undefined when the cursor is ahead of this clock. */
export function nextWindow({ readTo, resumeAt, skippedTo }: FeedCursor, now: number): FeedWindow | undefined {
  const begin = resumeAt === undefined ? Date.parse(readTo) - OVERLAP_MS : Date.parse(resumeAt);
  const from = Math.max(begin, now - LONGEST_MS, skippedTo === undefined ? 0 : Date.parse(skippedTo));
  return from >= now - BEHIND_MS ? undefined : { from: isoOf(from), to: endOfFeed(now) };
}

/** The two halves of a window, the earlier first; undefined when the window is too short. */
export function halvesOf({ from, to }: FeedWindow): readonly [FeedWindow, FeedWindow] | undefined {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  if (last - first < 2 * SHORTEST_MS) return undefined;
  const middle = isoOf(Math.floor((first + last) / 2));
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}
