import type { Fault, FaultDetail, JobFault } from './fault.js';

export interface ServiceErrorOptions extends ErrorOptions {
  readonly details?: readonly FaultDetail[];
  /** Whole seconds after which a repetition is sensible; the fault's own value when absent. */
  readonly retryAfterSeconds?: number;
  /** Further answer headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error a caller of the API gets to see: a fault of the catalogue and the text for this very input. */
export class ServiceError extends Error {
  readonly fault: Fault;
  readonly details: readonly FaultDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** @param text what is wrong with this input, the limit, what to do; the code's prefix is added by the wire shape */
  constructor(fault: Fault, text: string, options: ServiceErrorOptions = {}) {
    super(text, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.fault = fault;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? fault.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

/** Ends one attempt of a job: FAILED at once, or tried again while attempts are left when the fault is retryable. */
export class JobFailure extends Error {
  readonly fault: JobFault;
  readonly retryAfterSeconds: number | undefined;

  /** @param text what happened and what to do, shown to the caller after the code */
  constructor(fault: JobFault, text: string, options: ErrorOptions & { readonly retryAfterSeconds?: number } = {}) {
    super(text, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'JobFailure';
    this.fault = fault;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
