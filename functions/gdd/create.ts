import { commonFaults, gddFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { createJob } from '../../shared/jobs/operations/createJob.js';
import { storedGddParameters, gddSolution } from '../../shared/gdd/form/gddSolution.js';
import { createdAnswer } from '../../shared/jobs/operations/jobView.js';
import { jobIdOf } from '../../shared/jobs/operations/solution.js';
import { gddDateFaults } from '../../shared/gdd/form/gddRules.js';
import { GddCreateBody, GddEcho } from '../../shared/gdd/form/gddSchemas.js';
import { createdJob } from '../../shared/jobs/operations/jobSchemas.js';
import { createExample, createdExample } from './examples.js';

/** POST /solutions/partnerAgPowered.gdd:create — queues one GDD job of the caller's tenant. */
export const gddCreate = route({
  name: 'gddCreate',
  method: 'POST',
  path: 'solutions/partnerAgPowered.gdd:create',
  caller: 'jwt',
  role: 'Jobs.ReadWrite',
  tag: 'GDD jobs',
  summary: 'Create a GDD job',
  errors: 'jobs',
  body: { schema: GddCreateBody, invalid: gddFaults.invalidBody, rules: gddDateFaults, example: createExample },
  success: {
    status: 202,
    description: 'The job is queued.',
    content: { 'application/json': { schema: createdJob(GddEcho, 'CreatedGddJob'), example: createdExample } },
    headers: ['Retry-After'],
  },
  faults: [gddFaults.jobExists, commonFaults.tooManyRequests],
  handle: async ({ tenant, body }, services) => {
    const key = { tenant, solution: gddSolution.id, jobId: jobIdOf(body.requestPath) };
    const job = { key, parameters: storedGddParameters(body), exists: gddFaults.jobExists };
    return createdAnswer(await createJob(services)(job), gddSolution);
  },
});
