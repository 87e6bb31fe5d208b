import type { Action, Row, Rows } from '../../storage/rows.js';
import type { Enrollment, EnrollmentKey, EnrollmentStatus } from './enrollment.js';
import {
  enrollmentOf,
  enrollmentRow,
  enrollmentRowKey,
  enrollmentListPrefix,
  listRowKey,
  keptSubmissionOf,
  submissionPrefix,
  submissionRow,
  submissionRowKey,
  type EnrollmentRow,
  type SubmissionRow,
} from './enrollmentRows.js';
import type { KeptSubmission } from './submissionKey.js';

/** An enrollment with the ETag of its row: a write with it succeeds only if nobody has written since. */
export interface StoredEnrollment {
  readonly enrollment: Enrollment;
  readonly etag: string;
}

/** An accepted submission with the ETag of its row. */
export interface StoredSubmission {
  readonly submission: KeptSubmission;
  readonly etag: string;
}

/** The key of a submission that is stored with its enrollment, and the expired row that it replaces. */
export interface SubmissionWrite {
  readonly submission: KeptSubmission;
  readonly replaces: StoredSubmission | undefined;
}

/**
 * Table `enrollments`; `enrollmentRows.ts` describes its rows. All rows of a customer share a partition, so that an
 * enrollment and its list entries change together. A write whose answer was lost is recognised when it is repeated.
 */
export class EnrollmentStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /**
   * Writes the enrollment, its list entries and the key of its submission in one transaction.
   *
   * @returns false when another submission has taken the key; then nothing was written
   */
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

  /** Undefined when this customer has no such enrollment. */
  async find(key: EnrollmentKey): Promise<StoredEnrollment | undefined> {
    const row = await this.#rows.find<EnrollmentRow>(key.customer, enrollmentRowKey(key));
    return row && { enrollment: enrollmentOf(row), etag: row.etag };
  }

  /**
   * At most `limit` enrollments, newest first.
   *
   * @param query `after` is the position of the last enrollment of the page before
   */
  async list(
    customer: string,
    query: { readonly status?: EnrollmentStatus; readonly after?: string; readonly limit: number },
  ): Promise<readonly { readonly enrollment: Enrollment; readonly position: string }[]> {
    const { status, after = '', limit } = query;
    const prefix = enrollmentListPrefix(status);
    const rows = await this.#rows.range<EnrollmentRow>(customer, { prefix, above: prefix + after }, { most: limit });
    return rows.map((row) => ({ enrollment: enrollmentOf(row), position: row.rowKey.slice(prefix.length) }));
  }

  /** Undefined when somebody else has changed the enrollment since it was read. */
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

  /** The submission that was accepted under a key, even if it has expired. */
  async findSubmission(key: Pick<KeptSubmission, 'customer' | 'keyHash'>): Promise<StoredSubmission | undefined> {
    const row = await this.#rows.find<SubmissionRow>(key.customer, submissionRowKey(key));
    return row && storedSubmissionOf(row);
  }

  /** Submissions of one customer that have expired at `now`. */
  async listExpiredSubmissions(customer: string, now: number): Promise<readonly StoredSubmission[]> {
    const where = { column: 'expiresAt', atMost: new Date(now).toISOString() };
    const rows = await this.#rows.range<SubmissionRow>(customer, { prefix: submissionPrefix }, { where });
    return rows.map(storedSubmissionOf);
  }

  /** Deletes a submission unless its key was used again since it was read. */
  async forgetSubmission({ submission, etag }: StoredSubmission): Promise<void> {
    await this.#rows.delete(submission.customer, submissionRowKey(submission), etag);
  }
}

const storedSubmissionOf = (row: Row<SubmissionRow>): StoredSubmission => ({
  submission: keptSubmissionOf(row.partitionKey, row.rowKey, row),
  etag: row.etag,
});

/** The row of a key that is new, or that replaces an expired one. */
function submissionAction({ submission, replaces }: SubmissionWrite): Action {
  const [rowKey, value] = [submissionRowKey(submission), submissionRow(submission)];
  return replaces === undefined ? { insert: rowKey, value } : { update: rowKey, value, etag: replaces.etag };
}
