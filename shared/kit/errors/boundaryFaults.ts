import { anyJobFaults } from './anyJobFaults.js';
import type { Fault, JobFault } from './fault.js';

/** Faults of the Smart Boundary operations. */
export const boundaryFaults = {
  invalidBody: {
    code: 'IMG-04100',
    status: 400,
    prefix: 'IMG-04100',
    when: 'The body of a Smart Boundary operation breaks a rule; the message names every fault.',
  },
  unknownJob: {
    code: 'IMG-04101',
    status: 404,
    prefix: 'IMG-04101',
    when: 'Your tenant has no Smart Boundary job of this id (fetch and cancel).',
  },
  notCancellable: {
    code: 'MSIMAGE-04102',
    status: 409,
    prefix: 'MSIMAGE-04102',
    when: 'The Smart Boundary job has ended already, so it cannot be cancelled.',
  },
  jobExists: {
    code: 'IMG-04103',
    status: 409,
    prefix: 'IMG-04103',
    when: 'Your tenant has used this Smart Boundary job id before.',
  },
  licenceMissing: {
    code: 'IMG-04104',
    status: 403,
    prefix: 'IMG-04104',
    when: "Your key vault does not give this service your imagery provider's licence; nothing was stored.",
  },
} as const satisfies Record<string, Fault>;

/** Why a Smart Boundary job ends FAILED (or is tried again): the message of the job begins with the code. */
export const boundaryJobFaults = {
  unexpected: { code: 'IMG-05000', ...anyJobFaults.unexpected },
  farmNotFound: {
    code: 'IMG-05001',
    retryable: false,
    cause: 'The data manager has no such party or farm or refuses their ids, or your tenant does not own the party.',
    remedy: 'Check partyId and resourceId and create a new job.',
  },
  licenceRefused: {
    code: 'IMG-05002',
    retryable: false,
    cause: 'The imagery provider or the data manager refuses the licence in your key vault.',
    remedy: 'Renew client id and client secret in your key vault, then create a new job.',
  },
  dataManagerDenied: { code: 'IMG-05003', ...anyJobFaults.dataManagerDenied },
  dataManagerUnavailable: { code: 'IMG-05004', ...anyJobFaults.dataManagerUnavailable },
  licenceGone: {
    code: 'IMG-05005',
    retryable: false,
    cause: 'The licence that was in your key vault at the creation of the job is no longer to be had there.',
    remedy: 'Put client id and client secret back into your key vault, then create a new job.',
  },
  vaultUnavailable: {
    code: 'IMG-05006',
    retryable: true,
    dependency: 'your key vault',
    cause: 'Your key vault could not be reached or throttled the service for a day.',
    remedy: 'Create the job again later.',
  },
  ingestFailed: {
    code: 'IMG-05007',
    retryable: false,
    cause: 'The data manager could not ingest satellite scenes for the search region.',
    remedy: 'Create the job again under a new id; if it fails again, ask the support of the data manager.',
  },
  tooSlow: {
    code: 'IMG-05008',
    retryable: false,
    cause: 'The data manager had not finished the ingest of the scenes 30 minutes after it was the turn of the job.',
    remedy: 'Create the job again later under a new id.',
  },
  noSlot: {
    code: 'IMG-05009',
    retryable: false,
    cause:
      'The data manager took no further ingest of satellite scenes for 30 minutes after it was the turn of the job.',
    remedy: 'Create the job again later under a new id.',
  },
  noScenes: {
    code: 'IMG-05010',
    retryable: false,
    cause: 'No satellite scene covers the point on any day of the period.',
    remedy:
      'Choose another period, of at most 14 days from its first to its last day; a satellite passes every few days.',
  },
  allClouded: {
    code: 'IMG-05011',
    retryable: false,
    cause: 'Clouds, their shadows or missing pixels hide the point on every day of the period.',
    remedy: 'Choose another period, of at most 14 days from its first to its last day.',
  },
  noField: {
    code: 'IMG-05012',
    retryable: false,
    cause: 'No field boundary could be recognised at the point.',
    remedy:
      'Move the point well inside the field, or choose a period when the field looks different from its neighbours.',
  },
  scenesUnreadable: {
    code: 'IMG-05013',
    retryable: false,
    cause: 'None of the scene files that the data manager has for the period could be read.',
    remedy: 'Choose another period; if it fails again, ask the support of the data manager.',
  },
  tenantNotServed: { code: 'IMG-05014', ...anyJobFaults.tenantNotServed },
  foreignTenantRefuses: { code: 'IMG-05015', ...anyJobFaults.foreignTenantRefuses },
  tooManyInsights: { code: 'IMG-05016', ...anyJobFaults.tooManyInsights },
} as const satisfies Record<string, JobFault>;
