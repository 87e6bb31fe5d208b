import type { Job } from '../job.js';
import type { JsonObject } from '../../kit/json/json.js';

/** What jobs have to know of the insights that they make. */
export interface MadeInsight {
  readonly insightId: string;
}

/** How one attempt at a job ended; a failure is thrown as JobFailure. */
export type WorkOutcome<Insight extends MadeInsight = MadeInsight> =
  /** `lacks`: what the insight had to do without, in words for the caller; the job runs again then. */
  | { readonly kind: 'done'; readonly insight: Insight; readonly lacks?: string }
  /** Of a job that runs again: what could be made now is no better than the insight that is there. */
  | { readonly kind: 'unchanged'; readonly lacks?: string };

/**
 * The work of one kind of job. It must be a pure function of the job and of what it reads outside: it may run twice
 * at the same time, and only the attempt that owns the job publishes.
 *
 * @param insightId the deterministic id of the insight this job makes
 * @param signal aborts when the attempt has lost the job (cancelled, lease over) or must end
 * @param earlier record of the insight that is there, when the job runs again
 * @throws JobFailure with a code of the catalogue
 */
export type JobWork<Insight extends MadeInsight = MadeInsight> = (
  job: Job,
  insightId: string,
  signal: AbortSignal,
  earlier?: JsonObject,
) => Promise<WorkOutcome<Insight>>;
