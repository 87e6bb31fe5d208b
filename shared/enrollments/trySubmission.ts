import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerStore.js';
import { limiter } from '../raster/limiter.js';
import { loadedOnce } from '../loadedOnce.js';
import type { FieldFault } from './enrollment.js';
import type { EnrollmentInputStore } from './enrollmentInputStore.js';
import type { FieldStore } from './fieldStore.js';
import { claimOn, type StandingField } from './ingestFields.js';
import type { Submission } from './submissionKey.js';
import { fieldLimitOf, requireSound, type SubmitEnrollmentPorts } from './submitEnrollment.js';
import type { PeriodRules } from './submittedRequest.js';
import type { InspectedField, SurveyedField } from './uploadTasks.js';

interface TrySubmissionPorts {
  readonly customers: Pick<CustomerStore, 'find'>;
  readonly fields: Pick<FieldStore, 'findClaim' | 'listHolders'>;
  readonly checkGeoJson: SubmitEnrollmentPorts['checkGeoJson'];
  /** Checks the geometry of each field of a sound submission. */
  readonly surveyFields: (geojson: Uint8Array) => Promise<readonly SurveyedField[]>;
  /** The same with the geometries, for a submission of fields whose ids stand for others. */
  readonly inspectFields: (geojson: Uint8Array) => Promise<readonly InspectedField[]>;
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
    const surveyed = await ports.surveyFields(submission.geojson);
    const inspected = loadedOnce(() => ports.inspectFields(submission.geojson));
    return Promise.all(surveyed.map((field) => parallel(() => triedField(ports, customer, { field, inspected }))));
  };

interface FieldToTry {
  readonly field: SurveyedField;
  readonly inspected: () => Promise<readonly InspectedField[]>;
}

async function triedField(
  ports: TrySubmissionPorts,
  customer: string,
  { field: { index, fieldId, outcome }, inspected }: FieldToTry,
): Promise<TriedField> {
  if (outcome.fault !== undefined) return { fieldId, errors: [outcome.fault] };
  const { areaHa, geometryHash } = outcome.shape;
  const readGeometry = async (): Promise<Uint8Array> => {
    const same = (await inspected())[index]?.outcome;
    if (same === undefined || same.fault !== undefined) throw new Error('A sound field is not sound any more.');
    return same.geometry;
  };
  const { conflict } = await claimOn(ports, customer, { fieldId, geometryHash, readGeometry });
  return { fieldId, areaHa, errors: conflict === undefined ? [] : [conflict] };
}
