import type { OpenMark } from '../openMarks/openMark.js';
import type { EnrollmentKey } from './enrollment.js';

/** Ingest that is still to be done: the row that makes an accepted enrollment sure to be ingested. */
export interface IngestWork extends EnrollmentKey {
  /** Attempts begun so far. */
  readonly attempts: number;
  /** An attempt may begin from then on: when it is due, or when the lease of the present attempt ends. */
  readonly notBefore: number;
  /** When the sweeper should look: a message not taken by then is lost. */
  readonly checkAt: number;
  /** Why the last attempt ended, when one did. */
  readonly failure?: string;
}

/** An attempt begins at most so often. */
export const MAX_INGEST_ATTEMPTS = 5;

/** A message that was not taken after this time is taken for lost. */
const LOST_MESSAGE_MS = 2 * 60_000;

/** Work of an enrollment just accepted. */
export function newWork({ customer, enrollmentId }: EnrollmentKey, now: number): IngestWork {
  return { customer, enrollmentId, attempts: 0, notBefore: now, checkAt: now + LOST_MESSAGE_MS };
}

/** The mark of a submission that begins: it stands until its fields are ingested, or nothing became of it. */
export function ingestMark({ customer, enrollmentId }: EnrollmentKey, now: number): OpenMark {
  return { kind: 'ingest', customer, enrollmentId, checkAt: now, raisedAt: now };
}

export type ClaimDecision = 'claim' | 'wait' | 'exhausted';

/** What a message for this work means now. `wait`: another attempt holds it, or it isn't due yet. */
export function claimDecision({ attempts, notBefore }: IngestWork, now: number): ClaimDecision {
  if (now < notBefore) return 'wait';
  return attempts >= MAX_INGEST_ATTEMPTS ? 'exhausted' : 'claim';
}

/** The work held by a new attempt until `leaseEnd`. */
export function claimed(work: IngestWork, leaseEnd: number): IngestWork {
  return { ...work, attempts: work.attempts + 1, notBefore: leaseEnd, checkAt: leaseEnd };
}

/** The same attempt holding on for longer. */
export function renewed(work: IngestWork, leaseEnd: number): IngestWork {
  return { ...work, notBefore: leaseEnd, checkAt: leaseEnd };
}

/** The work given back after an attempt that failed, to be taken again at `dueAt`. */
export function released(work: IngestWork, dueAt: number, failure: string): IngestWork {
  return { ...work, notBefore: dueAt, checkAt: dueAt + LOST_MESSAGE_MS, failure };
}

/** The work whose message is sent again now. */
export function resent<T extends Pick<IngestWork, 'checkAt'>>(work: T, now: number): T {
  return { ...work, checkAt: now + LOST_MESSAGE_MS };
}
