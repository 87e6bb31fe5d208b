import type { Answer } from '../answer.js';
import { isEnded, processingSeconds, type Job } from './job.js';
import type { Solution } from './solution.js';

/** Seconds a caller may sensibly wait before the next fetch: 2 for a new job, 30 for one that is five minutes old. */
export function retryAfterSeconds(job: Job, now: number): number {
  return Math.min(30, Math.max(2, Math.round((now - job.createdAt) / 10_000)));
}

/** What a create answers (specification 2.1): 202 with the queued job. */
export function createdAnswer(job: Job, solution: Solution): Answer {
  return {
    status: 202,
    json: {
      partnerRequestBody: solution.echo(job.parameters),
      id: job.jobId,
      jobCreatedDateTime: timeText(job.createdAt),
      jobLastActionDateTime: timeText(job.lastActionAt),
      message: messageOf(job, solution),
      status: job.status,
      e2eId: job.e2eId,
    },
    headers: { 'retry-after': String(retryAfterSeconds(job, job.createdAt)) },
  };
}

/** What a fetch answers: 200 with the job as it stands at `now`. */
export function fetchedAnswer(job: Job, solution: Solution, now: number): Answer {
  return {
    status: 200,
    json: { ...viewOf(job, solution, now), partnerRequestBody: solution.fetchEcho(job.parameters) },
    headers: isEnded(job) ? {} : { 'retry-after': String(retryAfterSeconds(job, now)) },
  };
}

/** What a cancel answers: 200 with the cancelled job. */
export function cancelledAnswer(job: Job, solution: Solution, now: number): Answer {
  return { status: 200, json: { ...viewOf(job, solution, now), partnerRequestBody: solution.echo(job.parameters) } };
}

function viewOf(job: Job, solution: Solution, now: number): Record<string, unknown> {
  return {
    id: job.jobId,
    e2eId: job.e2eId,
    status: job.status,
    message: messageOf(job, solution),
    jobCreatedDateTime: timeText(job.createdAt),
    jobLastActionDateTime: timeText(job.lastActionAt),
    ...(job.startedAt === undefined ? {} : { jobProcessingStartDateTime: timeText(job.startedAt) }),
    ...(job.endedAt === undefined ? {} : { jobProcessingEndDateTime: timeText(job.endedAt) }),
    jobProcessingDurationInSeconds: processingSeconds(job, now),
    ...(job.status === 'SUCCEEDED' ? { insightId: job.insightId } : {}),
  };
}

function messageOf({ status, failure }: Job, { messages, jobFaults }: Solution): string {
  if (status !== 'FAILED') return messages[status];
  return failure?.includes(': ') === true ? failure : `${jobFaults.unexpected.code}: ${failure ?? 'The job failed.'}`;
}

const timeText = (instant: number): string => new Date(instant).toISOString();
