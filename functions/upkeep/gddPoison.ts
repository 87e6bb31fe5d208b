import { failPoisonedJob } from '../../shared/jobs/failPoisonedJob.js';
import { JobMessage } from '../../shared/jobs/jobMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue gdd-jobs-poison — ends a job whose attempts are used up, or sends its message again. */
export const upkeepGddPoison = queueFunction({
  name: 'upkeepGddPoison',
  queue: 'gdd-jobs-poison',
  message: JobMessage,
  handle: ({ tenant, jobId }, services) =>
    failPoisonedJob(services)({ tenant, solution: 'partnerAgPowered.gdd', jobId }),
});
