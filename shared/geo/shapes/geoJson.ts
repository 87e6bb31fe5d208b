// GeoJSON geometries (RFC 7946), WGS 84.

/** Decimal degrees. */
export type Position = readonly [longitude: number, latitude: number];

/** A ring is closed: its last position equals its first. */
export type Ring = readonly Position[];

/** A GeoJSON point. */
export interface Point {
  readonly type: 'Point';
  readonly coordinates: Position;
}

/** A GeoJSON area of one part. */
export interface Polygon {
  readonly type: 'Polygon';
  /** Outer ring first, then the holes. */
  readonly coordinates: readonly Ring[];
}

/** A GeoJSON area of any number of parts. */
export interface MultiPolygon {
  readonly type: 'MultiPolygon';
  /** The rings of each part, as in a polygon. */
  readonly coordinates: readonly (readonly Ring[])[];
}

/** The parts of an area, each as its rings: the outer ring first, then the holes. */
export function partsOf({ type, coordinates }: Polygon | MultiPolygon): readonly (readonly Ring[])[] {
  return type === 'Polygon' ? [coordinates] : coordinates;
}
