import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Enrollment } from '../record/enrollment.js';
import type { EnrollmentStore, StoredSubmission } from '../record/enrollmentStore.js';
import { isExpired, type SubmissionKey } from '../record/submissionKey.js';

interface EarlierSubmissionPorts {
  readonly enrollments: Pick<EnrollmentStore, 'find' | 'findSubmission'>;
  readonly clock: Clock;
}

/** The stored submission of a key, with its enrollment unless the key has expired. */
export interface EarlierSubmission {
  readonly stored: StoredSubmission;
  readonly enrollment: Enrollment | undefined;
}

/**
 * The earlier submission with the same key; undefined when the key was never used or its row is deleted.
 *
 * Without an enrollment when the key has expired, or when the enrollment is missing, as it may be in a restored export.
 *
 * @throws ServiceError 422 when the earlier submission had another content
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

/** The enrollment of a key that another request has just used. @throws ServiceError 503 when there is none */
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
