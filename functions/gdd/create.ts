import { commonFaults, gddFaults } from '../../shared/errors/catalogue.js';
import { route } from '../../shared/services/declare.js';
import { createJob } from '../../shared/jobs/createJob.js';
import { storedGddParameters, gddSolution } from '../../shared/gdd/gddSolution.js';
import { createdAnswer } from '../../shared/jobs/jobView.js';
import { jobIdOf } from '../../shared/jobs/solution.js';
import { gddDateFaults } from '../../shared/gdd/gddRules.js';
import { GddCreateBody, GddEcho } from '../../shared/gdd/gddSchemas.js';
import { createdJob } from '../../shared/jobs/jobSchemas.js';
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
