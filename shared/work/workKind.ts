import type { Attempt } from './attempt.js';
import type { Failure, RetryPolicies } from './retry.js';

/** How an attempt ended that did not fail. */
export type Outcome =
  /** Everything is done: the item goes. */
  | { readonly kind: 'done' }
  /** There is something to wait for, until then (milliseconds since 1970 UTC). The attempt was none. */
  | { readonly kind: 'wait'; readonly until: number };

export const done: Outcome = { kind: 'done' };

/** Work of one kind: what an attempt does, and what becomes of failures. */
export interface WorkKind {
  readonly kind: string;
  /** For so long nobody else may claim what an attempt has not renewed. */
  readonly leaseMs: number;
  readonly retry: RetryPolicies;
  /**
   * One attempt. It may run twice at the same time, and again after any part of itself: whatever it writes is guarded by
   * an ETag or the same each time.
   */
  readonly run: (attempt: Attempt) => Promise<Outcome>;
  /** Ends work that has failed for good or has no attempt left, itself under a claim; tried again until it succeeds. */
  readonly giveUp: (attempt: Attempt, reason: string) => Promise<Outcome>;
  /** The class of an error that `run` threw. */
  readonly failureOf: (error: unknown) => Failure;
}

/** The kinds that this service knows. */
export type WorkKinds = ReadonlyMap<string, WorkKind>;
