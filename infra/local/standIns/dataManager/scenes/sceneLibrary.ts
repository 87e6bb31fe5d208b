import type { SceneImage } from '../../../../../shared/jobs/dataManager/scenes.js';
import type { Grid, MapBox } from '../../../../../shared/geo/grid/grid.js';
import type { Pixels } from '../../../../../shared/raster/tiff/pixels.js';

/** Which scenes somebody wants. */
export interface SceneSearch {
  /** [west, south, east, north] in degrees, WGS 84. */
  readonly region: MapBox;
  /** First and last UTC day, both included. */
  readonly from: string;
  readonly to: string;
}

/** One scene as a library knows it. */
export interface LibraryScene {
  /** Names the scene within its library. */
  readonly key: string;
  /** The UTC day it is shown under. */
  readonly date: string;
  readonly itemId: string;
  /** 0–100. */
  readonly cloudCoverPercent: number;
  readonly images: readonly SceneImage[];
}

/** One image of a scene, cut to a region. */
export interface SceneRaster {
  readonly grid: Grid;
  /** One band; reflectance × 10000, or classes; 0 is no data. */
  readonly pixels: Pixels;
  /** Says where the pixels come from, for the file's metadata. */
  readonly origin: string;
}

/** Where scenes come from. */
export interface SceneLibrary {
  /** Oldest first. */
  list(search: SceneSearch): Promise<readonly LibraryScene[]>;
  /** Undefined when the scene doesn't have the image there. */
  read(key: string, image: SceneImage, region: MapBox): Promise<SceneRaster | undefined>;
}

/** The images of the collection that the libraries can have. */
export const sceneImages: readonly SceneImage[] = ['B02', 'B03', 'B04', 'B08', 'SCL'];
