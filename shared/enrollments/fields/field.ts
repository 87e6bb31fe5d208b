import type { MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import type { Grid } from '../../geo/grid/grid.js';
import type { LayerName } from '../../scenes/layers/layers.js';
import type { EnrollmentKey, FieldFault } from '../record/enrollment.js';

/** [west, south, east, north] in degrees; west > east for a field across the antimeridian (RFC 7946, section 5.2). */
export type FieldBbox = readonly [west: number, south: number, east: number, north: number];

/** Measures of a checked field. */
export interface FieldShape {
  readonly areaHa: number;
  readonly bbox: FieldBbox;
  /** UTM zone of a point inside the field. */
  readonly epsg: number;
  /** The pixel grid of all images of the field; undefined in old rows, where it follows from the geometry. */
  readonly grid?: Grid;
  /**
   * SHA-256 of the geometry as imagery uses it, lower-case hex; also its name in storage. Another writing of the same land has
   * another: see `claimOn`.
   */
  readonly geometryHash: string;
  readonly positions: number;
}

/** Where a field lies, as lists show it. */
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
  /** That the submission named: see `InspectedField`. */
  readonly group?: string | undefined;
  readonly shape: FieldShape;
  readonly startDate: string;
  readonly endDate: string;
  readonly layers: readonly LayerName[];
}

/** A field that is not monitored, and why. */
export interface FailedField extends FieldCommon, FieldFault {
  readonly status: 'failed';
}

/** A field of an enrollment. */
export type Field = ReadyField | FailedField;

/** The geometry of a customer's field id, as it was sent first: one row, so that only one of two submissions can claim the id. */
export interface FieldClaim {
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly etag: string;
}

/** An enrollment that monitors a field. The images of a day have the layers of all holders. */
export interface FieldHolder {
  readonly enrollmentId: string;
  readonly fieldId: string;
  readonly geometryHash: string;
  readonly startDate: string;
  readonly endDate: string;
  /** Last day on which the enrollment has work: its end and the days of late scenes. */
  readonly activeUntil: string;
  readonly layers: readonly LayerName[];
}
