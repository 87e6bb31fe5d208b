import { failPoisonedJob } from '../../shared/jobs/failPoisonedJob.js';
import { JobMessage } from '../../shared/jobs/jobMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue boundary-jobs-poison — ends a job whose attempts are used up, or sends its message again. */
export const upkeepBoundaryPoison = queueFunction({
  name: 'upkeepBoundaryPoison',
  queue: 'boundary-jobs-poison',
  message: JobMessage,
  handle: ({ tenant, jobId }, services) =>
    failPoisonedJob(services)({ tenant, solution: 'partnerAgPowered.smartBoundary', jobId }),
});
