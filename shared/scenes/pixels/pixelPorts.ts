import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import type { BlockShare } from '../../raster/read/blockShare.js';
import type { PixelWindow } from '../../geo/grid/grid.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import type { RasterError } from '../../raster/tiff/rasterError.js';
import type { KnownOffset } from '../item/boaOffset.js';
import type { Scene, SceneFile } from '../item/scene.js';

/** The geometries of fields, stored by ingest. */
export interface FieldGeometrySource {
  /** @throws when there is no geometry of this hash */
  read(customer: string, geometryHash: string): Promise<MultiPolygon>;
}

/** Reads the files of scenes. */
export interface SceneReader {
  /**
   * Reads windows of one file, each block once; reads with a common `share` fetch each block once together.
   *
   * @returns one per window, in order: digital numbers of 15 bits, or classes up to 11; 0 is no data. A fault for a window
   *   whose pixels are broken for good
   * @throws RasterError in an outage of the files
   */
  read(
    scene: Scene,
    file: SceneFile,
    options: { readonly windows: readonly PixelWindow[]; readonly signal: AbortSignal; readonly share?: BlockShare },
  ): Promise<readonly (Pixels | RasterError)[]>;
  /** The offset to add to the scene's digital numbers; measured where the catalogue may be wrong. */
  offsetOf(scene: Scene): Promise<KnownOffset>;
}
