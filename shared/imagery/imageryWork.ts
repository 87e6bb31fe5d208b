/** Two kinds of work, one queue each: finding scenes, and making layers of them. */
export const workKinds = ['search', 'render'] as const;
export type WorkKind = (typeof workKinds)[number];

export interface WorkKey {
  readonly customer: string;
  readonly kind: WorkKind;
  /** Begins with the inverse of its newest day, so that work sorts newest first. */
  readonly id: string;
}

/** Work whose message is, or should be, in the queue; all other work of the customer waits behind it. */
export interface ActiveWork extends WorkKey {
  /** Attempts begun since something was last brought about. */
  readonly attempts: number;
  /** Waits for another system that was away, one after the other. */
  readonly waits: number;
  /** An attempt may begin from then on: when it is due, or when the lease of the present attempt ends. */
  readonly notBefore: number;
  /** When the sweeper should look: a message not taken by then is lost. */
  readonly checkAt: number;
  /** Why the last attempt ended, when one did. */
  readonly failure?: string;
}

/** Attempts at work of our own fault. */
const MAX_ATTEMPTS = 5;
/** Waits of 7 to 15 minutes: more than a day. */
const MAX_WAITS = 250;

const LOST_MESSAGE_MS = 2 * 60_000;

/** Sorts days newest first as text. @param date YYYY-MM-DD */
export const newestFirst = (date: string): string => String(99_999_999 - Number(date.replaceAll('-', '')));

/** Work that gets its message now. */
export function activated(key: WorkKey, now: number): ActiveWork {
  return { ...key, attempts: 0, waits: 0, notBefore: now, checkAt: now + LOST_MESSAGE_MS };
}

export type ClaimDecision = 'claim' | 'wait' | 'exhausted';

/** What a message for this work means now. `wait`: another attempt holds it, or it isn't due yet. */
export function claimDecision({ attempts, waits, notBefore }: ActiveWork, now: number): ClaimDecision {
  if (now < notBefore) return 'wait';
  return attempts >= MAX_ATTEMPTS || waits >= MAX_WAITS ? 'exhausted' : 'claim';
}

/** The work held by a new attempt until `leaseEnd`. */
export const claimed = (work: ActiveWork, leaseEnd: number): ActiveWork => ({
  ...work,
  attempts: work.attempts + 1,
  notBefore: leaseEnd,
  checkAt: leaseEnd,
});

/** The same attempt holding on for longer; `hasProgressed`: something was brought about, so attempts count anew. */
export const renewed = (work: ActiveWork, leaseEnd: number, hasProgressed: boolean): ActiveWork => ({
  ...work,
  ...(hasProgressed ? { attempts: 1, waits: 0 } : {}),
  notBefore: leaseEnd,
  checkAt: leaseEnd,
});

/** The work given back after an attempt that failed by a fault of its own, to be taken again at `dueAt`. */
export const released = (work: ActiveWork, dueAt: number, failure: string): ActiveWork => ({
  ...work,
  notBefore: dueAt,
  checkAt: dueAt + LOST_MESSAGE_MS,
  failure,
});

/** The work given back because another system is away: that is no attempt. */
export const waiting = (work: ActiveWork, dueAt: number, failure: string): ActiveWork => ({
  ...released(work, dueAt, failure),
  attempts: Math.max(0, work.attempts - 1),
  waits: work.waits + 1,
});

/** The work whose message is sent again now. */
export const resent = (work: ActiveWork, now: number): ActiveWork => ({ ...work, checkAt: now + LOST_MESSAGE_MS });
