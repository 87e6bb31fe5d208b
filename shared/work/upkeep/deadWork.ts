/** Work that doesn't move on by itself, for operators: what they see of it, and what they may do about it. */
import type { EnqueuePorts } from '../enqueue.js';
import { laneKindOf } from '../lanes/lane.js';
import type { Lanes } from '../lanes/lanes.js';
import { asked, messageDueAt, type WorkItem, type WorkKey } from '../item/workItem.js';

/** What nobody has looked at for so long is stuck: the tick comes every minute. */
const STUCK_MS = 10 * 60_000;

/** What an operator sees of a piece of work: nothing of what was asked. */
export interface DeadWork {
  readonly kind: string;
  readonly id: string;
  readonly attempts: number;
  /** Why the latest attempt ended badly. */
  readonly failure?: string;
  readonly step?: string;
  /** It waits for the release of its tenant, which operators hold. */
  readonly isHeld?: true;
  readonly created: string;
  /** When the next attempt is due, or the lease of the present one ends. */
  readonly next: string;
}

/** Whether the work waits for the release of its tenant. */
export const isHeldBack = ({ parked }: WorkItem): boolean => parked !== undefined && laneKindOf(parked.lane) === 'held';

/**
 * Whether the latest attempt ended badly, whether one was cut short, whether nobody looks at the work any more, or whether
 * its tenant is held.
 */
export const isDead = (item: WorkItem, now: number): boolean =>
  item.failure !== undefined || item.attempts > 1 || item.checkAt < now - STUCK_MS || isHeldBack(item);

/** Whether an attempt is under way. */
export const isAtWork = ({ claim, notBefore }: WorkItem, now: number): boolean =>
  claim !== undefined && notBefore > now;

/** An answer shows no more. */
const MOST_SHOWN = 100;

/** The dead work of one kind or of all, that which was asked for first in front, 100 items at most. */
export async function listDeadWork(
  { store, clock }: Pick<EnqueuePorts, 'store' | 'clock'>,
  kind?: string,
): Promise<{ readonly count: number; readonly items: readonly DeadWork[] }> {
  const now = clock.now().getTime();
  const dead: WorkItem[] = [];
  for await (const item of store.each(kind)) if (isDead(item, now)) dead.push(item);
  const items = [...dead].sort((a, b) => a.createdAt - b.createdAt).slice(0, MOST_SHOWN);
  return { count: dead.length, items: items.map(shownWork) };
}

export function shownWork(item: WorkItem): DeadWork {
  const { kind, id, attempts, failure, place, createdAt, notBefore } = item;
  return {
    ...{ kind, id, attempts },
    ...(failure === undefined ? {} : { failure }),
    ...(place === undefined ? {} : { step: place.step }),
    ...(isHeldBack(item) ? { isHeld: true } : {}),
    created: new Date(createdAt).toISOString(),
    next: new Date(notBefore).toISOString(),
  };
}

/** What became of a command on a piece of work: it is gone, an attempt is under way, or others keep changing it. */
export type WorkCommandEnd = 'done' | 'gone' | 'atWork' | 'changed';

/** Has the work tried at once, as if it were new: its attempts and failures are counted from zero. */
export async function retryWork({ store, queues, clock }: EnqueuePorts, key: WorkKey): Promise<WorkCommandEnd> {
  const stored = await store.find(key);
  if (stored === undefined) return 'gone';
  const now = clock.now().getTime();
  if (isAtWork(stored.item, now)) return 'atWork';
  const queue = queues(stored.item);
  // The claim of an attempt that died is nobody's.
  const { claim: _dead, ...free } = stored.item;
  const next = asked(free, now);
  if ((await store.update(stored, next)) === undefined) return 'changed';
  // What stands in a lane gets its message with its slot. A message that can't be sent is sent by the sweep.
  if (messageDueAt(next) !== undefined) await queue.send({ kind: key.kind, id: key.id }).catch(() => undefined);
  return 'done';
}

/** Takes the work away undone. */
export async function dropWork(
  { store, lanes, clock }: Pick<EnqueuePorts, 'store' | 'clock'> & { readonly lanes: Pick<Lanes, 'leaveAll'> },
  key: WorkKey,
): Promise<WorkCommandEnd> {
  const stored = await store.find(key);
  if (stored === undefined) return 'gone';
  if (isAtWork(stored.item, clock.now().getTime())) return 'atWork';
  if (!(await store.delete(stored))) return 'changed';
  lanes.leaveAll(stored.item);
  return 'done';
}
