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

/** What the list entries of a status, or of all, begin with. */
export const listPrefix = (status: EnrollmentStatus | undefined): string =>
  status === undefined ? 'A_' : `S_${status}_`;

/** Where an enrollment stands in every list it is in: the later it was created, the smaller. */
export const listPosition = ({ createdAt, enrollmentId }: Enrollment): string =>
  `${String(LAST_INSTANT - createdAt).padStart(13, '0')}_${enrollmentId}`;

/** The key of the entry in the list of a status, or of all. */
export const listRowKey = (enrollment: Enrollment, status: EnrollmentStatus | undefined): string =>
  `${listPrefix(status)}${listPosition(enrollment)}`;

export const enrollmentRow = (enrollment: Enrollment): EnrollmentRow => ({ json: JSON.stringify(enrollment) });
export const enrollmentOf = ({ json }: EnrollmentRow): Enrollment => JSON.parse(json) as Enrollment;

export const submissionRow = ({ contentDigest, enrollmentId, expiresAt }: KeptSubmission): SubmissionRow => ({
  contentDigest,
  enrollmentId,
  expiresAt: instantText(expiresAt),
});

export function submissionOf(customer: string, rowKey: string, row: SubmissionRow): KeptSubmission {
  const { contentDigest, enrollmentId, expiresAt } = row;
  const keyHash = rowKey.slice(submissionPrefix.length);
  return { customer, keyHash, contentDigest, enrollmentId, expiresAt: Date.parse(expiresAt) };
}
