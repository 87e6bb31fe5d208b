import type { Clock } from '../../kit/clock.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import type { CursorKeys } from '../../kit/listCursor.js';
import { openCursor, sealCursor } from '../../kit/listCursor.js';
import type { ListenerStore } from './listenerStore.js';
import { takesType } from './notice.js';
import type { NoticeOwner } from './noticeOwner.js';
import type { LoggedNotice, NoticeLogStore } from './noticeLogStore.js';
import type { EventListParameters } from './noticeSchemas.js';

export interface ListEventsPorts {
  readonly log: Pick<NoticeLogStore, 'read' | 'placeBefore' | 'latest'>;
  readonly listeners: Pick<ListenerStore, 'listen'>;
  readonly cursorKeys: CursorKeys;
  readonly clock: Pick<Clock, 'now'>;
}

export interface EventsRead {
  readonly events: readonly LoggedNotice[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const DAY_MS = 24 * 3_600_000;
/** A day longer than events are kept. */
const CURSOR_MS = 31 * DAY_MS;
const USUAL_LIMIT = 50;
const MOST = 200;
/** Pages read for one answer: a filter may leave little of each. */
const MOST_PAGES = 5;

/** Events of an owner in order, none twice and none left out. The first call has a log kept. */
export const listEvents =
  (ports: ListEventsPorts) =>
  async (
    owner: NoticeOwner,
    { cursor, from, types, limit = USUAL_LIMIT }: EventListParameters,
  ): Promise<EventsRead> => {
    await ports.listeners.listen(owner);
    const filters = types?.split(',').map((type) => type.trim());
    const seal = { keys: ports.cursorKeys, now: ports.clock.now().getTime(), lifetimeMs: CURSOR_MS };
    const scope = ['events', owner, types ?? null];
    const begin = cursor === undefined ? await placeOf(ports, owner, from) : openCursor(cursor, scope, seal);
    if (begin === undefined) throw expired();
    const read = await readOn(ports, owner, { begin: Number(begin), most: Math.min(limit, MOST), filters });
    return { ...read, cursor: sealCursor(scope, String(read.place), seal) };
  };

async function placeOf({ log }: ListEventsPorts, owner: NoticeOwner, from: string | undefined): Promise<number> {
  if (from === undefined) return 0;
  if (from === 'latest') return log.latest(owner);
  const instant = Date.parse(from);
  if (!Number.isNaN(instant) && /^\d{4}-\d\d-\d\d/.test(from)) return log.placeBefore(owner, instant);
  const msg = 'from must be latest or an instant such as 2026-05-01T00:00:00Z';
  throw invalidInput([{ loc: ['query', 'from'], msg, type: 'date_time' }]);
}

interface Reading {
  readonly begin: number;
  readonly most: number;
  readonly filters: readonly string[] | undefined;
}

async function readOn({ log }: ListEventsPorts, owner: NoticeOwner, { begin, most, filters }: Reading) {
  const events: LoggedNotice[] = [];
  let place = begin;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await log.read(owner, place, MOST + 1);
    for (const event of found.slice(0, MOST)) {
      if (events.length === most) return { events, place, hasMore: true };
      place = event.sequence;
      if (takesType(filters, event.type)) events.push(event);
    }
    if (found.length <= MOST) return { events, place, hasMore: false };
  }
  return { events, place, hasMore: true };
}

function expired() {
  const msg =
    'cursor is none of this list and filter, or older than 31 days; begin with from and the instant of the last event you have';
  return invalidInput([{ loc: ['query', 'cursor'], msg, type: 'cursor_expired' }]);
}
