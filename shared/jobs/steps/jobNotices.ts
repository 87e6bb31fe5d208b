import { deterministicId } from '../../kit/ids.js';
import type { Notice, NoticeType } from '../../notices/log/notice.js';
import { ownerOfTenant } from '../../notices/log/noticeOwner.js';
import type { Outbox, Telling } from '../../notices/log/outbox.js';
import { failureCode } from '../failureShown.js';
import { kindOf, type Job, type JobKind, type JobStatus } from '../job.js';
import { jobPartitionOf } from '../jobRows.js';

/** Of a job's paths, by its kind. */
const segments: Readonly<Record<JobKind, string>> = { gdd: 'gdd', smartBoundary: 'smart-boundary' };

const types: Readonly<Partial<Record<JobStatus, NoticeType>>> = {
  SUCCEEDED: 'partner.job.succeeded',
  FAILED: 'partner.job.failed',
  CANCELLED: 'partner.job.cancelled',
};

const instant = (time: number): string => new Date(time).toISOString();
const requestPathOf = ({ solution, jobId }: Job): string => `/v1/${segments[kindOf(solution)]}/${jobId}`;

/** What is told of a job that has ended: once for each end, and a job that an operator opens again may end again. */
export function noticeOfEnd(job: Job): Notice {
  const { tenant, solution, jobId, status, e2eId, createdAt, endedAt, insightId, redrives = [] } = job;
  const type = types[status];
  if (type === undefined) throw new Error(`A job that is ${status} has not ended.`);
  return {
    id: deterministicId('notice', 'job', tenant, solution, jobId, instant(createdAt), status, redrives.length),
    type,
    subject: requestPathOf(job),
    time: instant(job.lastActionAt),
    data: {
      kind: kindOf(solution),
      requestPath: requestPathOf(job),
      status,
      e2eId,
      jobCreatedDateTime: instant(createdAt),
      ...(endedAt === undefined ? {} : { jobProcessingEndDateTime: instant(endedAt) }),
      ...(status === 'SUCCEEDED' && insightId !== undefined ? { insightId } : {}),
      ...(status === 'FAILED' ? { code: failureCode(job) } : {}),
    },
  };
}

/** What is told of an insight that a better one has replaced. */
export interface UpdatedInsight {
  readonly insightId: string;
  readonly run: number;
  /** Whether no further run is to come. */
  readonly isFinal: boolean;
}

/** @param now milliseconds since 1970 UTC */
export function noticeOfInsight(job: Job, { insightId, run, isFinal }: UpdatedInsight, now: number): Notice {
  const { tenant, solution, jobId, createdAt } = job;
  return {
    id: deterministicId('notice', 'insight', tenant, solution, jobId, instant(createdAt), run),
    type: 'partner.insight.updated',
    subject: `/v1/insights/${insightId}`,
    time: instant(now),
    data: { requestPath: requestPathOf(job), insightId, run, isFinal },
  };
}

/** Tells the tenant of a job, in the transaction that changes the job. */
export type TellOfJob = (job: Job, notice: Notice) => Promise<Telling>;

export const tellOfJob =
  (outbox: Outbox): TellOfJob =>
  (job, notice) =>
    outbox(ownerOfTenant(job.tenant), notice, jobPartitionOf(job));
