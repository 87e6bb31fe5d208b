import type { Clock } from '../../kit/clock.js';
import type { EnrollmentInputStore } from '../../enrollments/record/enrollmentInputStore.js';
import { isEnded, leavesInsight, workOf, type Job } from '../../jobs/job.js';
import {
  entriesOf,
  JOB_PREFIX,
  jobOf,
  LIST_PREFIX,
  listedOf,
  listKey,
  type JobRow,
  type ListRow,
} from '../../jobs/jobRows.js';
import { JobStore } from '../../jobs/jobStore.js';
import { RERUN, WITHDRAW } from '../../jobs/steps/jobSteps.js';
import { limiter } from '../../kit/limiter.js';
import type { TableName } from '../../storage/names.js';
import type { Action, Row, Rows } from '../../storage/rows.js';
import { jobsLaneOf } from '../../work/lanes/lane.js';
import { newItem, waiting, type WorkItem } from '../../work/item/workItem.js';
import { workActions } from '../../work/item/workStore.js';

/** What mending restored rows needs. */
export interface MendPorts {
  readonly rows: (name: TableName) => Rows;
  readonly inputs: Pick<EnrollmentInputStore, 'listWritten'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Jobs of one transaction, with five writes each at most. */
const JOBS_AT_ONCE = 16;
/** List entries that are checked at the same time. */
const LOOKS_AT_ONCE = 16;

/**
 * After a restore: writes every other row of a job from the job's own row, so that rows of one job which were exported at
 * different moments do not matter. Work of a job is due now: repeating what was done is harmless.
 *
 * @returns how many jobs there are
 */
export async function mendJobs({ rows, clock }: MendPorts): Promise<number> {
  const table = rows('work');
  const now = clock.now().getTime();
  await dropStrays(table);
  let mended = 0;
  for await (const page of table.scan<JobRow>({ prefix: JOB_PREFIX })) {
    for (const jobs of batches(page)) {
      if (!(await enter(table, jobs, now))) for (const row of jobs) await enterOne(table, row, now);
    }
    mended += page.length;
  }
  return mended;
}

/** Deletes list entries that do not match a job: a merge keeps those of a later state, or of a later job of the same id. */
async function dropStrays(table: Rows): Promise<void> {
  const jobs = new JobStore(table);
  const looking = limiter(LOOKS_AT_ONCE);
  const dropIfStray = async (row: Row<ListRow>): Promise<void> => {
    const job = (await jobs.find(listedOf(row)))?.job;
    if (job === undefined || !isEntryOf(job, row.rowKey)) await table.delete(row.partitionKey, row.rowKey, row.etag);
  };
  for await (const page of table.scan<ListRow>({ prefix: LIST_PREFIX })) {
    await Promise.all(page.map((row) => looking(() => dropIfStray(row))));
  }
}

const isEntryOf = (job: Job, rowKey: string): boolean =>
  [undefined, job.status].some((status) => listKey(job, status) === rowKey);

/** Rows of one partition each. */
function* batches(rows: readonly Row<JobRow>[]): Generator<readonly Row<JobRow>[]> {
  let batch: Row<JobRow>[] = [];
  for (const row of rows) {
    const isOther = batch[0] !== undefined && batch[0].partitionKey !== row.partitionKey;
    if (isOther || batch.length === JOBS_AT_ONCE) {
      yield batch;
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}

/** Writes the other rows of the jobs; false when one of the jobs was changed since it was read. */
async function enter(table: Rows, rows: readonly Row<JobRow>[], now: number): Promise<boolean> {
  const actions = rows.flatMap((row): Action[] => {
    const job = jobOf(row);
    const work = wantsWork(job) ? [workActions.put(workAnew(job, now))] : [];
    return [{ patch: row.rowKey, value: {}, etag: row.etag }, ...entriesOf(job), ...work];
  });
  return (await table.transact(rows[0]?.partitionKey ?? '', actions)) !== undefined;
}

/** Whether work of a job may be left. */
const wantsWork = (job: Job): boolean => !isEnded(job) || leavesInsight(job) || job.rerun !== undefined;

/** The work item of such a job without earlier attempts. Jobs wait in their lane, so they do not all begin at once. */
function workAnew(job: Job, now: number): WorkItem {
  const { outage, rerun } = job;
  const item = newItem(workOf(job), now, job.epoch);
  if (leavesInsight(job)) return { ...item, place: { step: WITHDRAW }, checkAt: now };
  const until = Math.max(now, rerun?.dueAt ?? now);
  const place = rerun === undefined ? undefined : { step: RERUN };
  const leaving = { askAgainIn: jobsLaneOf(item) };
  const waits = waiting(item, { until, place, leaving, hasProgress: true }, now);
  // How long a dependency has refused the job is kept.
  const { refusals: count = 0, since = now, dependency: by = '' } = outage ?? {};
  return outage === undefined ? waits : { ...waits, failures: { outage: { count, since, by } } };
}

/** The same for one job that a running service may change meanwhile: repeated until it succeeds. */
async function enterOne(table: Rows, { partitionKey, rowKey }: Row<JobRow>, now: number): Promise<void> {
  for (;;) {
    const row = await table.find<JobRow>(partitionKey, rowKey);
    if (row === undefined || (await enter(table, [row], now))) return;
  }
}
