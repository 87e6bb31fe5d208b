import { deterministicId } from '../../kit/ids.js';
import type { Job } from '../job.js';

/** The id of a job's insight: a job that is tried again never makes two, a job id used anew never shows an old one. */
export function insightIdOf(job: Pick<Job, 'tenant' | 'solution' | 'jobId' | 'createdAt'>): string {
  return deterministicId(job.tenant, job.solution, job.jobId, new Date(job.createdAt).toISOString());
}
