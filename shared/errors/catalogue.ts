/**
 * Every code the service can answer with. A code is never renamed and never reused; docs/errors.md lists the same
 * codes, held together by a test.
 */
import type { JobFault } from './serviceError.js';

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

/** Faults of any operation on jobs (areas A and B) and of unknown routes below /solutions/. */
export const commonFaults = {
  badRequest: {
    code: 'BadRequest',
    status: 400,
    when: 'The request itself cannot be read, before any operation looks at it.',
  },
  unauthorized: {
    code: 'Unauthorized',
    status: 401,
    when: 'The bearer token is missing, malformed, expired or not for this service.',
  },
  notFound: {
    code: 'NotFound',
    status: 404,
    when: 'No operation has this path, or no insight of your tenant has this id.',
  },
  methodNotAllowed: {
    code: 'MethodNotAllowed',
    status: 405,
    when: 'The path exists, but not with this method; `Allow` names the right one.',
  },
  notAcceptable: {
    code: 'NotAcceptable',
    status: 406,
    when: 'The insight has no representation of the type in `Accept`.',
  },
  payloadTooLarge: { code: 'PayloadTooLarge', status: 413, when: 'The body is larger than the operation takes.' },
  unsupportedMediaType: {
    code: 'UnsupportedMediaType',
    status: 415,
    when: 'The content type or content encoding is not the one the operation takes.',
  },
  tooManyRequests: {
    code: 'TooManyRequests',
    status: 429,
    retryAfterSeconds: 1,
    when: 'The caller has used up its rate; wait as long as `Retry-After` says.',
  },
  internal: { code: 'InternalError', status: 500, when: 'A bug of ours. Tell us the traceId.' },
  unavailable: {
    code: 'ServiceUnavailable',
    status: 503,
    retryAfterSeconds: 5,
    when: 'Something the service depends on is away; repeat after `Retry-After` seconds.',
  },
} as const satisfies Record<string, Fault>;

/** Faults of the GDD operations. */
export const gddFaults = {
  invalidBody: {
    code: 'GDD-04100',
    status: 400,
    prefix: 'GDD-04100',
    when: 'The body of a GDD operation breaks a rule; the message names every fault.',
  },
  unknownJob: {
    code: 'HWA-04101',
    status: 404,
    prefix: 'HWA-04101',
    when: 'Your tenant has no GDD job of this id (fetch and cancel).',
  },
  notCancellable: {
    code: 'GDD-04102',
    status: 409,
    prefix: 'GDD-04102',
    when: 'The GDD job has ended already, so it cannot be cancelled.',
  },
  jobExists: {
    code: 'Conflict',
    status: 409,
    prefix: 'GDD-04103',
    when: 'Your tenant has used this GDD job id before.',
  },
} as const satisfies Record<string, Fault>;

/** Why a GDD job ends FAILED (or is tried again): the message of the job begins with the code. */
export const gddJobFaults = {
  unexpected: {
    code: 'GDD-05000',
    retryable: true,
    cause: 'An attempt ended with an error of ours.',
    remedy: 'Create the job again under a new id; if it fails again, tell us the e2eId.',
  },
  fieldNotFound: {
    code: 'GDD-05001',
    retryable: false,
    cause: 'The data manager has no such party or field, or your tenant does not own the party.',
    remedy: 'Check partyId and resourceId and create a new job.',
  },
  fieldWithoutGeometry: {
    code: 'GDD-05002',
    retryable: false,
    cause: 'The field has no Polygon or MultiPolygon geometry, so its place is unknown.',
    remedy: 'Store a geometry with the field in the data manager and create a new job.',
  },
  dataManagerDenied: {
    code: 'GDD-05003',
    retryable: false,
    cause: 'The data manager refuses this service.',
    remedy: 'Ask your administrator to grant the service access to the data manager, then create a new job.',
  },
  dataManagerUnavailable: {
    code: 'GDD-05004',
    retryable: true,
    cause: 'The data manager could not be reached or throttled the service in every attempt.',
    remedy: 'Create the job again later.',
  },
  weatherUnavailable: {
    code: 'GDD-05005',
    retryable: true,
    cause: 'No weather source answered in any attempt.',
    remedy: 'Create the job again later.',
  },
  weatherIncomplete: {
    code: 'GDD-05006',
    retryable: true,
    cause: 'More than 10 % of the past days have no usable temperatures at any weather source.',
    remedy: 'Create the job again later, or with a shorter period.',
  },
  weatherOutOfReach: {
    code: 'GDD-05007',
    retryable: false,
    cause: 'The period reaches further than the weather sources and the normals together.',
    remedy: 'Shorten the period and create a new job.',
  },
} as const satisfies Record<string, JobFault>;
