import { gddFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { cancelJob } from '../../shared/jobs/operations/cancelJob.js';
import { gddSolution } from '../../shared/gdd/form/gddSolution.js';
import { cancelledAnswer } from '../../shared/jobs/operations/jobView.js';
import { jobIdOf } from '../../shared/jobs/operations/solution.js';
import { GddEcho } from '../../shared/gdd/form/gddSchemas.js';
import { fetchedJob, jobPathBody } from '../../shared/jobs/operations/jobSchemas.js';
import { cancelledExample, pathExample } from './examples.js';

/** POST /solutions/partnerAgPowered.gdd:cancel — cancels one GDD job of the caller's tenant that has not ended. */
export const gddCancel = route({
  name: 'gddCancel',
  method: 'POST',
  path: 'solutions/partnerAgPowered.gdd:cancel',
  caller: 'jwt',
  role: 'Jobs.ReadWrite',
  tag: 'GDD jobs',
  summary: 'Cancel a GDD job',
  errors: 'jobs',
  body: { schema: jobPathBody('gdd', 'GddJobPath'), invalid: gddFaults.invalidBody, example: pathExample },
  success: {
    status: 200,
    description: 'The job is cancelled and stays so.',
    content: { 'application/json': { schema: fetchedJob(GddEcho, 'GddJob'), example: cancelledExample } },
  },
  faults: [gddFaults.unknownJob, gddFaults.notCancellable],
  handle: async ({ tenant, body }, services) => {
    const key = { tenant, solution: gddSolution.id, jobId: jobIdOf(body.requestPath) };
    const faults = { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable };
    const job = await cancelJob(services, faults)(key);
    return cancelledAnswer(job, gddSolution, services.clock.now().getTime());
  },
});
