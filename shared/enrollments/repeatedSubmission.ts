import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { invalidInput } from '../errors/invalidInput.js';
import { ServiceError } from '../errors/serviceError.js';
import type { Enrollment } from './enrollment.js';
import type { EnrollmentStore, StoredSubmission } from './enrollmentStore.js';
import { isExpired, type SubmissionKey } from './submissionKey.js';

export interface EarlierSubmissionPorts {
  readonly enrollments: Pick<EnrollmentStore, 'find' | 'findSubmission'>;
  readonly clock: Clock;
}

/** What was read under a key; its enrollment only where the key still stands for it. */
export interface EarlierSubmission {
  readonly stored: StoredSubmission;
  readonly enrollment: Enrollment | undefined;
}

/**
 * What was accepted under the key of a submission; undefined when the key was never used, or was forgotten.
 *
 * A key whose time is over stands for nothing, nor does one whose enrollment is not there: a restored export may have
 * the one and not the other.
 *
 * @throws ServiceError 422 when it was something else
 */
export async function earlierSubmission(
  { enrollments, clock }: EarlierSubmissionPorts,
  key: SubmissionKey,
): Promise<EarlierSubmission | undefined> {
  const stored = await enrollments.findSubmission(key);
  if (stored === undefined) return undefined;
  const { submission } = stored;
  const found = isExpired(submission, clock.now().getTime()) ? undefined : await enrollments.find(submission);
  if (found !== undefined && submission.contentDigest !== key.contentDigest) throw otherContent();
  return { stored, enrollment: found?.enrollment };
}

/** The same for a key that somebody else was just using. @throws ServiceError 503 when there is nothing after all */
export async function requireEarlier(ports: EarlierSubmissionPorts, key: SubmissionKey): Promise<Enrollment> {
  const enrollment = (await earlierSubmission(ports, key))?.enrollment;
  if (enrollment !== undefined) return enrollment;
  throw new ServiceError(commonFaults.unavailable, 'Another request used the same Idempotency-Key; repeat this one.');
}

function otherContent(): ServiceError {
  const msg =
    'Idempotency-Key was used for another submission in the last 24 hours; repeat that one with the same bytes in both parts, or send a new key with this one';
  return invalidInput([{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_reused' }]);
}
