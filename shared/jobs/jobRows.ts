/**
 * Rows of table `jobs`. PartitionKey is one of 16 hash buckets of the key, so a job and its index entries change in
 * one transaction and no tenant has a partition of its own to fill up. RowKeys:
 *
 * - `JOB_<key>`: the job, as JSON; `revision` is unique to each write and tells our own lost answer from another's write
 * - `LIST_<tenant>|<solution>|*|<position>`: the job as the list of its tenant shows it, newest first
 * - `LIST_<tenant>|<solution>|<status>|<position>`: the same by status
 * - `OPEN_<key>`: index of jobs that have not ended, and of those whose insight is to be taken back or made again, with
 *   the time of the next look
 * - `DONE_<day>_<key>`: index of ended jobs by day, for their deletion
 */
import { createHash } from 'node:crypto';
import type { Job, JobKey, JobStatus, SolutionId } from './job.js';
import { BUCKETS, type EndedJob, type ListedJob } from './jobPorts.js';

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
export type JobRow = {
  readonly job: string;
  readonly revision: string;
  /** For people who look at the table. */
  readonly status: string;
  /** On an ended job that runs again: its entry in the index of open jobs can be made from the row after a restore. */
  readonly runsAgain?: true;
  /** Absent on a job whose entries in the lists are still to be written. */
  readonly isListed?: true;
};

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
export type OpenRow = {
  readonly checkAt: string;
};

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
export type ListRow = {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly json: string;
};

/** What the keys of the entries in lists begin with; an export leaves them out, for they are made of the jobs. */
export const LIST_PREFIX = 'LIST_';

export const keyText = ({ tenant, solution, jobId }: JobKey): string => `${tenant}|${solution}|${jobId}`;

export function keyOf(text: string): JobKey {
  const [tenant = '', solution = '', jobId = ''] = text.split('|');
  return { tenant, solution: solution as SolutionId, jobId };
}

export const partition = (bucket: number): string => `b${bucket.toString(16)}`;

export function partitionOf(key: JobKey): string {
  return partition(createHash('sha256').update(keyText(key)).digest().readUInt8(0) % BUCKETS);
}

export const jobKey = (key: JobKey): string => `JOB_${keyText(key)}`;
export const openKey = (key: JobKey): string => `OPEN_${keyText(key)}`;
export const doneKey = (ended: EndedJob): string => `DONE_${ended.endedOn}_${keyText(ended)}`;

export const instantText = (instant: number): string => new Date(instant).toISOString();

export const openRow = (
  key: JobKey,
  next: number,
): OpenRow & { readonly partitionKey: string; readonly rowKey: string } => ({
  partitionKey: partitionOf(key),
  rowKey: openKey(key),
  checkAt: instantText(next),
});

/** What the entries of a list begin with; all of one kind without a status. */
export const listPrefix = (tenant: string, solution: SolutionId, status: JobStatus | undefined): string =>
  `${LIST_PREFIX}${tenant}|${solution}|${status ?? '*'}|`;

/** The year 2286: keys written until then sort newest first. */
const LAST_INSTANT = 9_999_999_999_999;

/** Where a job stands in every list it is in: the later it was created, the smaller. */
const positionOf = ({ createdAt, jobId, solution }: Job): string =>
  `${String(LAST_INSTANT - createdAt).padStart(13, '0')}|${jobId}|${solution}`;

/** The entry in the list of a status, or of all. */
export function listRow(job: Job, status: JobStatus | undefined): ListRow {
  const { tenant, solution, jobId, createdAt, endedAt, insightId } = job;
  const { crop } = job.parameters;
  const listed: Omit<ListedJob, keyof JobKey> = {
    status: job.status,
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(typeof crop === 'string' ? { crop } : {}),
    ...(job.status === 'SUCCEEDED' && insightId !== undefined ? { insightId } : {}),
  };
  return {
    partitionKey: partitionOf({ tenant, solution, jobId }),
    rowKey: `${listPrefix(tenant, solution, status)}${positionOf(job)}`,
    json: JSON.stringify(listed),
  };
}

/** The job that an entry stands for. */
export function listedOf({ rowKey, json }: Pick<ListRow, 'rowKey' | 'json'>): ListedJob {
  const [tenant = '', solution, , , jobId = ''] = rowKey.slice(LIST_PREFIX.length).split('|');
  const key: JobKey = { tenant, solution: solution as SolutionId, jobId };
  return { ...key, ...(JSON.parse(json) as Omit<ListedJob, keyof JobKey>) };
}
