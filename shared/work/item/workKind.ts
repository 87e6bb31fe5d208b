import type { Action } from '../../storage/rows.js';
import type { Attempt } from './attempt.js';
import type { Failure, RetryPolicies } from './retry.js';
import type { Waiting, WorkItem } from './workItem.js';

/** How an attempt ended that did not fail. */
export type Outcome = (
  | /** Everything is done: the item goes. */ { readonly kind: 'done' }
  | /** There is something to wait for, or another step comes next. */ ({ readonly kind: 'wait' } & Waiting)
) & {
  /**
   * Rows of the item's partition that are written in the same transaction. One of them is guarded by an ETag that every
   * claim of the item renews: then nobody else can have ended the work.
   */
  readonly beside?: readonly Action[] | undefined;
  /** What is to be said or sent once everything is written; the work counts as done whatever comes of it. */
  readonly after?: (() => void | Promise<void>) | undefined;
};

export const done: Outcome = { kind: 'done' };

/** What an attempt does: one step of its kind. */
export interface Step {
  readonly retry: RetryPolicies;
  /** Whether it waits while operators hold the tenant whose work it is. What ends or takes back something goes on. */
  readonly waitsWhileHeld?: true;
  /** Rows of the item's partition that the claim writes in the same transaction. @param claimed the item as it is then */
  readonly claim?: (claimed: WorkItem) => readonly Action[];
  /**
   * One attempt. It may run twice at the same time, and again after any part of itself: whatever it writes is guarded by
   * an ETag or a fencing token, or the same each time.
   */
  readonly run: (attempt: Attempt) => Promise<Outcome>;
  /** Ends work that has failed for good or has no attempt left, itself under a claim; tried again until it succeeds. */
  readonly giveUp: (attempt: Attempt, reason: string) => Promise<Outcome>;
  /** The class of an error that `run` threw. */
  readonly failureOf: (error: unknown) => Failure;
  /** What is to be done when somebody else has claimed or ended the work before the attempt could. */
  readonly lost?: () => Promise<void>;
  /** Rows that tell of a failure after which the work is tried again, written with the item as it is then. */
  readonly tell?: (attempt: Attempt, next: WorkItem, failure: Failure) => readonly Action[];
}

/** Work of one kind. */
export interface WorkKind {
  readonly kind: string;
  /** For so long nobody else may claim what an attempt has not renewed. */
  readonly leaseMs: number;
  /** How long an attempt may last, below the host's limit of 30 minutes; a quarter of an hour when absent. */
  readonly longestMs?: number;
  /** Where its attempts wait for somebody outside: whoever finds no seat comes again a moment later. */
  readonly seats?: { readonly take: (item: WorkItem) => (() => void) | undefined };
  /** The step that comes next. @param item as it is before the claim: one with a claim was left by an attempt that died */
  readonly begin: (item: WorkItem) => Promise<Step>;
}

/** The kinds that this service knows. */
export type WorkKinds = ReadonlyMap<string, WorkKind>;
