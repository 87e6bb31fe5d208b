import type { Fault } from './fault.js';
import type { ServiceError } from './serviceError.js';

/** In which form an operation answers errors: that of jobs, that of a fetched job, or that of area C. */
export type ErrorShape = 'jobs' | 'jobsFetch' | 'enrollments';

/** The message of an error: the code's prefix where the catalogue has one, then the text for this input. */
export function messageOf(fault: Fault, text: string): string {
  return fault.prefix === undefined ? text : `${fault.prefix}: ${text}`;
}

/**
 * The body of an error answer.
 *
 * Areas A and B: `{ error: { code, message }, traceId }`; a fetch repeats it as `errors`, as the specification's
 * sample shows. Area C: `{ code, message, trace_id, details }`.
 */
export function errorBody(error: ServiceError, shape: ErrorShape, traceId: string): Record<string, unknown> {
  const { fault, details } = error;
  const code = codeOf(fault, shape);
  const message = messageOf(fault, error.message);
  if (shape === 'enrollments')
    return { code, message, trace_id: traceId, details: details.length === 0 ? null : details };
  const body = { error: { code, message }, traceId };
  return shape === 'jobsFetch' ? { ...body, errors: [{ code, message }] } : body;
}

/** The code of a fault as a shape writes it. Area C has snake_case: `NotFound` becomes `not_found`. */
export function codeOf({ code }: Fault, shape: ErrorShape): string {
  if (shape !== 'enrollments') return code;
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
