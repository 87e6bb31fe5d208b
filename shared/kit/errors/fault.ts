/** A fault of a request: its code and status never change. */
export interface Fault {
  readonly code: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** What the message begins with; undefined for messages without a prefix. */
  readonly prefix?: string;
  /** Whole seconds for `Retry-After`; absent when a repetition would not help. */
  readonly retryAfterSeconds?: number;
  /** When the service answers with it, for docs/errors.md. */
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

/** Why an attempt of a job, or a field of an enrollment, failed. */
export interface JobFault {
  readonly code: string;
  /** Whether a later attempt of the same job can succeed. */
  readonly retryable: boolean;
  /** What outside the service the job waits for, in words for the caller; waiting for it uses up no attempt. */
  readonly dependency?: string;
  /** What it means, for docs/errors.md. */
  readonly cause: string;
  /** What the caller can do about it, for docs/errors.md. */
  readonly remedy: string;
}
