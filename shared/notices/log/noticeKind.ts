import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import { namesOf, type WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/item/workKind.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Clock } from '../../kit/clock.js';
import type { Notice } from './notice.js';
import type { NoticeOwner } from './noticeOwner.js';
import type { Entry, NoticeLogStore } from './noticeLogStore.js';
import { NOTICE, type NoticeOrigin } from './outbox.js';

/** What there is to tell. */
export interface FoundNotices {
  readonly entries: readonly Entry[];
  /** When the work looks again, milliseconds since 1970 UTC; it is done when absent. */
  readonly until?: number;
  /** What is to be done once the entries stand in the log; can be repeated. */
  readonly after?: () => Promise<void>;
}

/** Finds what there is to tell. @param subject of the work, within its owner */
export type FindNotices = (owner: NoticeOwner, subject: string, item: WorkItem) => Promise<FoundNotices>;

export interface NoticeKindPorts {
  readonly log: NoticeLogStore;
  /** Where notices come from beside work that holds its notice itself. */
  readonly origins: Readonly<Record<Exclude<NoticeOrigin, 'event'>, FindNotices>>;
  /** Whether the owner listens at this moment: tellers may know of an owner that was unknown a second ago. */
  readonly listens: (owner: NoticeOwner) => Promise<boolean>;
  /** Has whoever is sent the log of an owner look into it. */
  readonly wake: (owner: NoticeOwner, types: readonly string[]) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logLine: Log;
}

const HOUR_MS = 3_600_000;
/** An event that is not in the log by then is late. */
const LATE_MS = 10 * 60_000;

const held: FindNotices = (_owner, _subject, { facts }) =>
  Promise.resolve({ entries: [{ notice: (facts as unknown as { readonly notice: Notice }).notice }] });

/**
 * Work that brings notices into the log of their owner and has webhooks and Event Grid look there. It is the same each time, for the
 * log takes each notice once.
 */
export function noticeKind(ports: NoticeKindPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> =>
    Promise.resolve({
      retry: retryOfStorage,
      failureOf,
      run: () => relay(ports, item),
      // A notice is told late rather than never.
      giveUp: (_attempt, reason) => {
        ports.logLine('Notice:NotRelayed', { ...namesOf(item), cause: reason });
        return Promise.resolve({ kind: 'wait', until: now(ports) + HOUR_MS, hasProgress: true });
      },
    });
  return { kind: NOTICE, leaseMs, begin };
}

const now = ({ clock }: NoticeKindPorts): number => clock.now().getTime();

async function relay(ports: NoticeKindPorts, item: WorkItem): Promise<Outcome> {
  const [owner = '', origin = '', ...subject] = item.id.split('|');
  const waitedMs = now(ports) - item.createdAt;
  // Work of other origins waits for what it tells of.
  if (origin === 'event' && waitedMs > LATE_MS) ports.logLine('Notice:Late', { ...namesOf(item), waitedMs });
  const find = origin === 'event' ? held : ports.origins[origin as Exclude<NoticeOrigin, 'event'>];
  const found = await find(owner as NoticeOwner, subject.join('|'), item);
  if (found.entries.length > 0 && (await ports.listens(owner as NoticeOwner))) {
    await tell(ports, owner as NoticeOwner, found.entries);
  }
  await found.after?.();
  return found.until === undefined ? done : { kind: 'wait', until: found.until, hasProgress: true };
}

async function tell(ports: NoticeKindPorts, owner: NoticeOwner, entries: readonly Entry[]): Promise<void> {
  await ports.log.append(owner, entries);
  const types = entries.map(({ notice }) => notice.type);
  await ports.wake(owner, types);
  const lagMs = Math.max(...entries.map(({ notice }) => now(ports) - Date.parse(notice.time)));
  ports.logLine('Notice:Relayed', { owner, types, lagMs });
}
