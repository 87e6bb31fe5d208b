import type { Clock } from '../../kit/clock.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import type { Seats } from '../../work/lanes/seats.js';
import { namesOf, ownerOf, type WorkItem, type WorkKey } from '../../work/item/workItem.js';
import { done, type Step, type WorkKind } from '../../work/item/workKind.js';
import { gridPump, type GridPorts } from './gridPump.js';

/** The kind of work that sends the log of an owner to Event Grid. */
export const GRID = 'grid';

/** The work for an owner. */
export const workOfGrid = (owner: NoticeOwner): WorkKey => ({ kind: GRID, id: `${owner}|log` });

const HOUR_MS = 3_600_000;
/** What happens within a moment goes in one send. */
const MOMENT_MS = 1_000;

/** Has the log of an owner sent a moment later; one that waits for Event Grid keeps its own time. */
export const wakeGrid =
  ({ work, clock }: { readonly work: Pick<Enqueuer, 'ask'>; readonly clock: Pick<Clock, 'now'> }) =>
  (owner: NoticeOwner): Promise<void> =>
    work.ask(workOfGrid(owner), { dueAt: clock.now().getTime() + MOMENT_MS });

/** Work that sends the log of an owner to Event Grid. @param ports undefined without a topic: what is left of the work ends */
export function gridKind(ports: GridPorts | undefined, leaseMs: number, seats: Seats): WorkKind {
  const begin = (item: WorkItem): Promise<Step> =>
    Promise.resolve({
      retry: retryOfStorage,
      failureOf,
      run: (attempt) =>
        ports === undefined ? Promise.resolve(done) : gridPump(ports, ownerOf(item) as NoticeOwner, attempt),
      // Events are sent late rather than never.
      giveUp: (attempt, reason) => {
        ports?.logLine('Notice:PumpFailed', { ...namesOf(item), cause: reason });
        const until = attempt.item.notBefore + HOUR_MS;
        return Promise.resolve({ kind: 'wait', until, hasProgress: true, leaving: {} });
      },
    });
  return { kind: GRID, leaseMs, seats, begin };
}
