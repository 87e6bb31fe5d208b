import type { Action, Row, Rows } from '../storage/rows.js';
import type { Enrollment, EnrollmentKey } from './enrollment.js';
import type {
  EnrollmentStore,
  ListedEnrollment,
  ListQuery,
  StoredEnrollment,
  StoredSubmission,
  SubmissionWrite,
} from './enrollmentPorts.js';
import {
  enrollmentOf,
  enrollmentRow,
  enrollmentRowKey,
  listPrefix,
  listRowKey,
  submissionOf,
  submissionPrefix,
  submissionRow,
  submissionRowKey,
  type EnrollmentRow,
  type SubmissionRow,
} from './enrollmentRows.js';
import type { KeptSubmission } from './submissionKey.js';

/** Table `enrollments`; `enrollmentRows.ts` says what its rows are. */
export class TableEnrollmentStore implements EnrollmentStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async insert(enrollment: Enrollment, key?: SubmissionWrite): Promise<boolean> {
    const value = enrollmentRow(enrollment);
    const etags = await this.#rows.transact(enrollment.customer, [
      { insert: enrollmentRowKey(enrollment), value },
      { insert: listRowKey(enrollment, undefined), value },
      { insert: listRowKey(enrollment, enrollment.status), value },
      ...(key === undefined ? [] : [submissionAction(key)]),
    ]);
    if (etags === undefined && key === undefined) throw new Error('An enrollment of this new id exists already.');
    return etags !== undefined;
  }

  async find(key: EnrollmentKey): Promise<StoredEnrollment | undefined> {
    const row = await this.#rows.find<EnrollmentRow>(key.customer, enrollmentRowKey(key));
    return row && { enrollment: enrollmentOf(row), etag: row.etag };
  }

  async list(customer: string, { status, after = '', limit }: ListQuery): Promise<readonly ListedEnrollment[]> {
    const prefix = listPrefix(status);
    const rows = await this.#rows.range<EnrollmentRow>(customer, { prefix, above: prefix + after }, { most: limit });
    return rows.map((row) => ({ enrollment: enrollmentOf(row), position: row.rowKey.slice(prefix.length) }));
  }

  async replace({ enrollment, etag }: StoredEnrollment, next: Enrollment): Promise<StoredEnrollment | undefined> {
    const value = enrollmentRow(next);
    const left: Action[] =
      enrollment.status === next.status ? [] : [{ delete: listRowKey(enrollment, enrollment.status) }];
    const etags = await this.#rows.transact(next.customer, [
      { update: enrollmentRowKey(next), value, etag },
      { put: listRowKey(next, undefined), value },
      { put: listRowKey(next, next.status), value },
      ...left,
    ]);
    return etags && { enrollment: next, etag: etags.get(enrollmentRowKey(next)) ?? '' };
  }

  async findSubmission(key: Pick<KeptSubmission, 'customer' | 'keyHash'>): Promise<StoredSubmission | undefined> {
    const row = await this.#rows.find<SubmissionRow>(key.customer, submissionRowKey(key));
    return row && storedSubmissionOf(row);
  }

  async listExpiredSubmissions(customer: string, now: number): Promise<readonly StoredSubmission[]> {
    const where = { column: 'expiresAt', atMost: new Date(now).toISOString() };
    const rows = await this.#rows.range<SubmissionRow>(customer, { prefix: submissionPrefix }, { where });
    return rows.map(storedSubmissionOf);
  }

  async forgetSubmission({ submission, etag }: StoredSubmission): Promise<void> {
    await this.#rows.delete(submission.customer, submissionRowKey(submission), etag);
  }
}

const storedSubmissionOf = (row: Row<SubmissionRow>): StoredSubmission => ({
  submission: submissionOf(row.partitionKey, row.rowKey, row),
  etag: row.etag,
});

/** The row of a key that is new, or whose time is over as it was read. */
function submissionAction({ submission, replaces }: SubmissionWrite): Action {
  const [rowKey, value] = [submissionRowKey(submission), submissionRow(submission)];
  return replaces === undefined ? { insert: rowKey, value } : { update: rowKey, value, etag: replaces.etag };
}
