import type { Fault, FaultDetail, JobFault } from './fault.js';

interface ServiceErrorOptions extends ErrorOptions {
  readonly details?: readonly FaultDetail[];
  /** Whole seconds after which the request may be repeated; the fault's own value when absent. */
  readonly retryAfterSeconds?: number;
  /** Further answer headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error that callers of the API see: a fault of the catalogue and the text for this input. */
export class ServiceError extends Error {
  readonly fault: Fault;
  readonly details: readonly FaultDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** @param text what is wrong with this input, the limit, what to do; without the prefix of the code */
  constructor(fault: Fault, text: string, options: ServiceErrorOptions = {}) {
    super(text, options);
    this.name = 'ServiceError';
    this.fault = fault;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? fault.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

/** Ends one attempt of a job. The job is tried again while attempts are left if the fault is retryable, else FAILED. */
export class JobFailure extends Error {
  readonly fault: JobFault;
  readonly retryAfterSeconds: number | undefined;

  /** @param text what happened and what to do, shown to the caller after the code */
  constructor(fault: JobFault, text: string, options: ErrorOptions & { readonly retryAfterSeconds?: number } = {}) {
    super(text, options);
    this.name = 'JobFailure';
    this.fault = fault;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
