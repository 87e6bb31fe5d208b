/**
 * Rows of jobs in table `work`. PartitionKey is that of the job's work item, so that the job, its entries and its item
 * change in one transaction; RowKeys, where a key is `<tenant>|<kind>|<job id>`:
 *
 * - `JOB|<key>`: the job, as JSON; each claim of its work item writes it, so its ETag proves that nobody has claimed since
 * - `LIST|<tenant>|<kind>|*|<position>`: the job as the list of its tenant shows it, newest first
 * - `LIST|<tenant>|<kind>|<status>|<position>`: the same by status
 * - `DONE|<day>|<key>`: index of ended jobs by day, for their deletion
 */
import { workPartitionOf } from '../work/item/workStore.js';
import {
  endedOn,
  isEnded,
  kindOf,
  solutionOf,
  workOf,
  type Job,
  type JobKey,
  type JobKind,
  type JobStatus,
  type SolutionId,
} from './job.js';
import type { EndedJob, ListedJob, StoredJob } from './jobPorts.js';

export interface JobRow {
  readonly job: string;
  /** Beside the job itself, so that storage can pick jobs by it. */
  readonly status: string;
}

export interface ListRow {
  readonly json: string;
}

/** A row that is written whatever is there. */
export interface JobEntry {
  readonly put: string;
  readonly value: object;
}

/** One write of a transaction. */
export type JobWrite =
  JobEntry | { readonly update: string; readonly value: object; readonly etag: string } | { readonly delete: string };

/** What the keys of the jobs' own rows begin with; every other row of a job can be made of these. */
export const JOB_PREFIX = 'JOB|';
/** What the keys of the entries in lists begin with. */
export const LIST_PREFIX = 'LIST|';

const keyText = ({ tenant, solution, jobId }: JobKey): string => `${tenant}|${kindOf(solution)}|${jobId}`;

export function keyOf(text: string): JobKey {
  const [tenant = '', kind, jobId = ''] = text.split('|');
  return { tenant, solution: solutionOf(kind as JobKind), jobId };
}

/** Where all rows of a job lie. */
export const jobPartitionOf = (key: JobKey): string => workPartitionOf(workOf(key).id);

export const jobKey = (key: JobKey): string => `${JOB_PREFIX}${keyText(key)}`;
export const DONE_PREFIX = 'DONE|';
export const doneKey = (ended: EndedJob): string => `${DONE_PREFIX}${ended.endedOn}|${keyText(ended)}`;

export const jobRow = (job: Job): JobRow => ({ job: JSON.stringify(job), status: job.status });

/** The job of a row that was read. */
export const jobOf = ({ job }: JobRow): Job => JSON.parse(job) as Job;

/** Every row that a job has beside its own and its work item, as writes of one transaction. */
export const entriesOf = (job: Job): JobEntry[] => [
  ...listEntries(job),
  ...(isEnded(job) ? [{ put: doneKey({ ...job, endedOn: endedOn(job) }), value: {} }] : []),
];

/**
 * The writes that make a stored job the next one. Only what changes is written; all is refused when the job is not as it
 * was read.
 */
export function changeOf({ job, etag }: StoredJob, next: Job): JobWrite[] {
  const row: JobWrite = { update: jobKey(next), value: jobRow(next), etag };
  const isListedSo = listRow(job).json === listRow(next).json;
  const entries = isListedSo && isEnded(job) === isEnded(next) ? [] : entriesOf(next);
  const left: JobWrite[] = job.status === next.status ? [] : [{ delete: listKey(job, job.status) }];
  const reopened: JobWrite[] =
    isEnded(job) && !isEnded(next) ? [{ delete: doneKey({ ...job, endedOn: endedOn(job) }) }] : [];
  return [row, ...entries, ...left, ...reopened];
}

/** The entries of a job in the lists of its tenant. */
export const listEntries = (job: Job): JobEntry[] =>
  [undefined, job.status].map((status) => ({ put: listKey(job, status), value: listRow(job) }));

/** What the entries of a list begin with; all of one kind without a status. */
export const listPrefix = (tenant: string, solution: SolutionId, status: JobStatus | undefined): string =>
  `${LIST_PREFIX}${tenant}|${kindOf(solution)}|${status ?? '*'}|`;

/** The year 2286: keys written until then sort newest first. */
const LAST_INSTANT = 9_999_999_999_999;

/** Where a job stands in every list it is in: the later it was created, the smaller. */
const positionOf = ({ createdAt, jobId, solution }: Job): string =>
  `${String(LAST_INSTANT - createdAt).padStart(13, '0')}|${jobId}|${kindOf(solution)}`;

/** Key of the job's entry in the list of a status, or of all. */
export const listKey = (job: Job, status: JobStatus | undefined): string =>
  `${listPrefix(job.tenant, job.solution, status)}${positionOf(job)}`;

/** What every list shows of a job. */
export function listRow(job: Job): ListRow {
  const { createdAt, endedAt, insightId } = job;
  const { crop, partyId, resourceId } = job.parameters;
  const listed: Omit<ListedJob, keyof JobKey> = {
    status: job.status,
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(typeof crop === 'string' ? { crop } : {}),
    ...(typeof partyId === 'string' ? { partyId } : {}),
    ...(typeof resourceId === 'string' ? { resourceId } : {}),
    ...(job.status === 'SUCCEEDED' && insightId !== undefined ? { insightId } : {}),
  };
  return { json: JSON.stringify(listed) };
}

/** The job that an entry stands for. */
export function listedOf({ rowKey, json }: ListRow & { readonly rowKey: string }): ListedJob {
  const [tenant = '', kind, , , jobId = ''] = rowKey.slice(LIST_PREFIX.length).split('|');
  const key: JobKey = { tenant, solution: solutionOf(kind as JobKind), jobId };
  return { ...key, ...(JSON.parse(json) as Omit<ListedJob, keyof JobKey>) };
}
