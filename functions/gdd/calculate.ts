import { JobMessage } from '../../shared/jobs/jobMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue gdd-jobs — calculates one job.
 *
 * Effect: the insight at the job's deterministic insight id. At most 5 attempts; the lease is JOB_LEASE_SECONDS.
 */
export const gddCalculate = queueFunction({
  name: 'gddCalculate',
  queue: 'gdd-jobs',
  message: JobMessage,
  handle: ({ tenant, jobId }, { runJobs }) =>
    runJobs['partnerAgPowered.gdd']({ tenant, solution: 'partnerAgPowered.gdd', jobId }),
});
