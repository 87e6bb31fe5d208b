import { createExample, fetchedExample } from '../gdd/examples.js';
import { pathExample } from '../smartBoundary/examples.js';

/** A page for the OpenAPI document: a job that has ended before one that is at work. */
export const jobPageExample = {
  items: [
    {
      requestPath: pathExample.requestPath,
      kind: 'smartBoundary',
      status: 'RUNNING',
      jobCreatedDateTime: '2026-10-02T08:20:11.004Z',
    },
    {
      requestPath: createExample.requestPath,
      kind: 'gdd',
      status: fetchedExample.status,
      jobCreatedDateTime: fetchedExample.jobCreatedDateTime,
      jobProcessingEndDateTime: fetchedExample.jobProcessingEndDateTime,
      crop: createExample.partnerRequestBody.crop,
      partyId: createExample.partnerRequestBody.partyId,
      resourceId: createExample.partnerRequestBody.resourceId,
      insightId: fetchedExample.insightId,
    },
  ],
  cursor: null,
};
