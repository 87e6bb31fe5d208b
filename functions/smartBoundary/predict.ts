import { JobMessage } from '../../shared/jobs/jobMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue boundary-jobs — moves one job on: place, search field, ingest, a look at the ingest, prediction.
 *
 * Effect: the insight at the job's deterministic insight id. At most 5 attempts; waiting for the data manager is none.
 * The lease is JOB_LEASE_SECONDS.
 */
export const smartBoundaryPredict = queueFunction({
  name: 'smartBoundaryPredict',
  queue: 'boundary-jobs',
  message: JobMessage,
  handle: ({ tenant, jobId }, { runJobs }) =>
    runJobs['partnerAgPowered.smartBoundary']({ tenant, solution: 'partnerAgPowered.smartBoundary', jobId }),
});
