import { retryDelayMs } from '../../retryDelay.js';

/** Two kinds of work, one queue each: finding scenes, and making layers of them. */
export const workKinds = ['search', 'render'] as const;
export type WorkKind = (typeof workKinds)[number];

export interface WorkKey {
  readonly customer: string;
  readonly kind: WorkKind;
  /** Begins with the inverse of its newest day, so that work sorts newest first. */
  readonly id: string;
}

/** How far the attempts at a piece of work are whose message is, or should be, in the queue. */
export interface WorkState {
  /** Attempts begun since something was last brought about. */
  readonly attempts: number;
  /** Waits for another system that was away, one after the other. */
  readonly waits: number;
  /** Times in a row that a host refused a file. Work that is refused waits without taking another's place. */
  readonly refusals: number;
  /** An attempt may begin from then on: when it is due, or when the lease of the present attempt ends. */
  readonly notBefore: number;
  /** When the sweeper should look: a message not taken by then is lost. */
  readonly checkAt: number;
  /** Why the last attempt ended, when one did. */
  readonly failure?: string;
}

/** Work whose message is, or should be, in the queue; all other work of the customer waits behind it. */
export interface ActiveWork extends WorkKey, WorkState {}

/** Attempts at work of our own fault. */
const MAX_ATTEMPTS = 5;
/** Waits of 7 to 15 minutes: more than a day. */
const MAX_WAITS = 250;

/** Refusals until they count as a failure, with pauses up to four hours: two to four days. */
const MAX_REFUSALS = 30;
const LONGEST_REFUSAL_MS = 4 * 3_600_000;

const LOST_MESSAGE_MS = 2 * 60_000;

/** Sorts days newest first as text. @param date YYYY-MM-DD */
export const newestFirst = (date: string): string => String(99_999_999 - Number(date.replaceAll('-', '')));

/** Work that gets its message now. */
export function activated<K extends object>(key: K, now: number): K & WorkState {
  return { ...key, attempts: 0, waits: 0, refusals: 0, notBefore: now, checkAt: now + LOST_MESSAGE_MS };
}

export type ClaimDecision = 'claim' | 'wait' | 'exhausted';

/** What a message for this work means now. `wait`: another attempt holds it, or it isn't due yet. */
export function claimDecision({ attempts, waits, refusals, notBefore }: WorkState, now: number): ClaimDecision {
  if (now < notBefore) return 'wait';
  const isExhausted = attempts >= MAX_ATTEMPTS || waits >= MAX_WAITS || refusals >= MAX_REFUSALS;
  return isExhausted ? 'exhausted' : 'claim';
}

/** Pause before work that was refused is tried again. @param refusals those so far, this one counted in */
export const refusalDelayMs = (refusals: number, random: number): number =>
  retryDelayMs(refusals, random, LONGEST_REFUSAL_MS);

/** The work held by a new attempt until `leaseEnd`. */
export const claimed = <T extends WorkState>(work: T, leaseEnd: number): T => ({
  ...work,
  attempts: work.attempts + 1,
  notBefore: leaseEnd,
  checkAt: leaseEnd,
});

/** The same attempt holding on for longer; `hasProgressed`: something was brought about, so attempts count anew. */
export const renewed = <T extends WorkState>(work: T, leaseEnd: number, hasProgressed: boolean): T => ({
  ...work,
  ...(hasProgressed ? { attempts: 1, waits: 0, refusals: 0 } : {}),
  notBefore: leaseEnd,
  checkAt: leaseEnd,
});

/** The work given back after an attempt that failed by a fault of its own, to be taken again at `dueAt`. */
export const released = <T extends WorkState>(work: T, dueAt: number, failure: string): T => ({
  ...work,
  notBefore: dueAt,
  checkAt: dueAt + LOST_MESSAGE_MS,
  failure,
});

/** The work given back because another system is away: that is no attempt. */
export const waiting = <T extends WorkState>(work: T, dueAt: number, failure: string): T => ({
  ...released(work, dueAt, failure),
  attempts: Math.max(0, work.attempts - 1),
  waits: work.waits + 1,
});

/** The work given back because a host refused a file, which may pass: that is no attempt. */
export const refused = <T extends WorkState>(work: T, dueAt: number, failure: string): T => ({
  ...released(work, dueAt, failure),
  attempts: Math.max(0, work.attempts - 1),
  refusals: work.refusals + 1,
});

/** The work whose message is sent again now. */
export const resent = <T extends Pick<WorkState, 'checkAt'>>(work: T, now: number): T => ({
  ...work,
  checkAt: now + LOST_MESSAGE_MS,
});

/** Refused work of one kind that takes no place beside what is active; more is a host that refuses everything. */
const MOST_REFUSED = 20;

/** How many places are free for work of one kind. @param active all that is active of it */
export function freePlaces(active: readonly Pick<ActiveWork, 'refusals'>[], limit: number): number {
  const refusedWork = active.filter(({ refusals }) => refusals > 0).length;
  return limit - (active.length - Math.min(refusedWork, MOST_REFUSED));
}
