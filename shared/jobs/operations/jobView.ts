import type { Answer } from '../../kit/answer/answer.js';
import { isBeyondBelief } from '../../kit/retryDelay.js';
import { failureShown } from '../failureShown.js';
import { isEnded, kindOf, processingSeconds, type Job, type Outage } from '../job.js';
import type { ListedJob } from '../jobPorts.js';
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

/** A job as the list of its tenant shows it. */
export function listedView(job: ListedJob, { id, segment }: Pick<Solution, 'id' | 'segment'>): object {
  const { jobId, status, createdAt, endedAt, crop, partyId, resourceId, insightId } = job;
  return {
    requestPath: `/v1/${segment}/${jobId}`,
    kind: kindOf(id),
    status,
    jobCreatedDateTime: timeText(createdAt),
    ...(endedAt === undefined ? {} : { jobProcessingEndDateTime: timeText(endedAt) }),
    ...(crop === undefined ? {} : { crop }),
    ...(partyId === undefined ? {} : { partyId }),
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(insightId === undefined ? {} : { insightId }),
  };
}

function messageOf(job: Job, { messages }: Solution): string {
  const { status, outage } = job;
  if (outage !== undefined) return `${messages.RUNNING} ${waitText(outage)}`;
  if (status !== 'FAILED') return [messages[status], ...rerunText(job)].join(' ');
  return failureShown(job);
}

/** What the insight of a job lacks, and when the job runs again for it. */
function rerunText({ rerun }: Job): string[] {
  if (rerun?.lacks === undefined) return [];
  const { dueAt } = rerun;
  const next = dueAt === undefined ? 'is being calculated again now' : `is calculated again at ${timeText(dueAt)}`;
  return [`It was made without ${rerun.lacks}; it ${next}, and a better insight takes its place.`];
}

/** What a job waits for, since when and until when. */
function waitText({ dependency, code, since, until, askedSeconds = 0, nextAt }: Outage): string {
  const next = nextAt === undefined ? 'it is being tried now' : `the next try is at ${timeText(nextAt)}`;
  const asked = isBeyondBelief(askedSeconds)
    ? ` A pause of ${askedSeconds} s was asked for; no pause is longer than 15 minutes.`
    : '';
  return `It waits for ${dependency} (${code}) since ${timeText(since)}; ${next}, the last one at ${timeText(until)}.${asked}`;
}

const timeText = (instant: number): string => new Date(instant).toISOString();
