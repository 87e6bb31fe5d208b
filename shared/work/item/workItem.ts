/** The states of a work item and the moves between them, without storage, clock or queue. */
import type { JsonObject } from '../../kit/json/json.js';

/** Names one piece of work. */
export interface WorkKey {
  /** What is to be done: one of the kinds that wiring names. */
  readonly kind: string;
  /**
   * What it is to be done to; unique within the kind. Begins with whose it is, a tenant or a customer, and `|`; with `|`
   * alone where several share it.
   */
  readonly id: string;
}

/** A piece of work with what was asked. */
export interface WorkOrder extends WorkKey {
  /** What the kind has to know beside the id. Whoever asks anew may change it; attempts do not. */
  readonly facts?: JsonObject;
}

/** The tenant or customer whose work it is; empty where several share it. */
export const ownerOf = ({ id }: WorkKey): string => id.slice(0, id.indexOf('|'));

/** What names a piece of work in a log, where the owner appears as a fingerprint. */
export const namesOf = (key: WorkKey) => {
  const owner = ownerOf(key);
  return { kind: key.kind, ...(owner === '' ? {} : { owner }), id: key.id.slice(owner.length + 1) };
};

/**
 * `fault`: of our own, or of the input; each uses an attempt up, and so does an attempt that died. `outage`: something
 * outside is away. `refusal`: something outside says no for now. `final`: nothing would change by trying again.
 */
export type FailureClass = 'fault' | 'outage' | 'refusal' | 'final';

/** Failures in a row of one class. */
export interface FailureCount {
  readonly count: number;
  /** When the first was; milliseconds since 1970 UTC. */
  readonly since: number;
  /** Who refused, in words. */
  readonly by?: string;
}
export type FailureCounts = Partial<Readonly<Record<FailureClass, FailureCount>>>;

/** Where an attempt goes on that has a beginning behind it. */
export interface Place {
  /** Which step of its kind comes next. */
  readonly step: string;
  /** What that step has to know. */
  readonly state?: JsonObject;
}

/** An item that stands in a lane has no message: it gets its message with its slot (see lane.ts). */
export interface Parked {
  readonly lane: string;
  /** Since when it asks for a slot, or when it will: milliseconds since 1970 UTC. */
  readonly askedAt: number;
}

/**
 * One piece of work that is not done yet; there is no item of work that is done. Instants are milliseconds since 1970
 * UTC.
 */
export interface WorkItem extends WorkOrder {
  /** Id of the attempt that holds the item; absent when it was given back or never taken. */
  readonly claim?: string;
  /** Fencing token of what its attempts write elsewhere: grows with each claim. */
  readonly epoch: number;
  /** How often the work was asked for: whoever ends it must have read its facts after the latest time. */
  readonly asks: number;
  /** Attempts begun so far. A wait is none. */
  readonly attempts: number;
  /** Failures in a row: of the class of the latest one. */
  readonly failures: FailureCounts;
  /** Why the latest attempt ended badly, in words for the log. */
  readonly failure?: string;
  /** No attempt begins before: when the next one is due, or when the lease of the present one ends. */
  readonly notBefore: number;
  /** When the sweep looks at the item. */
  readonly checkAt: number;
  readonly createdAt: number;
  /** Absent at the beginning. */
  readonly place?: Place;
  readonly parked?: Parked;
  /** Lanes in which the item has stood, and may have a slot. */
  readonly lanes?: readonly string[];
}

/** A message that is this late is taken for lost. */
export const LOST_MESSAGE_MS = 2 * 60_000;
/** An item that is due later has no message: the sweep sends it then, so no limit of the queue binds a wait. */
export const LONGEST_MESSAGE_DELAY_MS = 10 * 60_000;
/** Between two looks at an item that stands in a lane, whether its ticket is still there. */
const PARKED_LOOK_MS = 60 * 60_000;

/** Work that has just come up. @param epoch of earlier work on the same; what it makes is to be above that */
export function newItem({ kind, id, facts }: WorkOrder, now: number, epoch = 0): WorkItem {
  const counts = { epoch, asks: 1, attempts: 0, failures: {} };
  return { kind, id, ...(facts === undefined ? {} : { facts }), ...counts, ...due(now, now), createdAt: now };
}

/** The new item as one that is due at an instant. */
export const dueFrom = (item: WorkItem, dueAt: number, now: number): WorkItem => ({ ...item, ...due(dueAt, now) });

/** The new item as one that stands in a lane. */
export const inLane = (item: WorkItem, parked: Parked): WorkItem => ({
  ...item,
  parked,
  lanes: lanesWith(item, parked.lane),
});

/** Whether whoever holds a message of the item may begin an attempt: nobody's lease runs, and it is due. */
export const isClaimable = ({ notBefore }: WorkItem, now: number): boolean => notBefore <= now;

/**
 * The next fencing token: the instant of the claim, and more than the one before whatever the clocks say. A count would
 * begin anew with each new item, and where a restore brings an older row back.
 */
export const nextEpoch = ({ epoch }: { readonly epoch: number }, now: number): number => Math.max(epoch + 1, now);

export interface Claim {
  /** Id of the attempt. */
  readonly claim: string;
  readonly leaseEnd: number;
  readonly now: number;
}

/** The item as held by an attempt that begins now. */
export function claimed(item: WorkItem, { claim, leaseEnd, now }: Claim): WorkItem {
  const { parked: _parked, ...held } = renewed(item, leaseEnd);
  return { ...held, claim, epoch: nextEpoch(item, now), attempts: item.attempts + 1 };
}

/** The item held for longer by the same attempt. */
export const renewed = (item: WorkItem, leaseEnd: number): WorkItem => ({
  ...item,
  notBefore: leaseEnd,
  checkAt: leaseEnd,
});

/** The item held for longer by an attempt that has achieved something: attempts are counted anew. */
export const progressed = (item: WorkItem, leaseEnd: number): WorkItem => ({
  ...renewed(item, leaseEnd),
  attempts: 1,
  failures: {},
});

/** How an item is given back. */
export interface GivenBack {
  /** When the next attempt is due. */
  readonly until: number;
  /** Where it goes on; at the beginning when absent. */
  readonly place?: Place | undefined;
  /**
   * Its slots are left to others. With a lane the item stands in that one when it is due, and asks for a slot: whoever
   * waits for long is not at work.
   */
  readonly leaving?: { readonly askAgainIn?: string } | undefined;
}

export interface Waiting extends GivenBack {
  /** Something was achieved: attempts are counted anew. */
  readonly hasProgress?: boolean | undefined;
}

/** The item given back by an attempt that has to wait for something. The attempt was none. */
export function waiting(item: WorkItem, wait: Waiting, now: number): WorkItem {
  const { failure: _failure, ...rest } = givenBack(item, wait, now);
  return { ...rest, attempts: wait.hasProgress === true ? 0 : item.attempts - 1, failures: {} };
}

export interface Failed extends GivenBack {
  readonly failures: FailureCounts;
  readonly failure: string;
  readonly failureClass: FailureClass;
}

/** The item given back by an attempt that failed; what refuses from outside uses no attempt up. */
export function failed(item: WorkItem, fail: Failed, now: number): WorkItem {
  const { failures, failure, failureClass } = fail;
  const attempts = failureClass === 'fault' ? item.attempts : item.attempts - 1;
  return { ...givenBack(item, fail, now), attempts, failures, failure };
}

/** The item that nobody works at, until its tenant is released: its ticket is in that lane, and refusals are counted anew. */
export const held = (item: WorkItem, ticket: Parked, now: number): WorkItem => ({
  ...givenBack(item, { until: now, place: item.place }, now),
  lanes: lanesWith(item, ticket.lane),
  failures: {},
  parked: ticket,
});

/**
 * The item taken from whoever holds it, for another step that begins when the lease of that attempt is over: the sweep
 * sends its message then.
 */
export function takenOver(item: WorkItem, { place, epoch }: { place?: Place; epoch: number }, now: number): WorkItem {
  const leaseEnd = item.claim === undefined ? now : Math.max(now, item.notBefore);
  const { parked: _parked, ...rest } = waiting(item, { until: leaseEnd, place, leaving: {}, hasProgress: true }, now);
  return { ...rest, epoch, checkAt: leaseEnd > now ? leaseEnd : rest.checkAt };
}

function givenBack(item: WorkItem, back: GivenBack, now: number): WorkItem {
  const { claim: _claim, place: _place, lanes: _lanes, ...held } = item;
  const { until, place, leaving } = back;
  const next = { ...held, ...due(until, now), ...(place === undefined ? {} : { place }) };
  if (leaving?.askAgainIn !== undefined) {
    const lane = leaving.askAgainIn;
    // Nobody sends a message that could be late: the sweep's look asks for the slot.
    return { ...next, checkAt: until, parked: { lane, askedAt: until }, lanes: [lane] };
  }
  const lanes = leaving === undefined ? (item.lanes ?? []) : [];
  return { ...next, ...(lanes.length === 0 ? {} : { lanes }) };
}

const lanesWith = ({ lanes = [] }: Pick<WorkItem, 'lanes'>, lane: string): readonly string[] => [
  ...new Set([...lanes, lane]),
];

/** What is due at once is due by every clock: its message may be taken by a host whose clock is behind. */
const AT_ONCE = 0;

function due(until: number, now: number): Pick<WorkItem, 'notBefore' | 'checkAt'> {
  if (until <= now) return { notBefore: AT_ONCE, checkAt: now + LOST_MESSAGE_MS };
  return { notBefore: until, checkAt: hasMessage(until, now) ? until + LOST_MESSAGE_MS : until };
}

/** Whether an item that becomes due then gets its message now. */
const hasMessage = (notBefore: number, now: number): boolean => notBefore - now <= LONGEST_MESSAGE_DELAY_MS;

/** The item whose message is sent again now. */
export const resent = (item: WorkItem, now: number): WorkItem => ({ ...item, checkAt: now + LOST_MESSAGE_MS });

/** The item whose ticket is left again now. */
export const ticketed = (item: WorkItem, now: number): WorkItem => ({ ...item, checkAt: now + PARKED_LOOK_MS });

/**
 * When the message that is under way was due; undefined when none is: while a lease runs, while the item stands in a lane,
 * or where the sweep is to send the message.
 */
export const messageDueAt = ({ checkAt, notBefore, parked: ticket }: WorkItem): number | undefined =>
  ticket === undefined && checkAt > notBefore ? checkAt - LOST_MESSAGE_MS : undefined;

/** Whether another ask would change nothing: the message of an attempt is under way that will see all that is stored by now. */
export const isAskedAlready = (item: WorkItem, now: number): boolean =>
  item.facts === undefined &&
  item.claim === undefined &&
  isClaimable(item, now) &&
  messageDueAt(item) !== undefined &&
  item.checkAt > now &&
  item.attempts === 0 &&
  Object.keys(item.failures).length === 0;

/** Whether the item has a use for a slot in the lane: it is at work, or has stood there and does not ask later only. */
export const wantsSlot = ({ claim, lanes = [], parked: ticket }: WorkItem, lane: string, now: number): boolean =>
  claim !== undefined || (lanes.includes(lane) && (ticket === undefined || ticket.askedAt <= now));

/** Whether its ticket is in its lane by now. */
export const hasTicket = ({ parked: ticket }: WorkItem, now: number): boolean =>
  ticket !== undefined && ticket.askedAt <= now;

/** The item asked for once more. An attempt that holds it goes on; one that waits is due at once, and tried as if it were new. */
export function asked(item: WorkItem, now: number, facts = item.facts): WorkItem {
  const again = { ...item, asks: item.asks + 1, ...(facts === undefined ? {} : { facts }) };
  if (item.claim !== undefined) return again;
  const ticket = item.parked && {
    parked: { ...item.parked, askedAt: Math.min(item.parked.askedAt, now) },
    // The look that leaves its ticket is never put off: asks that follow each other closely would do so for ever.
    checkAt: Math.min(item.checkAt, now + LOST_MESSAGE_MS),
  };
  return { ...again, ...due(now, now), ...ticket, attempts: 0, failures: {} };
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
export const merged = (own: WorkItem, { asks, facts }: WorkItem): WorkItem => ({
  ...own,
  asks,
  ...(facts === undefined ? {} : { facts }),
});
