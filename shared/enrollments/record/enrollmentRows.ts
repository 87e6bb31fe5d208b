/**
 * Rows of table `enrollments`. PartitionKey is the customer; RowKeys:
 *
 * - `E_<id>`: the enrollment as JSON
 * - `A_<inverse time>_<id>`: list entry, newest first
 * - `S_<status>_<inverse time>_<id>`: the same by status
 * - `K_<hash>`: the submission that was accepted under an `Idempotency-Key`
 */
import type { Enrollment, EnrollmentKey, EnrollmentStatus } from './enrollment.js';
import type { KeptSubmission } from './submissionKey.js';

/** A submission that was accepted under a key. */
export interface SubmissionRow {
  readonly contentDigest: string;
  readonly enrollmentId: string;
  readonly expiresAt: string;
}

/** An enrollment, in its own row and in each list entry. */
export interface EnrollmentRow {
  readonly json: string;
}

/** The year 2286: keys written until then sort newest first. */
const LAST_INSTANT = 9_999_999_999_999;
const instantText = (instant: number): string => new Date(instant).toISOString();

export const enrollmentRowKey = ({ enrollmentId }: EnrollmentKey): string => `E_${enrollmentId}`;
export const submissionPrefix = 'K_';
export const submissionRowKey = ({ keyHash }: Pick<KeptSubmission, 'keyHash'>): string =>
  `${submissionPrefix}${keyHash}`;

/** Prefix of the list entries of a status, or of the list of all. */
export const enrollmentListPrefix = (status: EnrollmentStatus | undefined): string =>
  status === undefined ? 'A_' : `S_${status}_`;

/** Position of an enrollment in its lists: the later it was created, the smaller. */
export const listPosition = ({ createdAt, enrollmentId }: Enrollment): string =>
  `${String(LAST_INSTANT - createdAt).padStart(13, '0')}_${enrollmentId}`;

/** Row key of the entry in the list of a status, or in the list of all. */
export const listRowKey = (enrollment: Enrollment, status: EnrollmentStatus | undefined): string =>
  `${enrollmentListPrefix(status)}${listPosition(enrollment)}`;

export const enrollmentRow = (enrollment: Enrollment): EnrollmentRow => ({ json: JSON.stringify(enrollment) });
export const enrollmentOf = ({ json }: EnrollmentRow): Enrollment => JSON.parse(json) as Enrollment;

export const submissionRow = ({ contentDigest, enrollmentId, expiresAt }: KeptSubmission): SubmissionRow => ({
  contentDigest,
  enrollmentId,
  expiresAt: instantText(expiresAt),
});

/** The submission in a row. */
export function keptSubmissionOf(customer: string, rowKey: string, row: SubmissionRow): KeptSubmission {
  const { contentDigest, enrollmentId, expiresAt } = row;
  const keyHash = rowKey.slice(submissionPrefix.length);
  return { customer, keyHash, contentDigest, enrollmentId, expiresAt: Date.parse(expiresAt) };
}
