import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerPorts.js';
import { commonFaults } from '../errors/catalogue.js';
import { invalidInput } from '../errors/invalidInput.js';
import { ServiceError } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import { MAX_FAULTS } from '../validation/validator.js';
import type { Enrollment } from './enrollment.js';
import type { EnrollmentInputStore, EnrollmentStore, IngestQueue } from './enrollmentPorts.js';
import { newWork } from './ingestWork.js';
import { checkRequest, type PeriodRules } from './submittedRequest.js';
import type { CheckedGeoJson, GeoJsonToCheck } from './uploadTasks.js';

export interface SubmitEnrollmentPorts {
  readonly customers: Pick<CustomerStore, 'find'>;
  readonly enrollments: Pick<EnrollmentStore, 'insert'>;
  readonly inputs: Pick<EnrollmentInputStore, 'put'>;
  readonly ingestQueue: IngestQueue;
  readonly checkGeoJson: (input: GeoJsonToCheck) => Promise<CheckedGeoJson>;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The two parts of a submission as they came. */
export interface Submission {
  readonly request: Uint8Array;
  readonly geojson: Uint8Array;
}

/** A customer that was looked at longer ago may be being deleted by now. */
const LOOK_AGAIN_MS = 10_000;

/**
 * Accepts an enrollment: inputs first, then one act that makes it exist, then the message to the workers.
 *
 * Dying in between leaves inputs that nothing points to, which are swept, or an enrollment whose message the sweeper
 * sends; never half an enrollment.
 *
 * @throws ServiceError 422 that names every fault of both parts, the first 100; 401 for a customer that is gone
 */
export const submitEnrollment =
  (ports: SubmitEnrollmentPorts, rules: PeriodRules) =>
  async (customer: string, submission: Submission): Promise<Enrollment> => {
    const fieldLimit = await fieldLimitOf(ports, customer);
    const now = ports.clock.now();
    const { request, faults } = checkRequest(submission.request, rules, now);
    const checked = await ports.checkGeoJson({ bytes: submission.geojson, fieldLimit });
    const details = [...faults, ...checked.faults].slice(0, MAX_FAULTS);
    if (request === undefined || details.length > 0) throw invalidInput(details);
    const enrollment: Enrollment = {
      customer,
      enrollmentId: ports.newId(),
      status: 'received',
      request,
      totalFields: checked.fields,
      processedFields: 0,
      failedFields: 0,
      errors: [],
      createdAt: now.getTime(),
    };
    if (ports.clock.now().getTime() - now.getTime() > LOOK_AGAIN_MS) await fieldLimitOf(ports, customer);
    await ports.inputs.put(enrollment, { request: submission.request, geojson: submission.geojson });
    await ports.enrollments.insert(enrollment, newWork(enrollment, ports.clock.now().getTime()));
    await ports.ingestQueue.enqueue(enrollment, 0).catch(() => undefined);
    return enrollment;
  };

/** Read afresh each time: a limit just changed holds, and nothing begins for a customer that is being deleted. */
async function fieldLimitOf({ customers }: SubmitEnrollmentPorts, customer: string): Promise<number> {
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
