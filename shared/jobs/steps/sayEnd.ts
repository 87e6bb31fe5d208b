import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Job } from '../job.js';

const events = { SUCCEEDED: 'Job:Succeeded', FAILED: 'Job:Failed', CANCELLED: 'Job:Cancelled' } as const;

/** Says once how a job has ended. */
export function sayEnd(log: Log, job: Job, { attempt, now }: { readonly attempt: number; readonly now: number }): void {
  const { tenant, solution, jobId, createdAt, status, failure } = job;
  if (status !== 'SUCCEEDED' && status !== 'FAILED' && status !== 'CANCELLED') return;
  const facts = { tenant, solution, jobId, attempt, seconds: (now - createdAt) / 1000 };
  log(events[status], { ...facts, outcome: status, ...(failure === undefined ? {} : { failure }) });
}
