import { boundaryFaults } from '../../shared/kit/errors/boundaryFaults.js';
import { route } from '../../shared/wiring/declare.js';
import { fetchJob } from '../../shared/jobs/operations/fetchJob.js';
import { fetchedAnswer } from '../../shared/jobs/operations/jobView.js';
import { jobIdOf } from '../../shared/jobs/operations/solution.js';
import { smartBoundarySolution } from '../../shared/boundary/form/smartBoundarySolution.js';
import { fetchedJob, jobPathBody } from '../../shared/jobs/operations/jobSchemas.js';
import { SmartBoundaryFlatEcho } from '../../shared/boundary/form/smartBoundarySchemas.js';
import { fetchedExample, pathExample } from './examples.js';

/** POST /solutions/partnerAgPowered.smartBoundary:fetch — status of one Smart Boundary job of the caller's tenant. */
export const smartBoundaryFetch = route({
  name: 'smartBoundaryFetch',
  method: 'POST',
  path: 'solutions/partnerAgPowered.smartBoundary:fetch',
  caller: 'jwt',
  role: 'Jobs.Read',
  tag: 'Smart Boundary jobs',
  summary: 'Fetch the status of a Smart Boundary job',
  errors: 'jobsFetch',
  body: {
    schema: jobPathBody('smart-boundary', 'SmartBoundaryJobPath'),
    invalid: boundaryFaults.invalidBody,
    example: pathExample,
  },
  success: {
    status: 200,
    description: 'The job as it stands. `Retry-After` says when to look again while it is open.',
    content: {
      'application/json': { schema: fetchedJob(SmartBoundaryFlatEcho, 'SmartBoundaryJob'), example: fetchedExample },
    },
    headers: ['Retry-After'],
  },
  faults: [boundaryFaults.unknownJob],
  handle: async ({ tenant, body }, services) => {
    const key = { tenant, solution: smartBoundarySolution.id, jobId: jobIdOf(body.requestPath) };
    const job = await fetchJob(services, boundaryFaults.unknownJob)(key);
    return fetchedAnswer(job, smartBoundarySolution, services.clock.now().getTime());
  },
});
