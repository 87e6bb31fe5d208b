/** Work on uploaded GeoJSON that may run in another process: pure functions of bytes. */
import { fieldFaults } from '../errors/catalogue.js';
import type { FaultDetail } from '../errors/fault.js';
import type { FieldFault } from './enrollment.js';
import { featureCollectionFaults } from './featureCollection.js';
import { FieldFailure } from './fieldFailure.js';
import { checkField, type CheckedField } from './fieldShape.js';
import { scanJsonInput, type JsonInput } from '../kit/jsonInput.js';
import { geoJsonBudget } from '../kit/structureBudget.js';
import { readBoundary } from './submittedCoordinates.js';
import { readSubmittedFeatures, type SubmittedFeatures, type SubmittedGeometry } from './submittedFeatures.js';
import { WorkBudget } from './workBudget.js';

/** Part `geojson` of a submission and the field limit of the customer. */
export interface GeoJsonToCheck {
  readonly bytes: Uint8Array;
  readonly fieldLimit: number;
}

/** The number of fields, 0 when there are faults. */
export interface CheckedGeoJson {
  readonly fields: number;
  readonly faults: readonly FaultDetail[];
}

function submittedFeatures(bytes: Uint8Array, fieldLimit: number): JsonInput<SubmittedFeatures> {
  const input = { part: 'geojson', bytes, budget: geoJsonBudget };
  return scanJsonInput(input, (scanner) => readSubmittedFeatures(scanner, fieldLimit));
}

/** The faults that make the submitted features unusable as a whole. */
export function checkGeoJson({ bytes, fieldLimit }: GeoJsonToCheck): CheckedGeoJson {
  const { value, fault } = submittedFeatures(bytes, fieldLimit);
  if (fault !== undefined) return { fields: 0, faults: [fault] };
  const faults = featureCollectionFaults(value, fieldLimit);
  return { fields: faults.length > 0 ? 0 : value.featureCount, faults };
}

/** One submitted field after the check of its geometry. */
export interface InspectedField<Checked = CheckedField> {
  readonly index: number;
  readonly fieldId: string;
  readonly outcome: (Checked & { readonly fault?: undefined }) | { readonly fault: FieldFault };
}

/** Checks the geometry of every field of an accepted submission. */
export function inspectFields(bytes: Uint8Array): readonly InspectedField[] {
  const { value, fault } = submittedFeatures(bytes, Infinity);
  if (fault !== undefined) throw new Error(`An accepted submission cannot be read: ${fault.msg}.`);
  if (value.featureCount === 0) throw new Error('An accepted submission has no features.');
  const budget = new WorkBudget(bytes.length);
  return value.features.map((feature, index) => {
    const { fieldId, geometry } = feature ?? {};
    if (typeof fieldId !== 'string' || geometry === undefined) {
      throw new Error('A feature of an accepted submission has no field_id or no geometry.');
    }
    return { index, fieldId, outcome: outcomeOf(value.bytes, geometry, budget) };
  });
}

/** An inspected field without its geometry. */
export type SurveyedField = InspectedField<Pick<CheckedField, 'shape'>>;

/** As `inspectFields`, without the geometries, which are too large to be copied between processes. */
export const surveyFields = (bytes: Uint8Array): readonly SurveyedField[] =>
  inspectFields(bytes).map(({ index, fieldId, outcome }) => ({
    index,
    fieldId,
    outcome: outcome.fault === undefined ? { shape: outcome.shape } : { fault: outcome.fault },
  }));

function outcomeOf(
  bytes: Uint8Array,
  { type, coordinatesAt }: SubmittedGeometry,
  budget: WorkBudget,
): InspectedField['outcome'] {
  try {
    budget.nextField();
    return checkField(readBoundary({ bytes, coordinatesAt }, type), budget);
  } catch (error) {
    if (!(error instanceof FieldFailure)) throw error;
    return { fault: { code: error.fault.code, message: error.message } };
  }
}

/** The fault of an upload that takes too much memory to read. */
export const tooMuchMemory: FaultDetail = {
  loc: ['geojson'],
  msg: 'geojson takes more memory to read than is allowed; simplify the boundaries or split the enrollment',
  type: 'too_complex',
};

/** The fault of an ingest that failed although its input is sound. */
export const ingestFailed = (reason: string): FieldFault => ({
  code: fieldFaults.ingestFailed.code,
  message: `The enrollment could not be ingested. ${reason}`,
});
