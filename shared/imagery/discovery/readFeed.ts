import type { Clock } from '../../kit/clock.js';
import { limiter } from '../../kit/limiter.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { addDays } from '../../kit/validation/calendar.js';
import { CatalogueError } from '../../scenes/stac/catalogueError.js';
import { groupsOf, TILES_A_QUERY } from '../../scenes/stac/groups.js';
import type { Catalogue } from '../../scenes/imagerySettings.js';
import {
  joined,
  type FeedWindow,
  type Found,
  type SceneCatalogue,
  type ShownItem,
} from '../../scenes/stac/sceneCatalogue.js';
import { unusableFacts } from '../../scenes/item/unusableFacts.js';
import type { TableInterestStore } from '../interest/tableInterestStore.js';
import { compareDays, type CompareDaysPorts } from './compareDays.js';
import { comparedSince, listenFor } from './feedSilence.js';
import { endOfFeed, firstCursor, halvesOf, nextWindow, type FeedCursor } from './feedWindow.js';
import type { StoredCursor, TableFeedStore } from './tableFeedStore.js';
import { hashOfShown, TakenItems } from './takenItems.js';
import { isOpened, takeIn, type Intake } from './takeIn.js';

/** What a poll needs. */
export interface ReadFeedPorts extends CompareDaysPorts {
  readonly catalogueName: Catalogue;
  readonly catalogue: Pick<SceneCatalogue, 'changes' | 'list' | 'items' | 'isAlive'>;
  readonly feed: Pick<TableFeedStore, 'findCursor' | 'putCursor'>;
  readonly interest: Pick<TableInterestStore, 'listTiles'>;
  /** Asks for a comparison of all tiles with the catalogue. */
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
/** Tiles that are named in queries; with more tiles all changes are asked for. */
const MOST_NAMED = 800;
/** Older acquisitions are not taken in, however many the catalogue shows. */
const OLDEST_DAYS = 30;
/** A poll ends well before the next one. */
const MOST_MS = 4 * 60_000;
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;

/** So many more of the shortest windows may fail than succeed; beyond that the catalogue fails, not single items. */
const MOST_AHEAD = 10;

/** A poll under way. */
interface Poll {
  readonly tiles: readonly string[];
  readonly taken: TakenItems;
  readonly count: { windows: number; pages: number; items: number; opened: number };
  /** Ids of items that no image can be made of. */
  readonly unusable: string[];
  /** The shortest windows that the catalogue couldn't answer since the cursor was last stored. */
  unanswered: FeedWindow[];
  /** Number of such windows in the whole poll. */
  failures: number;
  /** Where what was read ends. */
  readUntil: string;
}

/** Everything that changed in a window; undefined when that is too much for one query, the error when the catalogue fails. */
async function changesIn(
  { catalogue, clock }: ReadFeedPorts,
  window: FeedWindow,
  { tiles, count, unusable }: Poll,
): Promise<readonly ShownItem[] | CatalogueError | undefined> {
  const takenSince = addDays(clock.now().toISOString().slice(0, 10), -OLDEST_DAYS);
  const query = { window, takenSince, mostPages: MOST_PAGES };
  const queries =
    tiles.length > MOST_NAMED ? [query] : groupsOf(tiles, TILES_A_QUERY).map((named) => ({ ...query, tiles: named }));
  const answers: Found<ShownItem>[] = [];
  for (const some of queries) {
    const answer = await catalogue.changes(some);
    if (answer === undefined || answer instanceof CatalogueError) return answer;
    answers.push(answer);
  }
  const { items, pages, unreadableIds = [] } = joined(answers);
  count.pages += pages;
  unusable.push(...unreadableIds);
  return items;
}

/** Takes in the items of tiles of interest, and counts them. */
async function takeInAll(ports: ReadFeedPorts, items: readonly ShownItem[], poll: Poll): Promise<void> {
  const { taken, count } = poll;
  const tiles = new Set(poll.tiles);
  const taking = limiter(AT_ONCE);
  const take = async (item: ShownItem): Promise<Intake> => {
    const news = await takeIn(ports)(item);
    const hash = hashOfShown(item);
    if (hash !== undefined) taken.add(hash);
    return news;
  };
  const wanted = items.filter((item) => tiles.has(item.scene.tile) && !taken.isTaken(hashOfShown(item) ?? ''));
  const news = await Promise.all(wanted.map((item) => taking(() => take(item))));
  count.items += wanted.length;
  count.opened += news.filter(isOpened).length;
  poll.unusable.push(...wanted.filter((_, index) => news[index] === 'unusable').map(({ scene }) => scene.id));
}

const takenOf = (hashes: readonly string[]): Pick<FeedCursor, 'taken'> =>
  hashes.length === 0 ? {} : { taken: hashes };

/** The cursor after a window was taken in. A window without changes doesn't move the watermark. */
function movedBehind(
  cursor: FeedCursor,
  items: readonly ShownItem[],
  read: FeedWindow & { readonly isLast: boolean },
): FeedCursor {
  const { resumeAt: _, taken: __, ...more } = cursor;
  const latest = items.reduce((last, { updated = '' }) => (updated > last && updated <= read.to ? updated : last), '');
  const moved = latest > cursor.readTo ? { readTo: latest } : {};
  const heard = latest > cursor.lastChangeAt ? { lastChangeAt: latest } : {};
  return { ...more, ...moved, ...heard, ...(read.isLast ? {} : { resumeAt: read.to }) };
}

/** Logs the windows that the catalogue can't answer while it answers others: their changes are found at night. */
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
 * The halves of a window that has too many changes or at which the catalogue fails; nothing when the window is too short to
 * be halved.
 *
 * @throws the catalogue's error when too many of the shortest windows fail
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

/** Stores a cursor; false when another host has stored one, whose poll goes on in place of this one. */
type Move = (cursor: FeedCursor) => Promise<boolean>;

/**
 * Earth Search tells what changed when. A poll reads one window, in halves where it has too many changes or the catalogue
 * fails. The cursor is stored after each part, so a poll that dies loses one part at most; one that lasts too long is
 * continued by the next.
 */
async function readChanges(ports: ReadFeedPorts, begin: FeedCursor, poll: Poll, move: Move): Promise<FeedCursor> {
  const { clock } = ports;
  // The window ends at the beginning of the poll: a poll that followed the clock would never end.
  const now = clock.now().getTime();
  const whole = nextWindow(begin, now);
  const left = whole === undefined ? [] : [whole];
  let cursor = begin;
  // One part is read however long it takes: else the next poll would begin at the same place.
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

/** The Planetary Computer doesn't tell changes: its items of two days are compared every ten minutes, of four every hour. */
async function readDays(ports: ReadFeedPorts, begin: FeedCursor, poll: Poll): Promise<FeedCursor> {
  const now = ports.clock.now();
  const last = Date.parse(begin.readTo);
  poll.readUntil = begin.readTo;
  if (now.getTime() - last < DAY_EVERY_MS - TOLERANCE_MS) return begin;
  const today = now.toISOString().slice(0, 10);
  const isNewHour = Math.floor(last / HOUR_MS) < Math.floor(now.getTime() / HOUR_MS);
  const days = { from: addDays(today, isNewHour ? -3 : -1), to: today };
  for (const tiles of groupsOf(poll.tiles, TILES_A_QUERY)) {
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

/** The cursor where there is no tile of interest: nothing is asked, and no silence is known. */
function unheard(ports: ReadFeedPorts, poll: Poll): FeedCursor {
  const now = endOfFeed(ports.clock.now().getTime());
  poll.readUntil = now;
  poll.count.windows += 1;
  return { readTo: now, lastChangeAt: now };
}

const textOf = (cursor: FeedCursor): string => JSON.stringify(Object.entries(cursor).sort());

/** Stores the cursors of a poll one after another, each by the ETag of the one before; an unchanged cursor is not written. */
function moveFrom({ feed, catalogueName }: ReadFeedPorts, begin: StoredCursor | undefined): Move {
  let stored = begin;
  let isOvertaken = false;
  return async (cursor) => {
    const isStored = stored !== undefined && textOf(cursor) === textOf(stored.cursor);
    if (isOvertaken || isStored) return !isOvertaken;
    const etag = await feed.putCursor(catalogueName, cursor, stored?.etag);
    if (etag === undefined) isOvertaken = true;
    else stored = { cursor, etag };
    return !isOvertaken;
  };
}

/** What a poll has done, for its log line. */
function factsOf(poll: Poll, cursor: FeedCursor, now: number): FeedPoll {
  const lagSeconds = Math.round((now - Date.parse(poll.readUntil)) / 1000);
  const silence = cursor.isSilent === true ? { isSilent: true as const } : {};
  return { ...poll.count, unusable: poll.unusable.length, lagSeconds, ...silence };
}

/**
 * One poll of the catalogue: takes in what the catalogue shows since the last poll. The cursor moves behind a window only
 * when all of the window was taken in, so a poll that dies, runs twice or is missed does no harm.
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
  const move = moveFrom(ports, stored);
  const heard = async (): Promise<FeedCursor> => {
    const cursor = await read(ports, begin, poll, move);
    return comparedSince(ports, await listenFor(ports, cursor, now), now);
  };
  const cursor = tiles.length === 0 ? unheard(ports, poll) : await heard();
  await move(cursor);
  const facts = factsOf(poll, cursor, clock.now().getTime());
  log('Feed:Read', { catalogue: catalogueName, tiles: tiles.length, ...facts, ...unusableFacts(poll.unusable) });
  return facts;
};
