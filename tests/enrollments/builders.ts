import { randomUUID } from 'node:crypto';
import type { FieldParts } from '../../shared/geo/soundness/boundaryEdges.js';
import type { Enrollment, EnrollmentRequest } from '../../shared/enrollments/record/enrollment.js';
import { readBoundary } from '../../shared/enrollments/upload/submittedCoordinates.js';

export const START = Date.parse('2026-06-15T12:00:00.123Z');

export const aRequest = (changes: Partial<EnrollmentRequest> = {}): EnrollmentRequest => ({
  imageSource: 'sentinel-2-l2a',
  startDate: '2026-04-01',
  endDate: '2026-10-31',
  layers: ['ndvi'],
  ...changes,
});

export const anEnrollment = (changes: Partial<Enrollment> = {}): Enrollment => ({
  customer: `customer-${randomUUID()}`,
  enrollmentId: randomUUID(),
  status: 'received',
  request: aRequest(),
  totalFields: 1,
  processedFields: 0,
  failedFields: 0,
  errors: [],
  createdAt: START,
  ...changes,
});

type Positions = readonly (readonly number[])[];

/** A rectangle of about 30 ha near 13° E 48° N; `shift` moves it, in degrees of longitude. */
export function aRing(shift = 0): Positions {
  const west = 13.14 + shift;
  return [
    [west, 48.29],
    [west + 0.01, 48.29],
    [west + 0.01, 48.294],
    [west, 48.294],
    [west, 48.29],
  ];
}

export interface FeatureOptions {
  readonly fieldId?: unknown;
  readonly group?: unknown;
  readonly geometry?: unknown;
}

export const aFeature = ({ fieldId = 'north', group, geometry }: FeatureOptions = {}): Record<string, unknown> => ({
  type: 'Feature',
  properties: { field_id: fieldId, ...(group === undefined ? {} : { group }) },
  geometry: geometry === undefined ? { type: 'Polygon', coordinates: [aRing()] } : geometry,
});

export const aCollection = (features: readonly unknown[] = [aFeature()]): Record<string, unknown> => ({
  type: 'FeatureCollection',
  features,
});

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The boundary of a geometry, read as from an upload. */
export const boundaryOf = ({
  type,
  coordinates,
}: {
  readonly type: string;
  readonly coordinates: unknown;
}): FieldParts => readBoundary({ bytes: jsonBytes(coordinates), coordinatesAt: 0 }, type);

/** Form part `request` as a customer writes it. */
export const aSubmittedRequest = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  image_source: 'sentinel-2-l2a',
  start_date: '2026-04-01',
  end_date: '2026-10-31',
  layers: [{ layer: 'ndvi' }],
  ...changes,
});
