import { gddFaults } from '../../shared/errors/catalogue.js';
import { route } from '../../shared/services/declare.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { gddSolution } from '../../shared/gdd/gddSolution.js';
import { cancelledAnswer } from '../../shared/jobs/jobView.js';
import { jobIdOf } from '../../shared/jobs/solution.js';
import { GddEcho } from '../../shared/gdd/gddSchemas.js';
import { fetchedJob, jobPathBody } from '../../shared/jobs/jobSchemas.js';
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
