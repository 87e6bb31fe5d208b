import type { Clock } from '../../kit/clock.js';
import type { CustomerStore } from '../../access/customers/customerStore.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { NewId } from '../../kit/ids.js';
import { MAX_FAULTS } from '../../kit/validation/validator.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { received, type Enrollment, type EnrollmentRequest } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';
import type { EnrollmentInputStore } from '../record/enrollmentInputStore.js';
import { ingestWork } from '../ingest/ingestEnrollment.js';
import { earlierSubmission, requireEarlier } from './repeatedSubmission.js';
import { keptSubmission, submissionKey, type Submission, type SubmissionKey } from '../record/submissionKey.js';
import { checkRequest, type PeriodRules } from './submittedRequest.js';
import type { CheckedGeoJson, GeoJsonToCheck } from '../upload/uploadTasks.js';

/** What a submission needs. */
export interface SubmitEnrollmentPorts {
  readonly customers: Pick<CustomerStore, 'find'>;
  readonly enrollments: Pick<EnrollmentStore, 'insert' | 'find' | 'findSubmission'>;
  readonly inputs: Pick<EnrollmentInputStore, 'put' | 'remove'>;
  readonly work: Pick<Enqueuer, 'open' | 'send'>;
  readonly checkGeoJson: (input: GeoJsonToCheck) => Promise<CheckedGeoJson>;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** After this time the customer is read again, who may be being deleted by then. */
const LOOK_AGAIN_MS = 10_000;

/**
 * Accepts an enrollment: writes its work, then the inputs, then the rows of the enrollment in one transaction, and sends
 * the message of the work.
 *
 * A crash in between leaves inputs that the work removes after a day, or an enrollment whose message the sweep sends;
 * never half an enrollment. The transaction also stores the idempotency key: of simultaneous repetitions one creates the
 * enrollment, and all are answered with the enrollment as it was received.
 *
 * @param idempotencyKey the `Idempotency-Key` of the request
 * @throws ServiceError 422 with the first 100 faults of both parts, or when the key was used with another content; 401
 *   for a customer that no longer exists
 */
export const submitEnrollment =
  (ports: SubmitEnrollmentPorts, rules: PeriodRules) =>
  async (customer: string, submission: Submission, idempotencyKey?: string): Promise<Enrollment> => {
    const fieldLimit = await fieldLimitOf(ports, customer);
    const key = idempotencyKey === undefined ? undefined : await submissionKey(customer, idempotencyKey, submission);
    const earlier = key === undefined ? undefined : await earlierSubmission(ports, key);
    if (earlier?.enrollment !== undefined) return received(earlier.enrollment);
    const enrollment = await checkedEnrollment(ports, rules, { customer, submission, fieldLimit });
    await ports.work.open(ingestWork(enrollment));
    await ports.inputs.put(enrollment, submission);
    const now = ports.clock.now().getTime();
    const kept = key && { submission: keptSubmission(key, enrollment.enrollmentId, now), replaces: earlier?.stored };
    const isFirst = await ports.enrollments.insert(enrollment, kept);
    if (key !== undefined && !isFirst) return yielded(ports, enrollment, key);
    await ports.work.send(ingestWork(enrollment));
    return enrollment;
  };

/** The enrollment of a sound submission. */
async function checkedEnrollment(
  ports: SubmitEnrollmentPorts,
  rules: PeriodRules,
  {
    customer,
    submission,
    fieldLimit,
  }: { readonly customer: string; readonly submission: Submission; readonly fieldLimit: number },
): Promise<Enrollment> {
  const now = ports.clock.now();
  const { request, fields } = await requireSound(ports, rules, { submission, fieldLimit });
  if (ports.clock.now().getTime() - now.getTime() > LOOK_AGAIN_MS) await fieldLimitOf(ports, customer);
  const enrollmentId = ports.newId();
  return received({ customer, enrollmentId, request, totalFields: fields, createdAt: now.getTime() });
}

/**
 * The request of a submission and its number of fields.
 *
 * @throws ServiceError 422 with the first 100 faults of both parts
 */
export async function requireSound(
  { checkGeoJson, clock }: Pick<SubmitEnrollmentPorts, 'checkGeoJson' | 'clock'>,
  rules: PeriodRules,
  { submission, fieldLimit }: { readonly submission: Submission; readonly fieldLimit: number },
): Promise<{ readonly request: EnrollmentRequest; readonly fields: number }> {
  const { request, faults } = checkRequest(submission.request, rules, clock.now());
  const checked = await checkGeoJson({ bytes: submission.geojson, fieldLimit });
  const details = [...faults, ...checked.faults].slice(0, MAX_FAULTS);
  if (request === undefined || details.length > 0) throw invalidInput(details);
  return { request, fields: checked.fields };
}

/** Another repetition was faster: removes what this one has written and answers with the other's enrollment. */
async function yielded(ports: SubmitEnrollmentPorts, own: Enrollment, key: SubmissionKey): Promise<Enrollment> {
  const winner = await ports.enrollments.findSubmission(key);
  // The own transaction may have succeeded with its answer lost: then nothing may be removed.
  if (winner?.submission.enrollmentId === own.enrollmentId) return own;
  // The work of this enrollment removes what is left a day later.
  await ports.inputs.remove(own).catch(() => undefined);
  return received(await requireEarlier(ports, key));
}

/**
 * The field limit of a customer, read each time: a change holds at once, and nothing begins during a purge.
 *
 * @throws ServiceError 401 for a customer that no longer exists
 */
export async function fieldLimitOf(
  { customers }: Pick<SubmitEnrollmentPorts, 'customers'>,
  customer: string,
): Promise<number> {
  const found = await customers.find(customer);
  if (found !== undefined && found.isPurging !== true) return found.fieldLimit;
  throw new ServiceError(commonFaults.unauthorized, 'The customer of this key no longer exists.', {
    headers: { 'www-authenticate': 'ApiKey' },
  });
}

/** The parts of a complete upload; an upload without one of them was refused before. */
export const submissionOf = (parts: Readonly<Record<string, Uint8Array>>): Submission => ({
  request: parts['request'] ?? new Uint8Array(),
  geojson: parts['geojson'] ?? new Uint8Array(),
});

/** The rules on monitoring periods as configured. */
export const periodRulesOf = (config: {
  readonly ENROLLMENT_EARLIEST_START: string;
  readonly ENROLLMENT_MAX_DAYS: number;
  readonly ENROLLMENT_MAX_YEARS_AHEAD: number;
}): PeriodRules => ({
  earliestStart: config.ENROLLMENT_EARLIEST_START,
  maxDays: config.ENROLLMENT_MAX_DAYS,
  maxYearsAhead: config.ENROLLMENT_MAX_YEARS_AHEAD,
});
