import type { Position } from '../geo/geoJson.js';
import type { Grid } from '../raster/grid.js';

/** Bands the prediction can use; the network wants the first three, near infrared helps. */
export const boundaryBands = ['B02', 'B03', 'B04', 'B08'] as const;
export type BoundaryBand = (typeof boundaryBands)[number];

/** Reflectance × 10000 after the product's offset, [row][column], row 0 north; 0 or less is no data. */
export type BandPixels = Uint16Array | Float32Array;

/** One acquisition day on the grid; scenes of one datatake are already one. */
export interface BoundaryScene {
  /** UTC day of the acquisition, YYYY-MM-DD. */
  readonly date: string;
  readonly sceneIds: readonly string[];
  readonly bands: Readonly<Partial<Record<BoundaryBand, BandPixels>>>;
  /** Scene classification of Sentinel-2 L2A, 0–11, on the same grid by nearest neighbour. */
  readonly scl?: Uint8Array;
}

/** Everything one prediction looks at. */
export interface BoundaryInput {
  /** A window round the point on a UTM grid of 10 m pixels. */
  readonly grid: Grid;
  readonly scenes: readonly BoundaryScene[];
  /** The point whose field is asked for, WGS 84; it lies on the grid. */
  readonly point: Position;
}
