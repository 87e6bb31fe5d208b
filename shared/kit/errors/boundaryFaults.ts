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
  dataManagerUnavailable: { code: 'IMG-05004', ...anyJobFaults.dataManagerUnavailable },
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
    cause: 'None of the scene files of the period could be read.',
    remedy: 'Choose another period; if it fails again, tell us the e2eId.',
  },
  tenantNotServed: { code: 'IMG-05014', ...anyJobFaults.tenantNotServed },
  tooManyInsights: { code: 'IMG-05016', ...anyJobFaults.tooManyInsights },
} as const satisfies Record<string, JobFault>;
