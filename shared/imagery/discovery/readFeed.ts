import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import { CatalogueError } from '../catalogue/catalogueError.js';
import { isUsable } from '../catalogue/sceneOfItem.js';
import { unusableFacts } from '../catalogue/unusableFacts.js';
import type { Catalogue } from '../imagerySettings.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { compareDays, type CompareDaysPorts } from './compareDays.js';
import type { FeedStore, Found, SceneFeed, ShownItem } from './feedPorts.js';
import { firstCursor, halvesOf, nextWindow, type FeedCursor, type FeedWindow } from './feedWindow.js';
import { markOfShown, SeenItems } from './seenItems.js';
import { tileGroups } from './tileGroups.js';
import { isOpened, takeIn, type Intake } from './takeIn.js';

export interface ReadFeedPorts extends CompareDaysPorts {
  readonly catalogueName: Catalogue;
  readonly sceneFeed: SceneFeed;
  readonly feed: FeedStore;
  readonly interest: Pick<InterestStore, 'listTiles'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** What a poll has done. */
export interface FeedPoll {
  readonly windows: number;
  readonly pages: number;
  readonly items: number;
  readonly opened: number;
  /** Items that no image can be made of as the catalogue describes them. */
  readonly unusable: number;
  /** Seconds that the feed is behind at the end of the poll. */
  readonly lagSeconds: number;
  /** The catalogue answers, and has shown nothing of any place for hours. */
  readonly isSilent?: true;
}

/** Pages of one query; a window that has more is halved. */
const MOST_PAGES = 20;
/** So many tiles are asked for by name; more of them are a large part of everything. */
const MOST_NAMED = 800;
/** Older acquisitions are not taken in: a flood of them is no news to anybody. */
const OLDEST_DAYS = 30;
/** A poll ends well before the next one. */
const MOST_MS = 4 * 60_000;
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;
/** After so long without a change among the tiles of interest the catalogue is asked whether it shows anything at all. */
const QUIET_MS = 3 * HOUR_MS;

/** A window that is being read, in parts where it must be. */
interface WindowReading {
  /** Parts that were answered. */
  answered: number;
  /** Shortest parts that the catalogue couldn't answer. */
  readonly unanswered: FeedWindow[];
}
/** So many more of the shortest parts may stay unanswered than parts are answered: beyond that it is no matter of single items. */
const MOST_AHEAD = 10;

/** A poll that is being done. */
interface Poll {
  readonly tiles: readonly string[];
  readonly seen: SeenItems;
  readonly count: { windows: number; pages: number; items: number; opened: number };
  /** Ids of items that no image can be made of. */
  readonly unusable: string[];
  /** Latest change of any item. */
  lastChangeAt: string;
}

/** Everything that changed in a window; undefined when that is too much for one answer, the fault when there is none. */
async function changesIn(
  { sceneFeed, clock }: ReadFeedPorts,
  window: FeedWindow,
  { tiles, count, unusable }: Poll,
): Promise<readonly ShownItem[] | CatalogueError | undefined> {
  const takenSince = addDays(clock.now().toISOString().slice(0, 10), -OLDEST_DAYS);
  const found: Found<ShownItem>[] = [];
  for (const named of tiles.length > MOST_NAMED ? [undefined] : tileGroups(tiles)) {
    const query = { window, takenSince, mostPages: MOST_PAGES, ...(named === undefined ? {} : { tiles: named }) };
    const some = await sceneFeed.changes(query);
    if (some === undefined || some instanceof CatalogueError) return some;
    found.push(some);
  }
  count.pages += found.reduce((sum, { pages }) => sum + pages, 0);
  unusable.push(...found.flatMap(({ unreadableIds = [] }) => unreadableIds));
  return found.flatMap(({ items }) => items);
}

/** Takes in what is of interest, and counts it. */
async function takeInAll(ports: ReadFeedPorts, items: readonly ShownItem[], poll: Poll): Promise<void> {
  const { seen, count } = poll;
  const tiles = new Set(poll.tiles);
  const taking = limiter(AT_ONCE);
  const take = async (item: ShownItem): Promise<Intake> => {
    const news = await takeIn(ports)(item);
    const mark = markOfShown(item);
    if (mark !== undefined) seen.add(mark);
    return news;
  };
  const fresh = items.filter((item) => !seen.has(markOfShown(item) ?? ''));
  const wanted = fresh.filter(({ scene }) => !isUsable(scene) || tiles.has(scene.tile));
  const news = await Promise.all(wanted.map((item) => taking(() => take(item))));
  count.items += wanted.length;
  count.opened += news.filter(isOpened).length;
  poll.unusable.push(...wanted.filter((_, index) => news[index] === 'unusable').map(({ scene }) => scene.id));
  for (const { updated = '' } of items) if (updated > poll.lastChangeAt) poll.lastChangeAt = updated;
}

/** Takes in a part of a window as a whole, in halves where it is too much or can't be answered. */
async function readPart(ports: ReadFeedPorts, part: FeedWindow, poll: Poll, reading: WindowReading): Promise<void> {
  const items = await changesIn(ports, part, poll);
  if (items !== undefined && !(items instanceof CatalogueError)) {
    reading.answered += 1;
    return takeInAll(ports, items, poll);
  }
  const halves = halvesOf(part);
  for (const half of halves ?? []) await readPart(ports, half, poll, reading);
  if (halves !== undefined) return;
  if (items === undefined) throw new Error(`More changed at ${part.from} than ${MOST_PAGES} pages hold.`);
  reading.unanswered.push(part);
  if (reading.unanswered.length > reading.answered + MOST_AHEAD) throw items;
}

/**
 * Takes in a window. A second or two of it that the catalogue can't answer, while it answers the rest, are passed over and told:
 * the comparison of the night finds what changed in them.
 */
async function readWindow(ports: ReadFeedPorts, window: FeedWindow, poll: Poll): Promise<void> {
  const reading: WindowReading = { answered: 0, unanswered: [] };
  await readPart(ports, window, poll, reading);
  for (const { from, to } of reading.unanswered) {
    ports.log('Feed:Skipped', { catalogue: ports.catalogueName, from, to });
    poll.unusable.push(`changes from ${from} to ${to}`);
  }
}

const silenceOf = ({ isSilent }: Pick<FeedCursor, 'isSilent'>): Pick<FeedCursor, 'isSilent'> =>
  isSilent === undefined ? {} : { isSilent };

type Heard = Pick<FeedCursor, 'lastChangeAt' | 'isSilent'>;

/**
 * A catalogue that shows nothing at all is as good as away, although it answers. That is told when it begins.
 *
 * @returns the latest change known of
 */
async function listenFor(ports: ReadFeedPorts, { lastChangeAt, isSilent }: Heard, now: number): Promise<Heard> {
  if (now - Date.parse(lastChangeAt) < QUIET_MS) return { lastChangeAt };
  const { sceneFeed, catalogueName, log } = ports;
  // Asked again an hour later.
  if (await sceneFeed.isAlive(now)) return { lastChangeAt: new Date(now - QUIET_MS + HOUR_MS).toISOString() };
  if (isSilent !== true) log('Feed:Silent', { catalogue: catalogueName, lastChangeAt });
  return { lastChangeAt, isSilent: true };
}

/** Earth Search tells what changed when: windows from the cursor on, until all is read or the poll has lasted. */
async function readChanges(ports: ReadFeedPorts, begin: FeedCursor, poll: Poll, move: Move): Promise<FeedCursor> {
  const { clock } = ports;
  // What changes while the poll lasts is for the next one: a poll that followed the clock would never end.
  const now = clock.now().getTime();
  let cursor = begin;
  for (;;) {
    const window = nextWindow(cursor, now);
    if (window === undefined || clock.now().getTime() >= now + MOST_MS) return cursor;
    if (poll.tiles.length > 0) await readWindow(ports, window, poll);
    poll.count.windows += 1;
    const isLast = nextWindow({ readTo: window.to }, now) === undefined;
    // Who asks for no tile doesn't listen, and knows of no silence.
    const listens = poll.tiles.length > 0;
    const heard = { ...(listens ? silenceOf(begin) : {}), lastChangeAt: poll.lastChangeAt };
    cursor = { readTo: window.to, ...(listens && isLast ? await listenFor(ports, heard, now) : heard) };
    if (!(await move(cursor))) return cursor;
  }
}

const DAY_EVERY_MS = 10 * 60_000;
const TOLERANCE_MS = 60_000;

/** The Planetary Computer doesn't tell changes: a day of sensing every ten minutes, three days every hour. */
async function readDays(ports: ReadFeedPorts, begin: FeedCursor, poll: Poll, move: Move): Promise<FeedCursor> {
  const now = ports.clock.now();
  const last = Date.parse(begin.readTo);
  if (now.getTime() - last < DAY_EVERY_MS - TOLERANCE_MS) return begin;
  const today = now.toISOString().slice(0, 10);
  const isNewHour = Math.floor(last / HOUR_MS) < Math.floor(now.getTime() / HOUR_MS);
  const days = { from: addDays(today, isNewHour ? -3 : -1), to: today };
  for (const tiles of tileGroups(poll.tiles)) {
    const { pages, missing, opened, unusable, unreadable } = await compareDays(ports)(tiles, days, poll.seen);
    poll.unusable.push(...unreadable, ...unusable.map(({ id }) => id));
    poll.count.pages += pages;
    poll.count.items += missing;
    poll.count.opened += opened;
  }
  poll.count.windows += 1;
  const readTo = now.toISOString();
  const cursor = { readTo, ...(await listenFor(ports, begin, now.getTime())) };
  await move(cursor);
  return cursor;
}

/** Moves the cursor; false when another host has moved it, whose poll goes on in place of this one. */
type Move = (cursor: FeedCursor) => Promise<boolean>;

/**
 * One poll of the catalogue: what it shows since the last one is taken in. The cursor moves behind a window only when
 * all of it came and was taken in, so that a poll that dies, is doubled or missed harms nothing.
 *
 * @throws CatalogueError when the catalogue can't be read: the cursor stays
 */
export function readFeed(ports: ReadFeedPorts): () => Promise<FeedPoll> {
  const seen = new SeenItems();
  const { catalogueName, feed, interest, clock, log } = ports;
  const read = catalogueName === 'planetary-computer' ? readDays : readChanges;
  return async () => {
    const [tiles, stored] = await Promise.all([interest.listTiles(), feed.findCursor(catalogueName)]);
    const begin = stored?.cursor ?? firstCursor(clock.now().getTime());
    const count = { windows: 0, pages: 0, items: 0, opened: 0 };
    const poll: Poll = { tiles, seen, count, unusable: [], lastChangeAt: begin.lastChangeAt };
    let etag = stored?.etag;
    const move = async (cursor: FeedCursor): Promise<boolean> => {
      etag = await feed.putCursor(catalogueName, cursor, etag);
      return etag !== undefined;
    };
    const cursor = await read(ports, begin, poll, move);
    const lagSeconds = Math.round((clock.now().getTime() - Date.parse(cursor.readTo)) / 1000);
    const facts = { ...count, unusable: poll.unusable.length, lagSeconds, ...silenceOf(cursor) };
    log('Feed:Read', { catalogue: catalogueName, tiles: tiles.length, ...facts, ...unusableFacts(poll.unusable) });
    return facts;
  };
}
