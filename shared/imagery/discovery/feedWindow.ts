/** How far the changes of a catalogue have been read. ISO 8601. */
export interface FeedCursor {
  /** Everything that changed before it has been taken in, but for what got its time long before it was visible. */
  readonly readTo: string;
  /** The latest change that the catalogue showed. */
  readonly lastChangeAt: string;
  /** The last poll found it answering and showing nothing, which is told when it begins. */
  readonly isSilent?: true;
}

/** Changes at `from` or later and before `to`. ISO 8601. */
export interface FeedWindow {
  readonly from: string;
  readonly to: string;
}

/** What changes now may not be visible to every page of a search. */
const BEHIND_MS = 30_000;
/** Items get their time before they are visible: each poll looks back this far. */
const OVERLAP_MS = 10 * 60_000;
/** One window at most: an hour brings some 1,200 items to Earth Search. */
const LONGEST_MS = 60 * 60_000;
/** A new feed begins a day back; what is older is for the searches of enrollments, and for the night. */
const FIRST_MS = 24 * 3_600_000;
/** Half of a window is as short as that at least: many items may have one time. */
const SHORTEST_MS = 1_000;

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Where a feed begins that has never been read. */
export const firstCursor = (now: number): FeedCursor => ({
  readTo: isoOf(now - FIRST_MS),
  lastChangeAt: isoOf(now - FIRST_MS),
});

/**
 * The next window to read, closed on both sides and up to half a minute ago; undefined when all is read to there. Windows
 * follow one another without a gap, whenever and however often this is asked.
 */
export function nextWindow({ readTo }: Pick<FeedCursor, 'readTo'>, now: number): FeedWindow | undefined {
  const begin = Date.parse(readTo);
  const end = Math.min(now - BEHIND_MS, begin + LONGEST_MS);
  return end <= begin ? undefined : { from: isoOf(begin - OVERLAP_MS), to: isoOf(end) };
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
