import type { Rgb } from '../../raster/write/cogInput.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import type { OffsetDn } from './reflectance.js';
import type { BandStatistics } from './layerStatistics.js';

/** The layers a customer can order; each is also the image_type of its file. */
export const LAYER_NAMES = ['ndvi', 'vegetation', 'scouting', 'true-color'] as const;

/** One of `LAYER_NAMES`. */
export type LayerName = (typeof LAYER_NAMES)[number];

/** The 10 m bands that layers are made of, by their STAC common names. */
export const BAND_NAMES = ['red', 'green', 'blue', 'nir'] as const;

/** One of `BAND_NAMES`. */
export type BandName = (typeof BAND_NAMES)[number];

/** The bands each layer needs. */
export const BANDS_OF_LAYER: Readonly<Record<LayerName, readonly BandName[]>> = {
  ndvi: ['red', 'nir'],
  vegetation: ['red', 'nir'],
  scouting: ['red', 'nir'],
  'true-color': ['red', 'green', 'blue'],
};

/** The bands that a set of layers needs, each once. */
export function bandsOfLayers(layers: Iterable<LayerName>): readonly BandName[] {
  const needed = new Set([...layers].flatMap((layer) => BANDS_OF_LAYER[layer]));
  return BAND_NAMES.filter((band) => needed.has(band));
}

/** One field on one date, on its 10 m grid; all arrays are [row][column] of the same size. */
export interface FieldScene {
  readonly width: number;
  readonly height: number;
  /** 1 inside the field. */
  readonly field: Uint8Array;
  /** 1 where the scene has data and neither cloud nor shadow (`clearPixels`). */
  readonly clear: Uint8Array;
  /** Digital numbers as stored, 0 is nodata; the bands of the layers to be made. */
  readonly bands: Readonly<Partial<Record<BandName, Uint16Array>>>;
  readonly offsetDn: OffsetDn;
}

/** Turns stored values into physical ones: physical = stored · scale + offset. */
export interface BandScale {
  readonly scale: number;
  readonly offset: number;
}

/** A finished layer, ready to be written. */
export interface RenderedLayer {
  readonly pixels: Pixels;
  readonly nodata: number;
  readonly palette?: readonly Rgb[];
  /** Converts stored to physical values, per band. */
  readonly scales?: readonly BandScale[];
  /** Tags of the file that only this layer has. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Per band, in stored values. */
  readonly statistics: readonly BandStatistics[];
}
