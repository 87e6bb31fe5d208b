import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerStore.js';
import { commonFaults } from '../errors/catalogue.js';
import { invalidInput } from '../errors/invalidInput.js';
import { ServiceError } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import { MAX_FAULTS } from '../validation/validator.js';
import type { Enqueuer } from '../work/enqueue.js';
import { received, type Enrollment, type EnrollmentRequest } from './enrollment.js';
import type { EnrollmentStore } from './enrollmentStore.js';
import type { EnrollmentInputStore } from './enrollmentInputStore.js';
import { ingestWork } from './ingestEnrollment.js';
import { earlierSubmission, requireEarlier } from './repeatedSubmission.js';
import { keptSubmission, submissionKey, type Submission, type SubmissionKey } from './submissionKey.js';
import { checkRequest, type PeriodRules } from './submittedRequest.js';
import type { CheckedGeoJson, GeoJsonToCheck } from './uploadTasks.js';

export interface SubmitEnrollmentPorts {
  readonly customers: Pick<CustomerStore, 'find'>;
  readonly enrollments: Pick<EnrollmentStore, 'insert' | 'find' | 'findSubmission'>;
  readonly inputs: Pick<EnrollmentInputStore, 'put' | 'remove'>;
  readonly work: Pick<Enqueuer, 'open' | 'send'>;
  readonly checkGeoJson: (input: GeoJsonToCheck) => Promise<CheckedGeoJson>;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** A customer that was looked at longer ago may be being deleted by now. */
const LOOK_AGAIN_MS = 10_000;

/**
 * Accepts an enrollment: its work first, then the inputs, then one act that makes it exist, then the message.
 *
 * Dying in between leaves inputs that only the work tells of, which removes them after a day, or an enrollment whose
 * message the sweep sends; never half an enrollment. The key of a submission is kept by the same act: of any number of repetitions at
 * once one makes the enrollment, and all are answered with it as it was received.
 *
 * @param idempotencyKey what the caller repeats the submission under, if anything
 * @throws ServiceError 422 that names every fault of both parts, the first 100, or says that the key was used for
 *   something else; 401 for a customer that is gone
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

/** The enrollment that a submission makes, when nothing is wrong with it. */
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
 * The monitoring that a submission asks for, and how many fields it has.
 *
 * @throws ServiceError 422 that names every fault of both parts, the first 100
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

/** A repetition at the same time was quicker: what this one has written goes, and the first answer is that one's. */
async function yielded(ports: SubmitEnrollmentPorts, own: Enrollment, key: SubmissionKey): Promise<Enrollment> {
  const winner = await ports.enrollments.findSubmission(key);
  // Its own act may have been done, its answer lost, and a worker already at it: then nothing may go.
  if (winner?.submission.enrollmentId === own.enrollmentId) return own;
  // Its work removes what is left of it a day later.
  await ports.inputs.remove(own).catch(() => undefined);
  return received(await requireEarlier(ports, key));
}

/**
 * Read afresh each time: a limit just changed holds, and nothing begins for a customer that is being deleted.
 *
 * @throws ServiceError 401 for a customer that is gone
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

/** The parts of an upload that has been read; both are there, or the upload was refused. */
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
