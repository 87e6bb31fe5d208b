import { limiter } from '../raster/limiter.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import type { EnqueuePorts } from './enqueue.js';
import { isClaimable, messageDueAt, resent, type WorkKey } from './workItem.js';
import type { WorkQueues } from './workMessage.js';
import { workPartitions, type StoredWork } from './workStore.js';

/**
 * What one sweep has done: items that got their message as planned, because their wait was long; those that got theirs
 * again, because it was lost or their attempt died; those whose message is late and not lost; those that somebody else took
 * in the meantime; and those whose look failed, which the next sweep looks at.
 */
export type SweepCount = Readonly<Record<Fate, number>>;
type Fate = 'due' | 'sent' | 'late' | 'taken' | 'failed';

export interface SweepWorkPorts extends EnqueuePorts {
  readonly log: Log;
}

/** One after the other, thousands would take longer than the minute until the next sweep. */
const AT_ONCE = 8;

/**
 * Looks at the work that is due and has not moved: whose lease is over, whose message is lost, or whose wait is longer
 * than a message may be delayed. Each gets its message; of several sweeps at once one sends it.
 */
export const sweepWork = (ports: SweepWorkPorts) => async (): Promise<SweepCount> => {
  const count = { due: 0, sent: 0, late: 0, taken: 0, failed: 0 };
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
  const due = await Promise.all(workPartitions.map((partition) => ports.store.listDue(partition, now)));
  await Promise.all(due.flat().map((stored) => looking(() => look(stored))));
  return count;
};

/** How far the queue of each kind has come, asked at most once. */
function queueProgress(queues: WorkQueues, now: number): (kind: string) => Promise<number> {
  const known = new Map<string, Promise<number>>();
  return async (kind) => {
    const served = known.get(kind) ?? queues(kind).servedUntil(now);
    known.set(kind, served);
    return served;
  };
}

async function lookAt(
  ports: EnqueuePorts,
  stored: StoredWork,
  servedUntil: (kind: string) => Promise<number>,
): Promise<Fate> {
  const { item } = stored;
  const dueAt = messageDueAt(item);
  if (dueAt !== undefined && dueAt > (await servedUntil(item.kind))) return 'late';
  if (!(await resend(ports, stored))) return 'taken';
  return dueAt === undefined && item.claim === undefined ? 'due' : 'sent';
}

/** Moves the next look first, so that of many who look at once one sends. */
async function resend({ store, queues, clock }: EnqueuePorts, stored: StoredWork): Promise<boolean> {
  const { kind, id } = stored.item;
  // Of a kind without a queue here nothing is written: a newer version's sweep sends the message.
  const queue = queues(kind);
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
      if (stored !== undefined && isClaimable(stored.item, ports.clock.now().getTime())) await resend(ports, stored);
    } catch (error) {
      sayNotResent(ports, key, error);
    }
  };

/** Storage is away, or the kind is of a newer version. */
function sayNotResent({ log }: SweepWorkPorts, { kind, id }: WorkKey, error: unknown): void {
  log('Work:NotResent', { kind, id, cause: errorText(error) });
}
