import { workOf, type Job } from '../../shared/jobs/job.js';
import { newItem, type WorkItem } from '../../shared/work/item/workItem.js';

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
  epoch: 0,
  ...changes,
});

/** The work item of a job as its creation leaves it, with these changes. */
export const workOfJob = (job: Job, changes: Partial<WorkItem> = {}): WorkItem => ({
  ...newItem(workOf(job), job.createdAt, job.epoch),
  ...changes,
});
