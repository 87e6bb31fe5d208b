import type { MultiPolygon } from '../../geo/geoJson.js';
import type { BlockShare } from '../../raster/blockShare.js';
import type { PixelWindow } from '../../raster/grid.js';
import type { Pixels } from '../../raster/pixels.js';
import type { RasterError } from '../../raster/rasterError.js';
import type { KnownOffset } from '../catalogue/boaOffset.js';
import type { Scene, SceneFile } from '../catalogue/scene.js';

/** The geometries that ingest stored. */
export interface FieldGeometrySource {
  /** @throws when there is none of this hash */
  read(customer: string, geometryHash: string): Promise<MultiPolygon>;
}

/** Reads the files of scenes. */
export interface SceneReader {
  /**
   * Windows of one file, each block fetched once: once for all reads that have a share in common.
   *
   * @returns one per window, in order; a fault for a window whose pixels are broken for good
   * @throws RasterError when the files are away
   */
  read(
    scene: Scene,
    file: SceneFile,
    options: { readonly windows: readonly PixelWindow[]; readonly signal: AbortSignal; readonly share?: BlockShare },
  ): Promise<readonly (Pixels | RasterError)[]>;
  /** What has to be added to the scene's digital numbers, the pixels asked where the catalogue can't be believed. */
  offsetOf(scene: Scene): Promise<KnownOffset>;
}
