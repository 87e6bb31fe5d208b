import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import { CatalogueError } from '../catalogue/catalogueError.js';
import { unusableFacts } from '../catalogue/unusableFacts.js';
import type { Catalogue } from '../catalogue/imagerySettings.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { compareDays, type CompareDaysPorts } from './compareDays.js';
import type { Found, SceneCatalogue, ShownItem } from '../catalogue/sceneCatalogue.js';
import type { FeedStore, StoredCursor } from './feedPorts.js';
import { comparedSince, listenFor } from './feedSilence.js';
import type { FeedWindow } from '../catalogue/sceneCatalogue.js';
import { endOfFeed, firstCursor, halvesOf, nextWindow, type FeedCursor } from './feedWindow.js';
import { markOfShown, TakenItems } from './takenItems.js';
import { tileGroups } from './tileGroups.js';
import { isOpened, takeIn, type Intake } from './takeIn.js';

export interface ReadFeedPorts extends CompareDaysPorts {
  readonly catalogueName: Catalogue;
  readonly catalogue: SceneCatalogue;
  readonly feed: FeedStore;
  readonly interest: Pick<InterestStore, 'listTiles'>;
  /** Has all tiles held against the catalogue. */
  readonly compareAll: () => Promise<unknown>;
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

/** So many more of the shortest windows may stay unanswered than are answered: beyond that it is no matter of single items. */
const MOST_AHEAD = 10;

/** A poll that is being done. */
interface Poll {
  readonly tiles: readonly string[];
  readonly taken: TakenItems;
  readonly count: { windows: number; pages: number; items: number; opened: number };
  /** Ids of items that no image can be made of. */
  readonly unusable: string[];
  /** The shortest windows that the catalogue couldn't answer, since the cursor was moved last. */
  unanswered: FeedWindow[];
  /** How many of them there were in all. */
  failures: number;
  /** Where what was read ends. */
  readUntil: string;
}

/** Everything that changed in a window; undefined when that is too much for one answer, the fault when there is none. */
async function changesIn(
  { catalogue, clock }: ReadFeedPorts,
  window: FeedWindow,
  { tiles, count, unusable }: Poll,
): Promise<readonly ShownItem[] | CatalogueError | undefined> {
  const takenSince = addDays(clock.now().toISOString().slice(0, 10), -OLDEST_DAYS);
  const found: Found<ShownItem>[] = [];
  for (const named of tiles.length > MOST_NAMED ? [undefined] : tileGroups(tiles)) {
    const query = { window, takenSince, mostPages: MOST_PAGES, ...(named === undefined ? {} : { tiles: named }) };
    const some = await catalogue.changes(query);
    if (some === undefined || some instanceof CatalogueError) return some;
    found.push(some);
  }
  count.pages += found.reduce((sum, { pages }) => sum + pages, 0);
  unusable.push(...found.flatMap(({ unreadableIds = [] }) => unreadableIds));
  return found.flatMap(({ items }) => items);
}

/** Takes in what is of interest, and counts it. */
async function takeInAll(ports: ReadFeedPorts, items: readonly ShownItem[], poll: Poll): Promise<void> {
  const { taken, count } = poll;
  const tiles = new Set(poll.tiles);
  const taking = limiter(AT_ONCE);
  const take = async (item: ShownItem): Promise<Intake> => {
    const news = await takeIn(ports)(item);
    const mark = markOfShown(item);
    if (mark !== undefined) taken.add(mark);
    return news;
  };
  const wanted = items.filter((item) => tiles.has(item.scene.tile) && !taken.isTaken(markOfShown(item) ?? ''));
  const news = await Promise.all(wanted.map((item) => taking(() => take(item))));
  count.items += wanted.length;
  count.opened += news.filter(isOpened).length;
  poll.unusable.push(...wanted.filter((_, index) => news[index] === 'unusable').map(({ scene }) => scene.id));
}

/** The latest change of some items, within a window. */
const latestOf = (items: readonly ShownItem[], { to }: FeedWindow): string =>
  items.reduce((latest, { updated = '' }) => (updated > latest && updated <= to ? updated : latest), '');

const takenOf = (marks: readonly string[]): Pick<FeedCursor, 'taken'> => (marks.length === 0 ? {} : { taken: marks });

/** The cursor after a window was taken in. An empty one moves nothing. */
function movedBehind(cursor: FeedCursor, items: readonly ShownItem[], read: FeedWindow & { isLast: boolean }) {
  const { resumeAt: _, taken: __, ...more } = cursor;
  const latest = latestOf(items, read);
  const moved = latest > cursor.readTo ? { readTo: latest } : {};
  const heard = latest > cursor.lastChangeAt ? { lastChangeAt: latest } : {};
  return { ...more, ...moved, ...heard, ...(read.isLast ? {} : { resumeAt: read.to }) };
}

/** Tells of moments that the catalogue can't answer while it answers the rest: the night finds what changed in them. */
function passedOver(ports: ReadFeedPorts, poll: Poll): Pick<FeedCursor, 'skippedTo'> {
  for (const { from, to } of poll.unanswered) {
    ports.log('Feed:Skipped', { catalogue: ports.catalogueName, from, to });
    poll.unusable.push(`changes from ${from} to ${to}`);
  }
  const last = poll.unanswered.at(-1);
  poll.unanswered = [];
  return last === undefined ? {} : { skippedTo: last.to };
}

/**
 * What is to be read in place of a window that is too much for one answer, or that the catalogue fails at: its halves; nothing
 * where it is too short for that.
 *
 * @throws what the catalogue fails with where that is no matter of single items
 */
function insteadOf(part: FeedWindow, told: CatalogueError | undefined, poll: Poll): readonly FeedWindow[] {
  const halves = halvesOf(part);
  if (halves !== undefined) return halves;
  const fault = told ?? new Error(`More changed at ${part.from} than ${MOST_PAGES} pages hold.`);
  poll.unanswered.push(part);
  poll.failures += 1;
  if (poll.failures > poll.count.windows + MOST_AHEAD) throw fault;
  return [];
}

/**
 * Earth Search tells what changed when. All that is to be read is one window, in halves where that is too much or can't be
 * answered; the cursor moves behind each, so that a poll that dies loses one of them. One that lasts too long is gone on
 * with by the next.
 */
async function readChanges(ports: ReadFeedPorts, begin: FeedCursor, poll: Poll, move: Move): Promise<FeedCursor> {
  const { clock } = ports;
  // What changes while the poll lasts is for the next one: a poll that followed the clock would never end.
  const now = clock.now().getTime();
  const whole = nextWindow(begin, now);
  const left = whole === undefined ? [] : [whole];
  let cursor = begin;
  // However long it lasts, one part is read: else the next poll would begin where this one did.
  const isInTime = (): boolean => poll.count.windows === 0 || clock.now().getTime() < now + MOST_MS;
  for (let part = left.shift(); part !== undefined && isInTime(); part = left.shift()) {
    const items = await changesIn(ports, part, poll);
    if (items === undefined || items instanceof CatalogueError) {
      left.unshift(...insteadOf(part, items, poll));
      continue;
    }
    await takeInAll(ports, items, poll);
    poll.count.windows += 1;
    poll.readUntil = part.to;
    const read = { ...part, isLast: left.length === 0 };
    cursor = { ...movedBehind(cursor, items, read), ...passedOver(ports, poll), ...takenOf(poll.taken.met) };
    const isMoved = await move(cursor);
    if (!isMoved) return cursor;
  }
  return cursor;
}

const DAY_EVERY_MS = 10 * 60_000;
const TOLERANCE_MS = 60_000;

/** The Planetary Computer doesn't tell changes: a day of sensing every ten minutes, three days every hour. */
async function readDays(ports: ReadFeedPorts, begin: FeedCursor, poll: Poll): Promise<FeedCursor> {
  const now = ports.clock.now();
  const last = Date.parse(begin.readTo);
  poll.readUntil = begin.readTo;
  if (now.getTime() - last < DAY_EVERY_MS - TOLERANCE_MS) return begin;
  const today = now.toISOString().slice(0, 10);
  const isNewHour = Math.floor(last / HOUR_MS) < Math.floor(now.getTime() / HOUR_MS);
  const days = { from: addDays(today, isNewHour ? -3 : -1), to: today };
  for (const tiles of tileGroups(poll.tiles)) {
    const { pages, missing, opened, unusable } = await compareDays(ports)(tiles, days, poll.taken);
    poll.unusable.push(...unusable);
    poll.count.pages += pages;
    poll.count.items += missing;
    poll.count.opened += opened;
  }
  poll.count.windows += 1;
  poll.readUntil = now.toISOString();
  const { taken: _, ...more } = begin;
  return { ...more, readTo: poll.readUntil, ...takenOf(isNewHour ? poll.taken.met : poll.taken.all) };
}

/** Moves the cursor; false when another host has moved it, whose poll goes on in place of this one. */
type Move = (cursor: FeedCursor) => Promise<boolean>;

/** Who asks for no tile doesn't listen, and knows of no silence. */
function unheard(ports: ReadFeedPorts, poll: Poll): FeedCursor {
  const now = endOfFeed(ports.clock.now().getTime());
  poll.readUntil = now;
  poll.count.windows += 1;
  return { readTo: now, lastChangeAt: now };
}

const textOf = (cursor: FeedCursor): string => JSON.stringify(Object.entries(cursor).sort());

/** A cursor as it is stored, and moved from one place to the next. */
class MovingCursor {
  readonly #feed: FeedStore;
  readonly #catalogue: string;
  #stored: StoredCursor | undefined;
  /** Whether another host has moved it. */
  #isOvertaken = false;

  constructor(feed: FeedStore, catalogue: string, stored: StoredCursor | undefined) {
    this.#feed = feed;
    this.#catalogue = catalogue;
    this.#stored = stored;
  }

  /** Writes nothing where it stands there already. */
  async move(cursor: FeedCursor): Promise<boolean> {
    const isThere = this.#stored !== undefined && textOf(cursor) === textOf(this.#stored.cursor);
    if (this.#isOvertaken || isThere) return !this.#isOvertaken;
    const etag = await this.#feed.putCursor(this.#catalogue, cursor, this.#stored?.etag);
    if (etag === undefined) this.#isOvertaken = true;
    else this.#stored = { cursor, etag };
    return !this.#isOvertaken;
  }
}

/** What a poll has done, for its log line. */
function factsOf(poll: Poll, cursor: FeedCursor, now: number): FeedPoll {
  const lagSeconds = Math.round((now - Date.parse(poll.readUntil)) / 1000);
  const silence = cursor.isSilent === true ? { isSilent: true as const } : {};
  return { ...poll.count, unusable: poll.unusable.length, lagSeconds, ...silence };
}

/**
 * One poll of the catalogue: what it shows since the last one is taken in. The cursor moves behind a window only when
 * all of it came and was taken in, so that a poll that dies, is doubled or missed harms nothing.
 *
 * @throws CatalogueError when the catalogue can't be read: the cursor stays behind what was read
 */
export const readFeed = (ports: ReadFeedPorts) => async (): Promise<FeedPoll> => {
  const { catalogueName, feed, interest, clock, log } = ports;
  const read = catalogueName === 'planetary-computer' ? readDays : readChanges;
  const [tiles, stored] = await Promise.all([interest.listTiles(), feed.findCursor(catalogueName)]);
  const now = clock.now().getTime();
  const begin = stored?.cursor ?? firstCursor(now);
  const count = { windows: 0, pages: 0, items: 0, opened: 0 };
  const known = { taken: new TakenItems(begin.taken), readUntil: begin.resumeAt ?? begin.readTo };
  const poll: Poll = { tiles, count, unusable: [], unanswered: [], failures: 0, ...known };
  const moving = new MovingCursor(feed, catalogueName, stored);
  const heard = async (): Promise<FeedCursor> => {
    const cursor = await read(ports, begin, poll, (next) => moving.move(next));
    return comparedSince(ports, await listenFor(ports, cursor, now), now);
  };
  const cursor = tiles.length === 0 ? unheard(ports, poll) : await heard();
  await moving.move(cursor);
  const facts = factsOf(poll, cursor, clock.now().getTime());
  log('Feed:Read', { catalogue: catalogueName, tiles: tiles.length, ...facts, ...unusableFacts(poll.unusable) });
  return facts;
};
