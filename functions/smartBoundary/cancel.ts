import { boundaryFaults } from '../../shared/errors/boundaryFaults.js';
import { route } from '../../shared/services/declare.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { cancelledAnswer } from '../../shared/jobs/jobView.js';
import { jobIdOf } from '../../shared/jobs/solution.js';
import { smartBoundarySolution } from '../../shared/smartBoundary/smartBoundarySolution.js';
import { fetchedJob, jobPathBody } from '../../shared/jobs/jobSchemas.js';
import { SmartBoundaryModelEcho } from '../../shared/smartBoundary/smartBoundarySchemas.js';
import { cancelledExample, pathExample } from './examples.js';

/** POST /solutions/partnerAgPowered.smartBoundary:cancel — cancels one Smart Boundary job that has not ended. */
export const smartBoundaryCancel = route({
  name: 'smartBoundaryCancel',
  method: 'POST',
  path: 'solutions/partnerAgPowered.smartBoundary:cancel',
  caller: 'jwt',
  role: 'Jobs.ReadWrite',
  tag: 'Smart Boundary jobs',
  summary: 'Cancel a Smart Boundary job',
  errors: 'jobs',
  body: {
    schema: jobPathBody('smart-boundary', 'SmartBoundaryJobPath'),
    invalid: boundaryFaults.invalidBody,
    example: pathExample,
  },
  success: {
    status: 200,
    description: 'The job is cancelled and stays so.',
    content: {
      'application/json': {
        schema: fetchedJob(SmartBoundaryModelEcho, 'CancelledSmartBoundaryJob'),
        example: cancelledExample,
      },
    },
  },
  faults: [boundaryFaults.unknownJob, boundaryFaults.notCancellable],
  handle: async ({ tenant, body }, services) => {
    const key = { tenant, solution: smartBoundarySolution.id, jobId: jobIdOf(body.requestPath) };
    const faults = { unknown: boundaryFaults.unknownJob, notCancellable: boundaryFaults.notCancellable };
    const job = await cancelJob(services, faults)(key);
    return cancelledAnswer(job, smartBoundarySolution, services.clock.now().getTime());
  },
});
