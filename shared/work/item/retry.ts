/** When work that failed is tried again and when it is given up: policies as data. */
import { ServiceError } from '../../kit/errors/serviceError.js';
import { politePauseMs, usualPace, type Pace } from '../../kit/retryDelay.js';
import type { FailureClass, FailureCount, FailureCounts, Place } from './workItem.js';

/** Why an attempt failed. */
export interface Failure {
  readonly failureClass: FailureClass;
  /** In words for the log, and for whoever reads why the work was given up. */
  readonly reason: string;
  /** Of the catalogue of errors. */
  readonly code?: string | undefined;
  /** Who refuses, in words: refusals by another one are counted anew, for the former has answered meanwhile. */
  readonly by?: string | undefined;
  /** The pause that was asked for, whole seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** No try begins later; milliseconds since 1970 UTC. */
  readonly until?: number | undefined;
  /** Where the next attempt goes on; at the beginning when absent. */
  readonly place?: Place | undefined;
}

/** Tries of one class of failures, and when they end; without a limit it is never reached. */
export interface RetryPolicy extends Pace {
  /** Of class `fault` attempts, of the others failures in a row. */
  readonly maximumAttempts?: number;
  /** Since the first failure in a row. */
  readonly maximumElapsedMs?: number;
}

export type RetryPolicies = Readonly<Record<Exclude<FailureClass, 'final'>, RetryPolicy>>;

/** Of work at which storage alone can fail. */
export const retryOfStorage: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: 30 },
  outage: usualPace,
  refusal: usualPace,
};

/** What has been tried so far at one piece of work. */
export interface Tried {
  /** Attempts begun. */
  readonly attempts: number;
  readonly failures: FailureCounts;
}

/** What is to be done about an attempt that failed; undefined when the work is given up. */
export function nextTry(
  { attempts, failures }: Tried,
  failure: Failure,
  { retry, now, random }: { readonly retry: RetryPolicies; readonly now: number; readonly random: number },
): { readonly failures: FailureCounts; readonly pauseMs: number } | undefined {
  const { failureClass, retryAfterSeconds, until = Infinity } = failure;
  if (failureClass === 'final') return undefined;
  const counted = countedWith(failures[failureClass], failure, now);
  const policy = retry[failureClass];
  const { maximumAttempts = Infinity, maximumElapsedMs = Infinity } = policy;
  // Attempts that died count, too, and left nothing but their number.
  const tries = failureClass === 'fault' ? attempts : counted.count;
  const end = Math.min(counted.since + maximumElapsedMs, until);
  if (tries >= maximumAttempts || now >= end) return undefined;
  return {
    failures: { [failureClass]: counted },
    // The last try begins when the patience ends.
    pauseMs: Math.min(politePauseMs(policy, tries, random, retryAfterSeconds), end - now),
  };
}

function countedWith(before: FailureCount | undefined, { by }: Failure, now: number): FailureCount {
  const { count, since } = before !== undefined && before.by === by ? before : { count: 0, since: now };
  return { count: count + 1, since, ...(by === undefined ? {} : { by }) };
}

/**
 * Whether no attempt is begun any more: the next claim gives the item up. Twice the attempts, for most may not have died:
 * where storage is away in the moment in which an attempt gives back, only its claim is left to count.
 */
export const isExhausted = ({ attempts }: Pick<Tried, 'attempts'>, { fault }: RetryPolicies): boolean =>
  attempts >= 2 * (fault.maximumAttempts ?? Infinity);

/** The class of an error that a kind has no word of its own for: storage that is away is an outage, all else a fault. */
export function failureOf(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : 'Unknown reason.';
  const isAway = error instanceof ServiceError && error.fault.status === 503;
  if (!isAway) return { failureClass: 'fault', reason };
  return { failureClass: 'outage', reason, retryAfterSeconds: error.retryAfterSeconds };
}
