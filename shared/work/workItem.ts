/** The states of a work item and the moves between them, without storage, clock or queue. */
import type { FailureClass, FailureCounts } from './retry.js';

/** Names one piece of work. */
export interface WorkKey {
  /** What is to be done: one of the kinds that wiring names. */
  readonly kind: string;
  /** What it is to be done to; unique within the kind. */
  readonly id: string;
}

/**
 * One piece of work that is not done yet; there is no item of work that is done. Instants are milliseconds since 1970
 * UTC.
 */
export interface WorkItem extends WorkKey {
  /** Id of the attempt that holds the item; absent when it was given back or never taken. */
  readonly claim?: string;
  /** Claims so far. */
  readonly epoch: number;
  /** How often the work was asked for: whoever ends it must have read its facts after the latest time. */
  readonly asks: number;
  /** Attempts begun so far. A wait is none. */
  readonly attempts: number;
  /** Failures since the last success, by class. */
  readonly failures: FailureCounts;
  /** Why the latest attempt ended badly, in words for the log. */
  readonly failure?: string;
  /** No attempt begins before: when the next one is due, or when the lease of the present one ends. */
  readonly notBefore: number;
  /** When the sweep looks at the item. */
  readonly checkAt: number;
  readonly createdAt: number;
}

/** A message that is this late is taken for lost. */
export const LOST_MESSAGE_MS = 2 * 60_000;
/** An item that is due later has no message: the sweep sends it then, so no limit of the queue binds a wait. */
export const LONGEST_MESSAGE_DELAY_MS = 10 * 60_000;

/** Work that has just come up. @param notBefore when its first attempt may begin */
export function newItem({ kind, id }: WorkKey, now: number, notBefore = now): WorkItem {
  const counts = { epoch: 0, asks: 1, attempts: 0, failures: {} };
  return { kind, id, ...counts, ...due(notBefore, now), createdAt: now };
}

/** Whether whoever holds a message of the item may begin an attempt: nobody's lease runs, and it is due. */
export const isClaimable = ({ notBefore }: WorkItem, now: number): boolean => notBefore <= now;

/** The item as held by an attempt that begins now. */
export function claimed(item: WorkItem, { claim, leaseEnd }: { claim: string; leaseEnd: number }): WorkItem {
  const { epoch, attempts } = item;
  return { ...renewed(item, leaseEnd), claim, epoch: epoch + 1, attempts: attempts + 1 };
}

/** The item held for longer by the same attempt. */
export const renewed = (item: WorkItem, leaseEnd: number): WorkItem => ({
  ...item,
  notBefore: leaseEnd,
  checkAt: leaseEnd,
});

/** The item given back by an attempt that has to wait for something. The attempt was none. */
export function waiting(item: WorkItem, until: number, now: number): WorkItem {
  const { failure: _failure, ...rest } = givenBack(item, until, now);
  return { ...rest, attempts: item.attempts - 1, failures: {} };
}

export interface Failed {
  readonly until: number;
  readonly failures: FailureCounts;
  readonly failure: string;
  readonly failureClass: FailureClass;
}

/** The item given back by an attempt that failed; what refuses from outside uses no attempt up. */
export function failed(item: WorkItem, { until, failures, failure, failureClass }: Failed, now: number): WorkItem {
  const attempts = failureClass === 'fault' ? item.attempts : item.attempts - 1;
  return { ...givenBack(item, until, now), attempts, failures, failure };
}

function givenBack({ claim: _claim, ...item }: WorkItem, until: number, now: number): WorkItem {
  return { ...item, ...due(until, now) };
}

const due = (notBefore: number, now: number): Pick<WorkItem, 'notBefore' | 'checkAt'> => ({
  notBefore,
  checkAt: hasMessage(notBefore, now) ? notBefore + LOST_MESSAGE_MS : notBefore,
});

/** Whether an item that becomes due then gets its message now. */
export const hasMessage = (notBefore: number, now: number): boolean => notBefore - now <= LONGEST_MESSAGE_DELAY_MS;

/** The item whose message is sent again now. */
export const resent = (item: WorkItem, now: number): WorkItem => ({ ...item, checkAt: now + LOST_MESSAGE_MS });

/** When the message that is under way was due; undefined when none is: while a lease runs, or the sweep is to send it. */
export const messageDueAt = ({ checkAt, notBefore }: WorkItem): number | undefined =>
  checkAt > notBefore ? checkAt - LOST_MESSAGE_MS : undefined;

/** The item asked for once more. An attempt that holds it goes on; one that waits is due at once. */
export function asked(item: WorkItem, now: number): WorkItem {
  const again = { ...item, asks: item.asks + 1 };
  return item.claim === undefined ? { ...again, ...due(Math.min(item.notBefore, now), now) } : again;
}

/** What an attempt knows of the item that it holds. */
export interface Holding {
  readonly claim: string;
  /** The count of asks behind which it has read the facts. */
  readonly asks: number;
}

/**
 * What an attempt may do with its item as the item is now: one that is `held` may be written and ended, one that was
 * `asked` for anew is ended only behind facts that are read again, `gone` has nothing to end any more, and of one that
 * is `lost` nothing is written.
 */
export function fateOf(item: WorkItem | undefined, { claim, asks }: Holding): 'held' | 'asked' | 'gone' | 'lost' {
  if (item === undefined) return 'gone';
  if (item.claim !== claim) return 'lost';
  return item.asks === asks ? 'held' : 'asked';
}

/** What the attempt writes again after a refused write: all of its own, of the others' what is there now. */
export const merged = (own: WorkItem, there: WorkItem): WorkItem => ({ ...own, asks: there.asks });
