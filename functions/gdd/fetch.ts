import { gddFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { fetchJob } from '../../shared/jobs/operations/fetchJob.js';
import { gddSolution } from '../../shared/gdd/form/gddSolution.js';
import { fetchedAnswer } from '../../shared/jobs/operations/jobView.js';
import { jobIdOf } from '../../shared/jobs/operations/solution.js';
import { GddEcho } from '../../shared/gdd/form/gddSchemas.js';
import { fetchedJob, jobPathBody } from '../../shared/jobs/operations/jobSchemas.js';
import { fetchedExample, pathExample } from './examples.js';

/** POST /solutions/partnerAgPowered.gdd:fetch — status of one GDD job of the caller's tenant. */
export const gddFetch = route({
  name: 'gddFetch',
  method: 'POST',
  path: 'solutions/partnerAgPowered.gdd:fetch',
  caller: 'jwt',
  role: 'Jobs.Read',
  tag: 'GDD jobs',
  summary: 'Fetch the status of a GDD job',
  errors: 'jobsFetch',
  body: { schema: jobPathBody('gdd', 'GddJobPath'), invalid: gddFaults.invalidBody, example: pathExample },
  success: {
    status: 200,
    description: 'The job as it stands. `Retry-After` says when to look again while it is open.',
    content: { 'application/json': { schema: fetchedJob(GddEcho, 'GddJob'), example: fetchedExample } },
    headers: ['Retry-After'],
  },
  faults: [gddFaults.unknownJob],
  handle: async ({ tenant, body }, services) => {
    const key = { tenant, solution: gddSolution.id, jobId: jobIdOf(body.requestPath) };
    const job = await fetchJob(services, gddFaults.unknownJob)(key);
    return fetchedAnswer(job, gddSolution, services.clock.now().getTime());
  },
});
