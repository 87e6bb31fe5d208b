import type { FeedWindow } from '../catalogue/sceneCatalogue.js';

/** How far a catalogue has been read. Instants are ISO 8601. */
export interface FeedCursor {
  /**
   * Earth Search: the latest change that it showed of the tiles of interest, never an instant of which nothing was shown: what
   * gets its time long before it is visible, as after a silence, is read once it is visible. Planetary Computer: when its
   * days were compared last.
   */
  readonly readTo: string;
  /** Where the next poll goes on in a span that the last one could not read to its end. */
  readonly resumeAt?: string;
  /** The end of the last moment that the catalogue could not answer: it is not asked about again. */
  readonly skippedTo?: string;
  /** When the catalogue was last known to show something. */
  readonly lastChangeAt: string;
  /** The last poll found it answering and showing nothing, which is told when it begins. */
  readonly isSilent?: true;
  /** When its last silence ended. */
  readonly silenceEndedAt?: string;
  /** When all tiles were last to be held against the catalogue because of that. */
  readonly comparedAt?: string;
  /** Marks of items that were taken in and that the next poll meets again. */
  readonly taken?: readonly string[];
}

/** What changes now may not be visible to every page of a search. */
const BEHIND_MS = 30_000;
/** Items get their time before they are visible: each poll looks back this far. */
const OVERLAP_MS = 10 * 60_000;
/** The longest time that a poll looks back: what is older is for the night. */
const LONGEST_MS = 30 * 24 * 3_600_000;
/** A new feed begins a day back; what is older is for the backfills of enrollments, and for the night. */
const FIRST_MS = 24 * 3_600_000;
/** Half of a window is as short as that at least: many items may have one time. */
const SHORTEST_MS = 1_000;

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Where a feed begins that has never been read. */
export const firstCursor = (now: number): FeedCursor => ({
  readTo: isoOf(now - FIRST_MS),
  lastChangeAt: isoOf(now - FIRST_MS),
});

/** Where a feed is that has nothing to read. */
export const endOfFeed = (now: number): string => isoOf(now - BEHIND_MS);

/** All that one poll has to read, up to half a minute ago; undefined when the cursor is ahead of this clock. */
export function nextWindow({ readTo, resumeAt, skippedTo }: FeedCursor, now: number): FeedWindow | undefined {
  const begin = resumeAt === undefined ? Date.parse(readTo) - OVERLAP_MS : Date.parse(resumeAt);
  const from = Math.max(begin, now - LONGEST_MS, skippedTo === undefined ? 0 : Date.parse(skippedTo));
  return from >= now - BEHIND_MS ? undefined : { from: isoOf(from), to: endOfFeed(now) };
}

/** The two halves of a window, the earlier first; undefined when it is too short for that. */
export function halvesOf({ from, to }: FeedWindow): readonly [FeedWindow, FeedWindow] | undefined {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  if (last - first < 2 * SHORTEST_MS) return undefined;
  const middle = isoOf(Math.floor((first + last) / 2));
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}
