import type { Grid } from '../../geo/grid/grid.js';
import type { Pixels } from '../tiff/pixels.js';

/** Red, green, blue, 0–255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * The contents of one Cloud Optimized GeoTIFF.
 *
 * A band never says scale and offset (GDAL's items SCALE and OFFSET): QGIS applies them first, then looks the palette up by
 * what comes out, and draws nothing. Who has a scale says it in items of its own name.
 */
export interface CogInput {
  /** uint8, uint16 or float32; one band, or three that are red, green and blue. */
  readonly pixels: Pixels;
  /** Where the pixels lie; its width and height are those of `pixels`. */
  readonly grid: Grid;
  /** The value of pixels without data (tag 42113). */
  readonly nodata: number;
  /** Colour of each value 0–255, for one band of uint8. */
  readonly palette?: readonly Rgb[];
  /** Items of GDAL's metadata (tag 42112), written in the order of their names. Names: letters, digits, `_ . : -`. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Tag 305. */
  readonly software?: string;
  /** Tag 306: when the picture was taken; not the time of writing, so that writing it again gives the same bytes. */
  readonly takenAt?: Date;
  /** How overviews are made; `average` of the pixels with data when absent. `nearest` for classes. */
  readonly overviewsBy?: 'average' | 'nearest';
  /** Pixels of a tile's side, a multiple of 16; when absent one tile up to 512 pixels, else 256. */
  readonly tileSize?: number;
}
