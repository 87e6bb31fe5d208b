import type { Job } from '../../shared/jobs/job.js';

/** When the jobs of the tests are created: ManualClock's beginning. */
export const START = Date.parse('2026-06-15T12:00:00Z');

/** A job as it was created, with these changes. */
export const aJob = (changes: Partial<Job> = {}): Job => ({
  tenant: 'tenant-a',
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn',
  e2eId: '7c0f7a50-14a6-4a6c-8a5c-a5a4f4b0d6a1',
  status: 'WAITING',
  parameters: {},
  createdAt: START,
  lastActionAt: START,
  attempt: 0,
  epoch: 0,
  ...changes,
});
