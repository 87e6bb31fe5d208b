/** Work on uploaded GeoJSON that may run in another process: pure functions of bytes. */
import { fieldFaults } from '../../kit/errors/catalogue.js';
import type { FaultDetail } from '../../kit/errors/fault.js';
import type { FieldFault } from '../record/enrollment.js';
import { featureCollectionFaults } from './featureCollection.js';
import { FieldFailure } from '../../geo/soundness/fieldFailure.js';
import { checkField, measuredField, type CheckedField } from './fieldShape.js';
import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import { isSameLand } from '../../geo/shapes/sameLand.js';
import { scanJsonInput, type JsonInput } from '../../kit/json/jsonInput.js';
import { geoJsonBudget } from '../../kit/json/structureBudget.js';
import type { TextMember } from '../../kit/json/jsonMembers.js';
import { readBoundary, type CoordinatesPlace } from './submittedCoordinates.js';
import { readSubmittedFeatures, type SubmittedFeatures } from './submittedFeatures.js';
import { WorkBudget } from '../../geo/soundness/workBudget.js';

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
export interface InspectedField {
  readonly index: number;
  readonly fieldId: string;
  /** Undefined when the submission names none; an empty one takes the field out of its group. */
  readonly group?: string | undefined;
  readonly outcome: (CheckedField & { readonly fault?: undefined }) | { readonly fault: FieldFault };
}

/** Where the boundary of a submitted field lies. */
export interface PlacedBoundary extends Pick<InspectedField, 'index' | 'fieldId' | 'group'> {
  /** Of its geometry. */
  readonly type: TextMember;
  /** Index of the first byte of its coordinates, and of the one behind them. */
  readonly begin: number;
  readonly end: number;
}

/** Finds the boundaries of an accepted submission. */
export function placeBoundaries(bytes: Uint8Array): readonly PlacedBoundary[] {
  const { value, fault } = submittedFeatures(bytes, Infinity);
  if (fault !== undefined) throw new Error(`An accepted submission cannot be read: ${fault.msg}.`);
  if (value.featureCount === 0) throw new Error('An accepted submission has no features.');
  // A byte order mark was dropped.
  const mark = bytes.byteLength - value.bytes.byteLength;
  return value.features.map((feature, index) => {
    const { fieldId, group, geometry } = feature ?? {};
    if (typeof fieldId !== 'string' || geometry?.coordinatesAt === undefined) {
      throw new Error('A feature of an accepted submission has no field_id or no coordinates.');
    }
    const { type, coordinatesAt, coordinatesEnd } = geometry;
    return { index, fieldId, group: group ?? undefined, type, begin: mark + coordinatesAt, end: mark + coordinatesEnd };
  });
}

/** Some boundaries of a submission, those behind each other in its bytes. */
export interface BoundariesToInspect {
  /** The part of the submission in which they lie; their places count from its beginning. */
  readonly bytes: Uint8Array;
  readonly boundaries: readonly PlacedBoundary[];
  /** Bytes of the whole submission, and steps that the check of those before has taken. */
  readonly submissionBytes: number;
  readonly spent: number;
}

/** Fields after the check of their geometries, and the steps that were taken so far. */
export interface InspectedPart {
  readonly fields: readonly InspectedField[];
  readonly spent: number;
}

/** Checks the geometries of some fields of an accepted submission. */
export function inspectBoundaries({ bytes, boundaries, submissionBytes, spent }: BoundariesToInspect): InspectedPart {
  const budget = new WorkBudget(submissionBytes, spent);
  const fields = boundaries.map((boundary) => inspected(bytes, boundary, budget));
  return { fields, spent: budget.spent };
}

const inspected = (
  bytes: Uint8Array,
  { index, fieldId, group, type, begin }: PlacedBoundary,
  budget: WorkBudget,
): InspectedField => ({
  index,
  fieldId,
  group,
  outcome: outcomeOf({ bytes, coordinatesAt: begin }, type, budget),
});

/** Checks the geometry of every field of an accepted submission. */
export function inspectFields(bytes: Uint8Array): readonly InspectedField[] {
  const budget = new WorkBudget(bytes.byteLength, 0);
  return placeBoundaries(bytes).map((boundary) => inspected(bytes, boundary, budget));
}

function outcomeOf(place: CoordinatesPlace, type: TextMember, budget: WorkBudget): InspectedField['outcome'] {
  try {
    budget.nextField();
    return checkField(readBoundary(place, type), budget);
  } catch (error) {
    if (!(error instanceof FieldFailure)) throw error;
    return { fault: { code: error.fault.code, message: error.message } };
  }
}

/** The geometry that a field id stands for, and the one that was submitted with it; both JSON of a MultiPolygon. */
export interface GeometryPair {
  readonly there: Uint8Array;
  readonly submitted: Uint8Array;
}

/** The field of the geometry that is there, measured. @returns undefined where the submitted one is other land */
export function standingField({ there, submitted }: GeometryPair): CheckedField | undefined {
  const [standing, other] = [there, submitted].map(
    (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as MultiPolygon,
  );
  return standing !== undefined && other !== undefined && isSameLand(standing, other)
    ? measuredField(standing)
    : undefined;
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
