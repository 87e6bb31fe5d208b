import type { FaultDetail } from './fault.js';
import { enrollmentFaults } from './catalogue.js';
import { ServiceError } from './serviceError.js';

/** The 422 of area C: the first fault in words, all of them as details. */
export function invalidInput(details: readonly FaultDetail[], options: ErrorOptions = {}): ServiceError {
  const [first] = details;
  const rest = details.length > 1 ? ` ${details.length - 1} more in details.` : '';
  const text = `${first?.msg ?? 'The request is not valid'}.${rest}`;
  return new ServiceError(enrollmentFaults.invalid, text, { ...options, details });
}
