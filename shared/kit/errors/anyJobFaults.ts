import type { JobFault } from './fault.js';

/** Why a job of any solution can end FAILED (or is tried again); each solution gives these faults codes of its own. */
export const anyJobFaults = {
  unexpected: {
    retryable: true,
    cause: 'An attempt ended with an error of ours.',
    remedy: 'Create the job again under a new id; if it fails again, tell us the e2eId.',
  },
  dataManagerUnavailable: {
    retryable: true,
    dependency: 'the data manager',
    cause: 'The data manager could not be reached or throttled the service for a day.',
    remedy: 'Create the job again later.',
  },
  tooManyInsights: {
    retryable: false,
    cause: 'The field or farm has as many insights of this day (UTC) as a day may bring.',
    remedy: 'Create the job again tomorrow under a new id.',
  },
  tenantNotServed: {
    retryable: true,
    dependency: 'the registration of your tenant',
    cause: 'The tenant is disabled at this service, or its registration could not be used, for a day.',
    remedy: 'Ask the operator of the service, then create the job again under a new id.',
  },
} as const satisfies Record<string, Omit<JobFault, 'code'>>;
