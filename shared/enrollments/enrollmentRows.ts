/**
 * Rows of table `enrollments`. PartitionKey is the customer; RowKeys:
 *
 * - `E_<id>`: the enrollment as JSON; `revision` is unique to each write and tells our own lost answer from another's
 * - `A_<inverse time>_<id>`: list entry, newest first
 * - `S_<status>_<inverse time>_<id>`: the same by status
 * - `I_<id>`: ingest still to be done
 * - `D_<first day>_<id>`: the look through the days that is still to be planned, by the first of them
 * - `K_<hash>`: the submission that was accepted under an `Idempotency-Key`
 */
import { textOfProperties, textProperties } from './rowText.js';
import type { Enrollment, EnrollmentKey, EnrollmentStatus } from './enrollment.js';
import type { IngestWork } from './ingestWork.js';
import type { ScheduledEnrollment } from './schedule.js';
import type { KeptSubmission } from './submissionKey.js';

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
export type WorkRow = {
  readonly attempts: number;
  readonly notBefore: string;
  readonly checkAt: string;
  readonly failure?: string;
  readonly revision: string;
};

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
export type ScheduleRow = { readonly lastDate: string; readonly revision: string };

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
export type SubmissionRow = {
  readonly contentDigest: string;
  readonly enrollmentId: string;
  readonly expiresAt: string;
};

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type RowKeys = { readonly partitionKey: string; readonly rowKey: string };

/** The year 2286: keys written until then sort newest first. */
const LAST_INSTANT = 9_999_999_999_999;
const instantText = (instant: number): string => new Date(instant).toISOString();

export const enrollmentRowKey = ({ enrollmentId }: EnrollmentKey): string => `E_${enrollmentId}`;
export const workRowKey = ({ enrollmentId }: EnrollmentKey): string => `I_${enrollmentId}`;
export const scheduleRowKey = ({ nextDate, enrollmentId }: ScheduledEnrollment): string =>
  `D_${nextDate}_${enrollmentId}`;
export const schedulePrefix = 'D_';
export const workPrefix = 'I_';
export const submissionPrefix = 'K_';
export const submissionRowKey = ({ keyHash }: Pick<KeptSubmission, 'keyHash'>): string =>
  `${submissionPrefix}${keyHash}`;

/** What the list entries of a status, or of all, begin with. */
export const listPrefix = (status: EnrollmentStatus | undefined): string =>
  status === undefined ? 'A_' : `S_${status}_`;

/** Where an enrollment stands in every list it is in: the later it was created, the smaller. */
export const listPosition = ({ createdAt, enrollmentId }: Enrollment): string =>
  `${String(LAST_INSTANT - createdAt).padStart(13, '0')}_${enrollmentId}`;

/** The first key behind every key with this prefix, which ends in `_`. */
export const behind = (prefix: string): string => `${prefix.slice(0, -1)}\``;

/** The enrollment's own row, as JSON in as many properties as it needs. */
export const enrollmentRow = (enrollment: Enrollment, revision: string): RowKeys & { readonly revision: string } => ({
  partitionKey: enrollment.customer,
  rowKey: enrollmentRowKey(enrollment),
  revision,
  ...textProperties(JSON.stringify(enrollment)),
});

/** The entry in the list of a status, or of all. */
export const listRow = (enrollment: Enrollment, status: EnrollmentStatus | undefined): RowKeys => ({
  partitionKey: enrollment.customer,
  rowKey: `${listPrefix(status)}${listPosition(enrollment)}`,
  ...textProperties(JSON.stringify(enrollment)),
});

export const enrollmentOf = (row: Readonly<Record<string, unknown>>): Enrollment =>
  JSON.parse(textOfProperties(row)) as Enrollment;

export const workRow = (work: IngestWork, revision: string): RowKeys & WorkRow => ({
  partitionKey: work.customer,
  rowKey: workRowKey(work),
  attempts: work.attempts,
  notBefore: instantText(work.notBefore),
  checkAt: instantText(work.checkAt),
  ...(work.failure === undefined ? {} : { failure: work.failure }),
  revision,
});

export function workOf(customer: string, rowKey: string, row: WorkRow): IngestWork {
  return {
    customer,
    enrollmentId: rowKey.slice(workPrefix.length),
    attempts: row.attempts,
    notBefore: Date.parse(row.notBefore),
    checkAt: Date.parse(row.checkAt),
    ...(row.failure === undefined ? {} : { failure: row.failure }),
  };
}

export const scheduleRow = (scheduled: ScheduledEnrollment, revision: string): RowKeys & ScheduleRow => ({
  partitionKey: scheduled.customer,
  rowKey: scheduleRowKey(scheduled),
  lastDate: scheduled.lastDate,
  revision,
});

export function scheduledOf(customer: string, rowKey: string, { lastDate }: ScheduleRow): ScheduledEnrollment {
  const [, nextDate = '', enrollmentId = ''] = rowKey.split('_');
  return { customer, enrollmentId, nextDate, lastDate };
}

export const submissionRow = (submission: KeptSubmission): RowKeys & SubmissionRow => ({
  partitionKey: submission.customer,
  rowKey: submissionRowKey(submission),
  contentDigest: submission.contentDigest,
  enrollmentId: submission.enrollmentId,
  expiresAt: instantText(submission.expiresAt),
});

export function submissionOf(customer: string, rowKey: string, row: SubmissionRow): KeptSubmission {
  const { contentDigest, enrollmentId, expiresAt } = row;
  const keyHash = rowKey.slice(submissionPrefix.length);
  return { customer, keyHash, contentDigest, enrollmentId, expiresAt: Date.parse(expiresAt) };
}
