import { limiter } from '../../kit/limiter.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import type { EnqueuePorts } from '../enqueue.js';
import type { Lanes } from '../lanes/lanes.js';
import {
  isClaimable,
  messageDueAt,
  namesOf,
  resent,
  ticketed,
  type Parked,
  type WorkKey,
  type WorkOrder,
} from '../item/workItem.js';
import type { WorkQueue, WorkQueues } from '../item/workMessage.js';
import { workPartitions, type StoredWork } from '../item/workStore.js';

/**
 * What one sweep has done: items that got their message as planned, because their wait was long; those that got theirs
 * again, because it was lost or their attempt died; those whose message is late and not lost; those that somebody else took
 * in the meantime; those that stand in a lane; and those whose look failed, which the next sweep looks at.
 */
export type SweepCount = Readonly<Record<Fate, number>>;
type Fate = 'due' | 'sent' | 'late' | 'taken' | 'parked' | 'failed';

export interface SweepWorkPorts extends EnqueuePorts {
  readonly lanes: Pick<Lanes, 'wait'>;
  readonly log: Log;
}

/** One after the other, thousands would take longer than the minute until the next sweep. */
const AT_ONCE = 8;

/**
 * Looks at the work that is due and has not moved: whose lease is over, whose message is lost, or whose wait is longer
 * than a message may be delayed. Each gets its message, or its ticket where it stands in a lane; of several sweeps at once
 * one sends it.
 */
export const sweepWork = (ports: SweepWorkPorts) => async (): Promise<SweepCount> => {
  const count = { due: 0, sent: 0, late: 0, taken: 0, parked: 0, failed: 0 };
  const now = ports.clock.now().getTime();
  const servedUntil = queueProgress(ports.queues, now);
  const looking = limiter(AT_ONCE);
  const look = async (stored: StoredWork): Promise<void> => {
    // One item whose look fails, of a kind that a newer version has written for example, holds up no other.
    const fate = await lookAt(ports, stored, servedUntil).catch((error: unknown) => {
      sayNotResent(ports, stored.item, error);
      return 'failed' as const;
    });
    count[fate] += 1;
  };
  const due = await Promise.allSettled(workPartitions.map((partition) => ports.store.listDue(partition, now)));
  const read = due.flatMap((listed) => (listed.status === 'fulfilled' ? listed.value : []));
  await Promise.all(read.map((stored) => looking(() => look(stored))));
  // What one partition has is found by the next sweep; the others need not wait for it.
  const unread = due.find((listed) => listed.status === 'rejected');
  if (unread !== undefined) throw unread.reason;
  return count;
};

/** How far the queue of a piece of work has come; each queue is asked at most once. */
export function queueProgress(queues: WorkQueues, now: number): (work: WorkOrder) => Promise<number> {
  const known = new Map<WorkQueue, Promise<number>>();
  return async (work) => {
    const queue = queues(work);
    const served = known.get(queue) ?? queue.servedUntil(now);
    known.set(queue, served);
    return served;
  };
}

async function lookAt(
  ports: SweepWorkPorts,
  stored: StoredWork,
  servedUntil: (work: WorkOrder) => Promise<number>,
): Promise<Fate> {
  const { item } = stored;
  if (item.parked !== undefined) return (await askAgain(ports, stored, item.parked)) ? 'parked' : 'taken';
  const dueAt = messageDueAt(item);
  // As long behind the head of the queue as a message may be late: delays are rounded, and many are due at one instant.
  if (dueAt !== undefined && item.checkAt > (await servedUntil(item))) return 'late';
  if (!(await resend(ports, stored))) return 'taken';
  return dueAt === undefined && item.claim === undefined ? 'due' : 'sent';
}

/** Its ticket is left again, for the case that it was lost. */
async function askAgain(
  { store, lanes, clock }: SweepWorkPorts,
  stored: StoredWork,
  { lane, askedAt }: Parked,
): Promise<boolean> {
  const { kind, id } = stored.item;
  if ((await store.update(stored, ticketed(stored.item, clock.now().getTime()))) === undefined) return false;
  await lanes.wait(lane, { kind, id, askedAt });
  return true;
}

/** Moves the next look first, so that of many who look at once one sends. */
export async function resend({ store, queues, clock }: EnqueuePorts, stored: StoredWork): Promise<boolean> {
  const { kind, id } = stored.item;
  // Of a kind without a queue here nothing is written: a newer version's sweep sends the message.
  const queue = queues(stored.item);
  if ((await store.update(stored, resent(stored.item, clock.now().getTime()))) === undefined) return false;
  await queue.send({ kind, id });
  return true;
}

/**
 * The same for one item, whose message the host has given up: it is sent again unless an attempt is at work. Never throws:
 * the host would bring the dead letter back for ever, and the sweep finds the item in any case.
 */
export const resendDeadLetter =
  (ports: SweepWorkPorts) =>
  async (key: WorkKey): Promise<void> => {
    try {
      const stored = await ports.store.find(key);
      // One that stands in a lane gets its message with its slot.
      if (stored === undefined || stored.item.parked !== undefined) return;
      if (isClaimable(stored.item, ports.clock.now().getTime())) await resend(ports, stored);
    } catch (error) {
      sayNotResent(ports, key, error);
    }
  };

/** Storage is away, or the kind is of a newer version. */
function sayNotResent({ log }: SweepWorkPorts, key: WorkKey, error: unknown): void {
  log('Work:NotResent', { ...namesOf(key), cause: errorText(error) });
}
