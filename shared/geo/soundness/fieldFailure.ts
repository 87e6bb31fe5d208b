import type { JobFault } from '../../kit/errors/fault.js';

/** One field can't be monitored; the others can. */
export class FieldFailure extends Error {
  readonly fault: JobFault;

  /** @param text what is wrong with this field and what to do, shown to the customer */
  constructor(fault: JobFault, text: string) {
    super(text);
    this.name = 'FieldFailure';
    this.fault = fault;
  }
}
