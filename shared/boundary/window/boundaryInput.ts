import type { Position } from '../../geo/shapes/geoJson.js';
import type { Grid } from '../../geo/grid/grid.js';

/** The bands of a prediction; the network needs the first three, B08 (near infrared) is optional. */
export const boundaryBands = ['B02', 'B03', 'B04', 'B08'] as const;
export type BoundaryBand = (typeof boundaryBands)[number];

/** Reflectance × 10000 after the product's offset, [row][column], row 0 north; 0 or less is no data. */
export type BandPixels = Uint16Array | Float32Array;

/** The scenes of one datatake of a satellite as one, on the grid. */
export interface BoundaryScene {
  /** UTC day of the acquisition, YYYY-MM-DD. */
  readonly date: string;
  readonly sceneIds: readonly string[];
  readonly bands: Readonly<Partial<Record<BoundaryBand, BandPixels>>>;
  /** Scene classification of Sentinel-2 L2A, 0–11, on the same grid by nearest neighbour. */
  readonly scl?: Uint8Array;
}

/** The input of one prediction. */
export interface BoundaryInput {
  /** A window round the point on a UTM grid of 10 m pixels. */
  readonly grid: Grid;
  readonly scenes: readonly BoundaryScene[];
  /** The point whose field is wanted, WGS 84; it lies on the grid. */
  readonly point: Position;
}
