/** GeoJSON geometries (RFC 7946): WGS 84, positions are [longitude, latitude] in decimal degrees. */

export type Position = readonly [longitude: number, latitude: number];

/** A ring is closed: its last position equals its first. */
export type Ring = readonly Position[];

export interface Point {
  readonly type: 'Point';
  readonly coordinates: Position;
}

export interface Polygon {
  readonly type: 'Polygon';
  /** Outer ring first, then the holes. */
  readonly coordinates: readonly Ring[];
}

export interface MultiPolygon {
  readonly type: 'MultiPolygon';
  readonly coordinates: readonly (readonly Ring[])[];
}
