import type { Clock } from '../../kit/clock.js';
import type { CustomerStore } from '../../access/customers/customerStore.js';
import { limiter } from '../../kit/limiter.js';
import type { FieldFault } from '../record/enrollment.js';
import type { EnrollmentInputStore } from '../record/enrollmentInputStore.js';
import type { FieldStore } from '../fields/fieldStore.js';
import { claimOn, type StandingField } from '../ingest/ingestFields.js';
import type { TakeInspected } from '../upload/inspectInParts.js';
import type { Submission } from '../record/submissionKey.js';
import { fieldLimitOf, requireSound, type SubmitEnrollmentPorts } from './submitEnrollment.js';
import type { PeriodRules } from './submittedRequest.js';
import type { InspectedField } from '../upload/uploadTasks.js';

interface TrySubmissionPorts {
  readonly customers: Pick<CustomerStore, 'find'>;
  readonly fields: Pick<FieldStore, 'findClaim' | 'listHolders'>;
  readonly checkGeoJson: SubmitEnrollmentPorts['checkGeoJson'];
  /** Checks the geometry of each field of a sound submission, some fields at a time: all geometries take much memory. */
  readonly inspectFields: (geojson: Uint8Array, take: TakeInspected) => Promise<void>;
  readonly inputs: Pick<EnrollmentInputStore, 'findGeometry'>;
  readonly standingField: StandingField;
  readonly clock: Clock;
}

/** The result of one field of a dry run. */
export interface TriedField {
  readonly fieldId: string;
  /** Undefined when the boundary is not sound. */
  readonly areaHa?: number;
  readonly errors: readonly FieldFault[];
}

/** Storage calls under way at once. */
const PARALLEL = 8;

/**
 * A dry run: makes every check of a submission and its ingest, by the same rules and codes, and stores nothing.
 *
 * @throws ServiceError 422 and 401 as the submission itself
 */
export const trySubmission =
  (ports: TrySubmissionPorts, rules: PeriodRules) =>
  async (customer: string, submission: Submission): Promise<readonly TriedField[]> => {
    const fieldLimit = await fieldLimitOf(ports, customer);
    await requireSound(ports, rules, { submission, fieldLimit });
    const parallel = limiter(PARALLEL);
    const tried: TriedField[] = [];
    await ports.inspectFields(submission.geojson, async (fields) => {
      tried.push(...(await Promise.all(fields.map((field) => parallel(() => triedField(ports, customer, field))))));
    });
    return tried;
  };

async function triedField(
  ports: TrySubmissionPorts,
  customer: string,
  { fieldId, outcome }: InspectedField,
): Promise<TriedField> {
  if (outcome.fault !== undefined) return { fieldId, errors: [outcome.fault] };
  const { areaHa, geometryHash } = outcome.shape;
  const readGeometry = () => Promise.resolve(outcome.geometry);
  const { conflict } = await claimOn(ports, customer, { fieldId, geometryHash, readGeometry });
  return { fieldId, areaHa, errors: conflict === undefined ? [] : [conflict] };
}
