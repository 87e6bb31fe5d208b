import type { MultiPolygon, Polygon } from '../geo/geoJson.js';
import type { Grid } from '../raster/grid.js';
import type { LayerName } from '../imagery/layers/layers.js';
import type { EnrollmentKey, FieldFault } from './enrollment.js';

/** [west, south, east, north] in degrees; west > east for a field across the antimeridian (RFC 7946, section 5.2). */
export type FieldBbox = readonly [west: number, south: number, east: number, north: number];

/** What the check of one field's geometry found out. */
export interface FieldShape {
  readonly areaHa: number;
  readonly bbox: FieldBbox;
  /** UTM zone of a point inside the field. */
  readonly epsg: number;
  /** The grid of all its pictures; undefined in rows of before fields had one: it follows from the geometry. */
  readonly grid?: Grid;
  /** SHA-256 of the geometry as imagery uses it, lower-case hex; also where that geometry is stored. */
  readonly geometryHash: string;
  readonly positions: number;
}

/** A field as lists show it: where it lies. */
export interface FieldOutline {
  /** To be drawn, see `outlineOf`. */
  readonly geometry: Polygon | MultiPolygon;
  readonly bbox: FieldBbox;
  readonly areaHa: number;
}

interface FieldCommon extends EnrollmentKey {
  /** Position among the submitted features, from 0. */
  readonly index: number;
  readonly fieldId: string;
}

/** A field under monitoring. */
export interface ReadyField extends FieldCommon {
  readonly status: 'ready';
  readonly shape: FieldShape;
  readonly startDate: string;
  readonly endDate: string;
  readonly layers: readonly LayerName[];
}

/** A field that is not monitored, and why. */
export interface FailedField extends FieldCommon, FieldFault {
  readonly status: 'failed';
}

export type Field = ReadyField | FailedField;

/** Which geometry a customer's field id stands for; one row, so that of two submissions one wins. */
export interface FieldClaim {
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly etag: string;
}

/** An enrollment that monitors a field: the layers of all holders together are what a day's imagery consists of. */
export interface FieldHolder {
  readonly enrollmentId: string;
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly startDate: string;
  readonly endDate: string;
  /** Last day on which this enrollment still has work: end date and the days of late scenes. */
  readonly activeUntil: string;
  readonly layers: readonly LayerName[];
}

/** What has to happen to a claim for a field to be monitored, or undefined when another geometry stands in the way. */
export type ClaimDecision = 'insert' | 'join' | 'replace' | 'conflict';

/**
 * A field id stands for one geometry while any enrollment with it is active; after that another one may take it over.
 *
 * @param today the present day, UTC
 */
export function claimDecision(
  geometryHash: string,
  claim: FieldClaim | undefined,
  { holders, today }: { readonly holders: readonly FieldHolder[]; readonly today: string },
): ClaimDecision {
  if (claim === undefined) return 'insert';
  if (claim.geometryHash === geometryHash) return 'join';
  return holders.some(({ activeUntil }) => activeUntil >= today) ? 'conflict' : 'replace';
}
