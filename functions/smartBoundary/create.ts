import { boundaryFaults } from '../../shared/kit/errors/boundaryFaults.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { createJob } from '../../shared/jobs/operations/createJob.js';
import { createdAnswer } from '../../shared/jobs/operations/jobView.js';
import { jobIdOf } from '../../shared/jobs/operations/solution.js';
import { requireLicence } from '../../shared/boundary/form/requireLicence.js';
import {
  smartBoundarySolution,
  storedSmartBoundaryParameters,
} from '../../shared/boundary/form/smartBoundarySolution.js';
import { createdJob } from '../../shared/jobs/operations/jobSchemas.js';
import { smartBoundaryFaults } from '../../shared/boundary/form/smartBoundaryRules.js';
import { SmartBoundaryCreateBody, SmartBoundaryModelEcho } from '../../shared/boundary/form/smartBoundarySchemas.js';
import { createdExample, createExample } from './examples.js';

/** POST /solutions/partnerAgPowered.smartBoundary:create — queues one Smart Boundary job of the caller's tenant. */
export const smartBoundaryCreate = route({
  name: 'smartBoundaryCreate',
  method: 'POST',
  path: 'solutions/partnerAgPowered.smartBoundary:create',
  caller: 'jwt',
  role: 'Jobs.ReadWrite',
  tag: 'Smart Boundary jobs',
  summary: 'Create a Smart Boundary job',
  description:
    "Needs the imagery provider's licence in the key vault of the caller's tenant, unless the operator has registered your tenant for public imagery.",
  errors: 'jobs',
  body: {
    schema: SmartBoundaryCreateBody,
    invalid: boundaryFaults.invalidBody,
    rules: smartBoundaryFaults,
    example: createExample,
  },
  success: {
    status: 202,
    description: 'The job is queued.',
    content: {
      'application/json': {
        schema: createdJob(SmartBoundaryModelEcho, 'CreatedSmartBoundaryJob'),
        example: createdExample,
      },
    },
    headers: ['Retry-After'],
  },
  faults: [boundaryFaults.jobExists, boundaryFaults.licenceMissing, commonFaults.tooManyRequests],
  handle: async ({ tenant, body }, services) => {
    const job = await createJob(services)({
      key: { tenant, solution: smartBoundarySolution.id, jobId: jobIdOf(body.requestPath) },
      parameters: storedSmartBoundaryParameters(body),
      exists: boundaryFaults.jobExists,
      admit: () => requireLicence(services)(tenant),
    });
    return createdAnswer(job, smartBoundarySolution);
  },
});
