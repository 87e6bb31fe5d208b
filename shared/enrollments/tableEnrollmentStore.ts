import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import type { NewId } from '../ids.js';
import { unlessStatus } from '../storage/storageErrors.js';
import { firstRows, listRows } from '../storage/tableRows.js';
import type { Enrollment, EnrollmentKey } from './enrollment.js';
import type {
  EnrollmentStore,
  ListedEnrollment,
  ListQuery,
  StoredEnrollment,
  StoredSubmission,
  StoredWork,
  SubmissionWrite,
} from './enrollmentPorts.js';
import {
  behind,
  enrollmentOf,
  enrollmentRow,
  enrollmentRowKey,
  listPrefix,
  listRow,
  schedulePrefix,
  scheduleRow,
  submissionOf,
  submissionPrefix,
  submissionRow,
  submissionRowKey,
  workOf,
  workPrefix,
  workRow,
  workRowKey,
  type SubmissionRow,
  type WorkRow,
} from './enrollmentRows.js';
import type { IngestWork } from './ingestWork.js';
import type { ScheduledEnrollment } from './schedule.js';
import type { KeptSubmission } from './submissionKey.js';

type Row = Readonly<Record<string, unknown>>;

/** Table `enrollments`; `enrollmentRows.ts` says what its rows are. */
export class TableEnrollmentStore implements EnrollmentStore {
  readonly #table: TableClient;
  readonly #newId: NewId;

  constructor(table: TableClient, newId: NewId) {
    this.#table = table;
    this.#newId = newId;
  }

  async insert(enrollment: Enrollment, work: IngestWork, key?: SubmissionWrite): Promise<boolean> {
    const revision = this.#newId();
    const stored = await this.#submit(enrollment, revision, [
      ['create', enrollmentRow(enrollment, revision)],
      ['create', listRow(enrollment, undefined)],
      ['create', listRow(enrollment, enrollment.status)],
      ['create', workRow(work, revision)],
      ...(key === undefined ? [] : [submissionAction(key)]),
    ]);
    if (stored === undefined && key === undefined) throw new Error('An enrollment of this new id exists already.');
    return stored !== undefined;
  }

  async find(key: EnrollmentKey): Promise<StoredEnrollment | undefined> {
    return (await this.#read(key))?.stored;
  }

  async list(customer: string, { status, after = '', limit }: ListQuery): Promise<readonly ListedEnrollment[]> {
    const prefix = listPrefix(status);
    const filter = odata`PartitionKey eq ${customer} and RowKey gt ${prefix + after} and RowKey lt ${behind(prefix)}`;
    const rows = await firstRows<Row>(this.#table, filter, limit);
    return rows.map((row) => ({ enrollment: enrollmentOf(row), position: row.rowKey.slice(prefix.length) }));
  }

  async replace(stored: StoredEnrollment, next: Enrollment): Promise<StoredEnrollment | undefined> {
    const revision = this.#newId();
    return this.#submit(next, revision, changes(stored, next, revision));
  }

  async endIngest(
    stored: StoredEnrollment,
    next: Enrollment,
    schedule: ScheduledEnrollment | undefined,
  ): Promise<boolean> {
    const revision = this.#newId();
    const actions: TransactionAction[] = [
      ...changes(stored, next, revision),
      ['delete', { partitionKey: next.customer, rowKey: workRowKey(next) }],
    ];
    if (schedule !== undefined) actions.push(['create', scheduleRow(schedule, revision)]);
    return (await this.#submit(next, revision, actions)) !== undefined;
  }

  async stop(stored: StoredEnrollment, next: Enrollment): Promise<boolean> {
    const revision = this.#newId();
    const { customer: partitionKey } = next;
    const work = (await this.findWork(next)) === undefined ? [] : [workRowKey(next)];
    const rowKeys = [...work, ...(await this.#scheduleKeys(next))];
    const deletions = rowKeys.map((rowKey): TransactionAction => ['delete', { partitionKey, rowKey }]);
    return (await this.#submit(next, revision, [...changes(stored, next, revision), ...deletions])) !== undefined;
  }

  async findWork(key: EnrollmentKey): Promise<StoredWork | undefined> {
    return (await this.#readWork(key))?.stored;
  }

  async replaceWork(stored: StoredWork, next: IngestWork): Promise<StoredWork | undefined> {
    const row = workRow(next, this.#newId());
    const answer = await unlessStatus([404, 412], () =>
      this.#table.updateEntity(row, 'Replace', { etag: stored.etag }),
    );
    if (answer !== undefined) return { work: next, etag: answer.etag ?? '' };
    const current = await this.#readWork(next);
    return current?.revision === row.revision ? current.stored : undefined;
  }

  async listWork(customer: string): Promise<readonly StoredWork[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${workPrefix} and RowKey lt ${behind(workPrefix)}`;
    const rows = await listRows<WorkRow>(this.#table, filter);
    return rows.map((row) => ({ work: workOf(customer, row.rowKey, row), etag: row.etag }));
  }

  async findSubmission(key: Pick<KeptSubmission, 'customer' | 'keyHash'>): Promise<StoredSubmission | undefined> {
    const rowKey = submissionRowKey(key);
    const row = await unlessStatus([404], () => this.#table.getEntity<SubmissionRow>(key.customer, rowKey));
    return row === undefined ? undefined : { submission: submissionOf(key.customer, rowKey, row), etag: row.etag };
  }

  async listExpiredSubmissions(customer: string, now: number): Promise<readonly StoredSubmission[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${submissionPrefix} and RowKey lt ${behind(submissionPrefix)} and expiresAt le ${new Date(now).toISOString()}`;
    const rows = await listRows<SubmissionRow>(this.#table, filter);
    return rows.map((row) => ({ submission: submissionOf(customer, row.rowKey, row), etag: row.etag }));
  }

  async forgetSubmission({ submission, etag }: StoredSubmission): Promise<void> {
    const rowKey = submissionRowKey(submission);
    await unlessStatus([404, 412], () => this.#table.deleteEntity(submission.customer, rowKey, { etag }));
  }

  async #scheduleKeys({ customer, enrollmentId }: EnrollmentKey): Promise<string[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${schedulePrefix} and RowKey lt ${behind(schedulePrefix)}`;
    const rowKeys = (await listRows<Row>(this.#table, filter)).map(({ rowKey }) => rowKey);
    return rowKeys.filter((rowKey) => rowKey.endsWith(`_${enrollmentId}`));
  }

  /** A transaction on an enrollment; undefined when somebody else's write stands in the way. */
  async #submit(
    next: Enrollment,
    revision: string,
    actions: TransactionAction[],
  ): Promise<StoredEnrollment | undefined> {
    const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
    if (answer !== undefined) {
      return { enrollment: next, etag: answer.getResponseForEntity(enrollmentRowKey(next))?.etag ?? '' };
    }
    // The client repeats a request whose answer was lost, and that repetition is refused: the revision tells.
    const current = await this.#read(next);
    return current?.revision === revision ? current.stored : undefined;
  }

  async #read(
    key: EnrollmentKey,
  ): Promise<{ readonly stored: StoredEnrollment; readonly revision: unknown } | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<Row>(key.customer, enrollmentRowKey(key)));
    if (row === undefined) return undefined;
    return { stored: { enrollment: enrollmentOf(row), etag: row.etag }, revision: row['revision'] };
  }

  async #readWork(key: EnrollmentKey): Promise<{ readonly stored: StoredWork; readonly revision: string } | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<WorkRow>(key.customer, workRowKey(key)));
    if (row === undefined) return undefined;
    return {
      stored: { work: workOf(key.customer, workRowKey(key), row), etag: row.etag },
      revision: row.revision,
    };
  }
}

/** The row of a key that is new, or whose time is over as it was read. */
function submissionAction({ submission, replaces }: SubmissionWrite): TransactionAction {
  const row = submissionRow(submission);
  return replaces === undefined ? ['create', row] : ['update', row, 'Replace', { etag: replaces.etag }];
}

/** The enrollment's row by its ETag, and its list entries. */
function changes({ enrollment, etag }: StoredEnrollment, next: Enrollment, revision: string): TransactionAction[] {
  const { partitionKey, rowKey } = listRow(enrollment, enrollment.status);
  const entry = listRow(next, next.status);
  const moved: TransactionAction[] =
    enrollment.status === next.status
      ? [['upsert', entry, 'Replace']]
      : [
          ['delete', { partitionKey, rowKey }],
          ['create', entry],
        ];
  return [
    ['update', enrollmentRow(next, revision), 'Replace', { etag }],
    ['upsert', listRow(next, undefined), 'Replace'],
    ...moved,
  ];
}
