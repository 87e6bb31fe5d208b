/** What is done with uploaded GeoJSON, in whichever process: pure functions of bytes. */
import { fieldFaults } from '../errors/catalogue.js';
import type { FaultDetail } from '../errors/fault.js';
import { featureCollectionFaults, featuresOf } from './featureCollection.js';
import type { FieldShape } from './field.js';
import { FieldFailure } from './fieldFailure.js';
import { checkField } from './fieldShape.js';
import { readJsonInput } from './jsonInput.js';
import { geoJsonBudget } from './structureBudget.js';
import { WorkBudget } from './workBudget.js';

export interface GeoJsonToCheck {
  readonly bytes: Uint8Array;
  readonly fieldLimit: number;
}

export interface CheckedGeoJson {
  readonly fields: number;
  readonly faults: readonly FaultDetail[];
}

/** What makes the submitted features unusable as a whole. */
export function checkGeoJson({ bytes, fieldLimit }: GeoJsonToCheck): CheckedGeoJson {
  const { value, fault } = readJsonInput('geojson', bytes, geoJsonBudget);
  if (fault !== undefined) return { fields: 0, faults: [fault] };
  const faults = featureCollectionFaults(value, fieldLimit);
  return { fields: faults.length > 0 ? 0 : featuresOf(value).length, faults };
}

/** One submitted field, looked at by itself. */
export interface InspectedField {
  readonly index: number;
  readonly fieldId: string;
  readonly outcome:
    | { readonly shape: FieldShape; readonly geometry: Uint8Array; readonly fault?: undefined }
    | { readonly fault: { readonly code: string; readonly message: string } };
}

/** Checks the geometry of every field of a submission that was accepted. */
export function inspectFields(bytes: Uint8Array): readonly InspectedField[] {
  const { value, fault } = readJsonInput('geojson', bytes, geoJsonBudget);
  if (fault !== undefined) throw new Error(`An accepted submission cannot be read: ${fault.msg}.`);
  const budget = new WorkBudget();
  return featuresOf(value).map(({ fieldId, geometry }, index) => ({
    index,
    fieldId,
    outcome: outcomeOf({ type: geometry['type'], coordinates: geometry['coordinates'] }, budget),
  }));
}

function outcomeOf(geometry: Parameters<typeof checkField>[0], budget: WorkBudget): InspectedField['outcome'] {
  try {
    budget.nextField();
    return checkField(geometry, budget);
  } catch (error) {
    if (!(error instanceof FieldFailure)) throw error;
    return { fault: { code: error.fault.code, message: error.message } };
  }
}

/** The fault of an upload whose reading took more memory than it is worth. */
export const tooMuchMemory: FaultDetail = {
  loc: ['geojson'],
  msg: 'geojson takes more memory to read than is allowed; simplify the boundaries or split the enrollment',
  type: 'too_complex',
};

/** The reason of an ingest that failed for no reason of its own input. */
export const ingestFailed = (reason: string): { readonly code: string; readonly message: string } => ({
  code: fieldFaults.ingestFailed.code,
  message: `The enrollment could not be ingested. ${reason}`,
});
