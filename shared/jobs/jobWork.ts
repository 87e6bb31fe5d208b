import type { Insight } from '../insights/insight.js';
import type { Job, JsonObject } from './job.js';

/** How one look at a job ended; a failure is thrown as JobFailure. */
export type WorkOutcome =
  /** `lacks`: what the insight had to do without, in words for the caller; the job runs again then. */
  | { readonly kind: 'done'; readonly insight: Insight; readonly lacks?: string }
  /** Of a job that runs again: what could be made now is no better than the insight that is there. */
  | { readonly kind: 'unchanged'; readonly lacks?: string }
  /**
   * The job waits for another system; `dueAt` is the next look (milliseconds since 1970 UTC). A wait is no attempt.
   * `line` is the one in which it has a place meanwhile.
   */
  | {
      readonly kind: 'waiting';
      readonly phase: string;
      readonly state: JsonObject;
      readonly dueAt: number;
      readonly line?: string;
    }
  /** The job waits for a place: its ticket is in the line. */
  | {
      readonly kind: 'parked';
      readonly phase: string;
      readonly state: JsonObject;
      readonly line: string;
      readonly askedAt: number;
    };

/**
 * The work of one kind of job. It must be a pure function of the job and of what it reads outside: it may run twice
 * at the same time, and only the attempt that owns the job publishes.
 *
 * @param insightId the deterministic id of the insight this job makes
 * @param signal aborts when the attempt has lost the job (cancelled, lease over) or must end
 * @param earlier record of the insight that is there, when the job runs again
 * @throws JobFailure with a code of the catalogue
 */
export type JobWork = (job: Job, insightId: string, signal: AbortSignal, earlier?: JsonObject) => Promise<WorkOutcome>;
