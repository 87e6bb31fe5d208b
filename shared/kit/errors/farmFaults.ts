import type { Fault } from './fault.js';

/** Faults of the operations on parties, farms and fields, by the codes of the wire that their clients speak. */
export const farmFaults = {
  invalidRequest: {
    code: 'InvalidRequest',
    status: 400,
    when: 'A parameter, a header or the body of an operation on farm data breaks a rule; the message names the rule.',
  },
  unsupportedApiVersion: {
    code: 'UnsupportedApiVersion',
    status: 400,
    when: 'The query has no `api-version`, more than one, or one that is not served; the message names those that are.',
  },
  quotaExceeded: {
    code: 'QuotaExceeded',
    status: 403,
    when: 'Your tenant has as many parties, farms or fields as it may have; existing ones can still be changed.',
  },
  resourceNotFound: {
    code: 'ResourceNotFound',
    status: 404,
    when: 'Your tenant has no party, farm, field, insight, attachment, import or cascade delete of this id, or no operation on farm data has this path.',
  },
  conflict: {
    code: 'Conflict',
    status: 409,
    when: 'The resource is being deleted, others depend on it, the id of a cascade delete is taken, or an `Idempotency-Key` was used for another import.',
  },
} as const satisfies Record<string, Fault>;
