/** The forms that the faults of the catalogue have. */

/** A fault of a request: its code and status never change. */
export interface Fault {
  readonly code: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** What the message begins with; undefined for messages without a prefix. */
  readonly prefix?: string;
  /** Whole seconds for `Retry-After`, when a repetition is sensible. */
  readonly retryAfterSeconds?: number;
  /** When it is answered, for docs/errors.md. */
  readonly when: string;
}

/** One fault of the input, as area C shows it in `details`. */
export interface FaultDetail {
  /** Where: property names and indexes, outermost first. */
  readonly loc: readonly (string | number)[];
  /** What is wrong, the limit, what to do. */
  readonly msg: string;
  /** Stable kind of the fault, snake_case. */
  readonly type: string;
}

/** Why an attempt of a job ended badly: a reason of the catalogue and the text for this very job. */
export interface JobFault {
  readonly code: string;
  /** Whether a later attempt of the same job can succeed. */
  readonly retryable: boolean;
  /**
   * Whom the job waits for when this is the reason, in words for the caller; absent when nobody outside refuses. No
   * attempt is used up then.
   */
  readonly dependency?: string;
  /** What it means, for docs/errors.md. */
  readonly cause: string;
  /** What the caller can do about it, for docs/errors.md. */
  readonly remedy: string;
}
