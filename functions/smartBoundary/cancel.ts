import { boundaryFaults } from '../../shared/kit/errors/boundaryFaults.js';
import { route } from '../../shared/wiring/declare.js';
import { cancelJob } from '../../shared/jobs/operations/cancelJob.js';
import { cancelledAnswer } from '../../shared/jobs/operations/jobView.js';
import { jobIdOf } from '../../shared/jobs/operations/solution.js';
import { smartBoundarySolution } from '../../shared/boundary/form/smartBoundarySolution.js';
import { fetchedJob, jobPathBody } from '../../shared/jobs/operations/jobSchemas.js';
import { SmartBoundaryModelEcho } from '../../shared/boundary/form/smartBoundarySchemas.js';
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
