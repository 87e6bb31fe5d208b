/**
 * Rows of table `jobs`. PartitionKey is one of 16 hash buckets of the key, so a job and its index entries change in
 * one transaction and no tenant has a partition of its own to fill up. RowKeys:
 *
 * - `JOB_<key>`: the job, as JSON
 * - `LIST_<tenant>|<solution>|*|<position>`: the job as the list of its tenant shows it, newest first
 * - `LIST_<tenant>|<solution>|<status>|<position>`: the same by status
 * - `OPEN_<key>`: index of jobs that have not ended, and of those whose insight is to be taken back or made again, with
 *   the time of the next look
 * - `DONE_<day>_<key>`: index of ended jobs by day, for their deletion
 */
import { createHash } from 'node:crypto';
import { checkAt, endedOn, isEnded, wantsLook, type Job, type JobKey, type JobStatus, type SolutionId } from './job.js';
import { BUCKETS, type EndedJob, type ListedJob, type OpenJob, type RefusedWithdrawal } from './jobPorts.js';

export interface JobRow {
  readonly job: string;
  /** Beside the job itself, so that storage can pick jobs by it. */
  readonly status: string;
}

export interface OpenRow {
  readonly checkAt: string;
  /** Of `RefusedWithdrawal`. */
  readonly refusals?: number;
  readonly refusedSince?: string;
}

export interface ListRow {
  readonly json: string;
}

/** A row that is written whatever is there. */
export interface JobEntry {
  readonly put: string;
  readonly value: object;
}

/** What the keys of the jobs' own rows begin with; every other row of the table can be made of these. */
export const JOB_PREFIX = 'JOB_';
/** What the keys of the entries in lists begin with. */
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

export const jobKey = (key: JobKey): string => `${JOB_PREFIX}${keyText(key)}`;
export const openKey = (key: JobKey): string => `OPEN_${keyText(key)}`;
export const doneKey = (ended: EndedJob): string => `DONE_${ended.endedOn}_${keyText(ended)}`;

export const instantText = (instant: number): string => new Date(instant).toISOString();

export const jobRow = (job: Job): JobRow => ({ job: JSON.stringify(job), status: job.status });

/** The job of a row that was read. */
export const jobOf = ({ job }: JobRow): Job => JSON.parse(job) as Job;

export const openRow = (checkAt: number, refused?: RefusedWithdrawal): OpenRow => ({
  checkAt: instantText(checkAt),
  ...(refused === undefined ? {} : { refusals: refused.count, refusedSince: instantText(refused.since) }),
});

/** The job that an entry of the index of open jobs stands for. */
export function openOf(key: JobKey, { etag, checkAt, refusals, refusedSince }: OpenRow & { etag: string }): OpenJob {
  const open = { ...key, checkAt: Date.parse(checkAt), etag };
  if (refusals === undefined || refusedSince === undefined) return open;
  return { ...open, refused: { count: refusals, since: Date.parse(refusedSince) } };
}

/**
 * Every row that a job has beside its own, as writes of one transaction.
 *
 * @param lookAt when somebody should look at a job that wants a look
 */
export const entriesOf = (job: Job, lookAt: number = checkAt(job)): JobEntry[] => [
  ...listEntries(job),
  ...openEntries(job, lookAt),
  ...(isEnded(job) ? [{ put: doneKey({ ...job, endedOn: endedOn(job) }), value: {} }] : []),
];

/** The entry of a job that wants a look. */
export const openEntries = (job: Job, lookAt: number = checkAt(job)): JobEntry[] =>
  wantsLook(job) ? [{ put: openKey(job), value: openRow(lookAt) }] : [];

/** The entries of a job in the lists of its tenant. */
export const listEntries = (job: Job): JobEntry[] =>
  [undefined, job.status].map((status) => ({ put: listKey(job, status), value: listRow(job) }));

/** What the entries of a list begin with; all of one kind without a status. */
export const listPrefix = (tenant: string, solution: SolutionId, status: JobStatus | undefined): string =>
  `${LIST_PREFIX}${tenant}|${solution}|${status ?? '*'}|`;

/** The year 2286: keys written until then sort newest first. */
const LAST_INSTANT = 9_999_999_999_999;

/** Where a job stands in every list it is in: the later it was created, the smaller. */
const positionOf = ({ createdAt, jobId, solution }: Job): string =>
  `${String(LAST_INSTANT - createdAt).padStart(13, '0')}|${jobId}|${solution}`;

/** Key of the job's entry in the list of a status, or of all. */
export const listKey = (job: Job, status: JobStatus | undefined): string =>
  `${listPrefix(job.tenant, job.solution, status)}${positionOf(job)}`;

/** What every list shows of a job. */
export function listRow(job: Job): ListRow {
  const { createdAt, endedAt, insightId } = job;
  const { crop } = job.parameters;
  const listed: Omit<ListedJob, keyof JobKey> = {
    status: job.status,
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(typeof crop === 'string' ? { crop } : {}),
    ...(job.status === 'SUCCEEDED' && insightId !== undefined ? { insightId } : {}),
  };
  return { json: JSON.stringify(listed) };
}

/** The job that an entry stands for. */
export function listedOf({ rowKey, json }: ListRow & { readonly rowKey: string }): ListedJob {
  const [tenant = '', solution, , , jobId = ''] = rowKey.slice(LIST_PREFIX.length).split('|');
  const key: JobKey = { tenant, solution: solution as SolutionId, jobId };
  return { ...key, ...(JSON.parse(json) as Omit<ListedJob, keyof JobKey>) };
}
