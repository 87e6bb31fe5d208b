import { limiter } from '../raster/limiter.js';
import type { EnqueuePorts } from './enqueue.js';
import { isClaimable, messageDueAt, resent, type WorkKey } from './workItem.js';
import type { WorkQueues } from './workMessage.js';
import { workPartitions, type StoredWork } from './workStore.js';

/**
 * What one sweep has done: messages that were sent, items whose message is late and not lost, and items that somebody
 * else took in the meantime.
 */
export type SweepCount = Readonly<Record<Fate, number>>;
type Fate = 'sent' | 'late' | 'taken';

/** One after the other, thousands would take longer than the minute until the next sweep. */
const AT_ONCE = 8;

/**
 * Looks at the work that is due and has not moved: whose lease is over, whose message is lost, or whose wait is longer
 * than a message may be delayed. Each gets its message; of several sweeps at once one sends it.
 */
export const sweepWork = (ports: EnqueuePorts) => async (): Promise<SweepCount> => {
  const count = { sent: 0, late: 0, taken: 0 };
  const now = ports.clock.now().getTime();
  const servedUntil = queueProgress(ports.queues, now);
  const looking = limiter(AT_ONCE);
  const look = async (stored: StoredWork): Promise<void> => {
    count[await lookAt(ports, stored, await servedUntil(stored.item.kind))] += 1;
  };
  const due = await Promise.all(workPartitions.map((partition) => ports.store.listDue(partition, now)));
  await Promise.all(due.flat().map((stored) => looking(() => look(stored))));
  return count;
};

/** How far the queue of each kind has come, asked at most once. */
function queueProgress(queues: WorkQueues, now: number): (kind: string) => Promise<number> {
  const known = new Map<string, Promise<number>>();
  return (kind) => {
    const served = known.get(kind) ?? queues(kind).servedUntil(now);
    known.set(kind, served);
    return served;
  };
}

async function lookAt(ports: EnqueuePorts, stored: StoredWork, servedUntil: number): Promise<Fate> {
  const dueAt = messageDueAt(stored.item);
  if (dueAt !== undefined && dueAt > servedUntil) return 'late';
  return (await resend(ports, stored)) ? 'sent' : 'taken';
}

/** Moves the next look first, so that of many who look at once one sends. */
async function resend({ store, queues, clock }: EnqueuePorts, stored: StoredWork): Promise<boolean> {
  const { kind, id } = stored.item;
  if ((await store.update(stored, resent(stored.item, clock.now().getTime()))) === undefined) return false;
  await queues(kind).send({ kind, id });
  return true;
}

/** The same for one item, whose message the host has given up: it is sent again unless an attempt is at work. */
export const resendDeadLetter =
  (ports: EnqueuePorts) =>
  async (key: WorkKey): Promise<void> => {
    const stored = await ports.store.find(key);
    if (stored !== undefined && isClaimable(stored.item, ports.clock.now().getTime())) await resend(ports, stored);
  };
