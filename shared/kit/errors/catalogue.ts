/**
 * The codes that the service answers with, but for those of Smart Boundary (`boundaryFaults.ts`). A code is never renamed
 * and never reused; a test compares all codes with docs/errors.md.
 */
import { anyJobFaults } from './anyJobFaults.js';
import type { Fault, JobFault } from './fault.js';

/** Faults of any operation on jobs (areas A and B) and of unknown routes below /solutions/. */
export const commonFaults = {
  badRequest: {
    code: 'BadRequest',
    status: 400,
    when: 'The request itself cannot be read, before any operation looks at it, or a query parameter of a list of jobs breaks a rule.',
  },
  unauthorized: {
    code: 'Unauthorized',
    status: 401,
    when: 'The bearer token or the Api-Key is missing, malformed, expired, revoked or not for this service.',
  },
  forbidden: {
    code: 'Forbidden',
    status: 403,
    when: 'The token is valid but carries no role that allows the operation, that of a person no scope; the message names it.',
  },
  notFound: {
    code: 'NotFound',
    status: 404,
    when: 'No operation has this path, or you have no insight, enrollment, webhook or event of this id.',
  },
  methodNotAllowed: {
    code: 'MethodNotAllowed',
    status: 405,
    when: 'The path exists, but not with this method; `Allow` names the right ones.',
  },
  notAcceptable: {
    code: 'NotAcceptable',
    status: 406,
    when: 'The insight has no representation of the type in `Accept`.',
  },
  requestTimeout: {
    code: 'RequestTimeout',
    status: 408,
    when: 'After ten seconds the body came slower than 32 KB/s, or it took more than two minutes; send it again over a faster line.',
  },
  preconditionFailed: {
    code: 'PreconditionFailed',
    status: 412,
    when: 'The resource is not as `If-Match` or `If-None-Match` says; read it again.',
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
  tenantMisconfigured: {
    code: 'TenantMisconfigured',
    status: 503,
    retryAfterSeconds: 300,
    when: 'The registration of your tenant cannot be used; tell the operator of the service, who alone can mend it.',
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
  unexpected: { code: 'GDD-05000', ...anyJobFaults.unexpected },
  fieldNotFound: {
    code: 'GDD-05001',
    retryable: false,
    cause: 'The data manager has no such party or field or refuses their ids, or your tenant does not own the party.',
    remedy: 'Check partyId and resourceId and create a new job.',
  },
  fieldWithoutGeometry: {
    code: 'GDD-05002',
    retryable: false,
    cause: 'The field has no Polygon or MultiPolygon geometry, so its place is unknown.',
    remedy: 'Store a geometry with the field in the data manager and create a new job.',
  },
  dataManagerUnavailable: { code: 'GDD-05004', ...anyJobFaults.dataManagerUnavailable },
  weatherUnavailable: {
    code: 'GDD-05005',
    retryable: true,
    dependency: 'the weather services',
    cause: 'No weather source gave the days that the job needs for a day.',
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
  weatherRefused: {
    code: 'GDD-05008',
    retryable: true,
    cause: 'Every weather source refuses the request, for example because the period lies before its first day.',
    remedy: 'Choose a later period and create a new job; if it fails again, tell us the e2eId.',
  },
  tenantNotServed: { code: 'GDD-05009', ...anyJobFaults.tenantNotServed },
  tooManyInsights: { code: 'GDD-05011', ...anyJobFaults.tooManyInsights },
} as const satisfies Record<string, JobFault>;

/** Faults of the commands of operators. */
export const operateFaults = {
  invalidCommand: {
    code: 'InvalidCommand',
    status: 400,
    when: 'A command of an operator breaks a rule; the message names every fault.',
  },
  unknownTarget: {
    code: 'TargetNotFound',
    status: 404,
    when: 'There is nothing of the name that the command or the path gives.',
  },
  refused: {
    code: 'CommandRefused',
    status: 409,
    when: 'What the command names is not in a state for it, or the operator API never does it; the message says what to do instead.',
  },
} as const satisfies Record<string, Fault>;

/** Faults of area C beyond the common ones. */
export const enrollmentFaults = {
  invalid: {
    code: 'ValidationError',
    status: 422,
    when: 'The submission, a query parameter or the `Idempotency-Key` breaks a rule; `details` names every fault, the first 100.',
  },
} as const satisfies Record<string, Fault>;

/** Why a field of an enrollment failed, or why an enrollment failed as a whole: `code` of its entry in `errors`. */
export const fieldFaults = {
  ringTooShort: {
    code: 'ring_too_short',
    retryable: false,
    cause: 'A ring has fewer than four different positions with the closing one.',
    remedy: 'Draw the field again and submit it in a new enrollment.',
  },
  ringNotClosed: {
    code: 'ring_not_closed',
    retryable: false,
    cause: 'The last position of a ring is not its first.',
    remedy: 'Repeat the first position at the end of the ring.',
  },
  outOfRange: {
    code: 'position_out_of_range',
    retryable: false,
    cause: 'A longitude is outside −180 to 180 or a latitude outside −90 to 90.',
    remedy: 'Write positions as [longitude, latitude] in degrees, WGS 84.',
  },
  notCovered: {
    code: 'latitude_not_covered',
    retryable: false,
    cause: 'The field reaches beyond 83° of latitude, where there is no imagery.',
    remedy: 'Leave the field out.',
  },
  tooManyPositions: {
    code: 'too_many_positions',
    retryable: false,
    cause: 'The field has more than 100,000 positions.',
    remedy: 'Simplify the boundary; imagery has pixels of 10 m.',
  },
  acrossAntimeridian: {
    code: 'crosses_antimeridian',
    retryable: false,
    cause: 'A ring spans more than 180° of longitude.',
    remedy: 'Split the field at 180° into the parts of a MultiPolygon.',
  },
  selfCrossing: {
    code: 'self_crossing',
    retryable: false,
    cause: 'A boundary crosses or overlaps itself.',
    remedy: 'Repair the boundary at the place that the message names.',
  },
  holeOutside: {
    code: 'hole_outside',
    retryable: false,
    cause: 'A hole lies outside the ring it belongs to, or inside another hole.',
    remedy: 'Make a part of its own of it, or leave it out.',
  },
  overlappingParts: {
    code: 'overlapping_parts',
    retryable: false,
    cause: 'Two parts of the field overlap.',
    remedy: 'Join the parts.',
  },
  tooSmall: {
    code: 'area_too_small',
    retryable: false,
    cause: 'The field is smaller than 0.01 ha, one pixel of the imagery.',
    remedy: 'Leave the field out.',
  },
  tooLarge: {
    code: 'area_too_large',
    retryable: false,
    cause: 'The field is larger than 10,000 ha.',
    remedy: 'Split the field.',
  },
  tooSpreadOut: {
    code: 'too_spread_out',
    retryable: false,
    cause: 'The box around the field is longer than 50 km.',
    remedy: 'Make a field of its own of each distant part.',
  },
  tooComplex: {
    code: 'geometry_too_complex',
    retryable: false,
    cause: 'The boundary runs back and forth so often that it cannot be checked in reasonable time.',
    remedy: 'Simplify the boundary.',
  },
  idConflict: {
    code: 'field_id_conflict',
    retryable: false,
    cause: 'An active enrollment of yours has this field_id with other land.',
    remedy: 'Use another field_id, or submit the geometry of the active enrollment.',
  },
  ingestFailed: {
    code: 'ingest_failed',
    retryable: true,
    cause: 'The enrollment could not be ingested in any of five attempts.',
    remedy: 'Submit the enrollment again; if it fails again, tell us its id.',
  },
  stopped: {
    code: 'enrollment_stopped',
    retryable: false,
    cause: 'An operator stopped the enrollment before its fields were ingested.',
    remedy: 'Ask your contact for the reason.',
  },
} as const satisfies Record<string, JobFault>;
