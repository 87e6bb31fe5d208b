import { dilate } from '../../raster/mask/maskEdges.js';
import { BANDS_OF_LAYER, type FieldScene, type LayerName } from './layers.js';

/** Classes of the scene classification (SCL) that hide the ground, or are no data. */
const BAD_CLASSES = [0, 1, 3, 8, 9, 10, 11];
/** The last class: larger values are no data. */
export const MOST_CLASS = 11;

/** Margins in 20 m pixels around the classes of Sen2Cor: clouds (8 medium, 9 high) and their shadows (3). */
const MARGINS = [
  { classes: [8, 9], pixels: 2 },
  { classes: [3], pixels: 1 },
] as const;

/** 20 m pixels by which the window of the classification is larger than the field, for clouds near the field. */
export const SCL_MARGIN_PIXELS = 2;

/** The 20 m scene classification around a field. */
export interface Classification {
  /** [row][column]: the field's window with SCL_MARGIN_PIXELS on each side; 0 beyond the scene. */
  readonly classes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** 1 where a pixel is of one of the classes. */
function maskOf(values: Uint8Array, classes: readonly number[]): Uint8Array {
  const isOne = new Uint8Array(256);
  for (const value of classes) isOne[value] = 1;
  const mask = new Uint8Array(values.length);
  for (let index = 0; index < values.length; index += 1) mask[index] = isOne[values[index] ?? 0] ?? 0;
  return mask;
}

/** A raster without its margin, each pixel as 2 × 2. */
function doubledInside(values: Uint8Array, { width, height }: Classification): Uint8Array {
  const outWidth = (width - 2 * SCL_MARGIN_PIXELS) * 2;
  const outHeight = (height - 2 * SCL_MARGIN_PIXELS) * 2;
  const out = new Uint8Array(outWidth * outHeight);
  for (let row = 0; row < outHeight; row += 1) {
    const line = ((row >> 1) + SCL_MARGIN_PIXELS) * width + SCL_MARGIN_PIXELS;
    for (let column = 0; column < outWidth; column += 1)
      out[row * outWidth + column] = values[line + (column >> 1)] ?? 0;
  }
  return out;
}

/** The classes of a field's window at 10 m: each 20 m pixel as 2 × 2, the margin left out. */
export function classesAt10m(scl: Classification): Uint8Array {
  return doubledInside(scl.classes, scl);
}

/** 1 at 10 m where a pixel of 20 m, or one beside it in all eight directions, has data. */
export const nearClasses = (scl: Classification): Uint8Array =>
  doubledInside(
    dilate(
      scl.classes.map((value) => Math.min(value, 1)),
      scl,
      1,
    ),
    scl,
  );

/**
 * The pixels of a field's 10 m window where the ground is seen: no bad class, and no cloud or shadow near by.
 *
 * Bad are 0, 1, 3, 8, 9, 10, 11; clouds (8, 9) grow by 2 pixels of 20 m, shadows (3) by 1, in all eight directions.
 *
 * @returns [row][column], 1 clear, 0 not
 */
export function clearPixels(scl: Classification): Uint8Array {
  const clear = maskOf(scl.classes, BAD_CLASSES).map((isBad) => 1 - isBad);
  for (const { classes, pixels } of MARGINS) {
    const near = dilate(maskOf(scl.classes, classes), scl, pixels);
    for (let index = 0; index < near.length; index += 1) {
      if (near[index] === 1) clear[index] = 0;
    }
  }
  return doubledInside(clear, scl);
}

/** How much of a field a scene, or a layer, shows. */
export interface Visibility {
  /** Share of the field's pixels that have data, 0–1. */
  readonly coverageFraction: number;
  /** Share of the field's pixels that are clear, 0–1; pixels without data are not clear. */
  readonly clearFraction: number;
}

/**
 * How much of a field a scene shows, over the field's 10 m pixels.
 *
 * @param field 1 inside, of the 10 m window
 * @param clear from `clearPixels` of the same classification
 */
export function visibilityOf(scl: Classification, field: Uint8Array, clear: Uint8Array): Visibility {
  return sharesOf({ field, clear }, [classesAt10m(scl)]);
}

/** The share of the field of which all of some arrays have data: digital numbers or classes, 0 is none. */
function sharesOf(
  { field, clear }: Pick<FieldScene, 'field' | 'clear'>,
  values: readonly (ArrayLike<number> | undefined)[],
): Visibility {
  let [pixels, covered, seen] = [0, 0, 0];
  for (let index = 0; index < field.length; index += 1) {
    if (field[index] === 0) continue;
    pixels += 1;
    if (values.some((data) => data?.[index] === 0)) continue;
    covered += 1;
    if (clear[index] === 1) seen += 1;
  }
  return pixels === 0
    ? { coverageFraction: 0, clearFraction: 0 }
    : { coverageFraction: covered / pixels, clearFraction: seen / pixels };
}

/** How much of the field each of some layers shows. */
export type LayerVisibility = Readonly<Partial<Record<LayerName, Visibility>>>;

/** How much of a field the files of layers will hold: a pixel has data where all bands of the layer have. */
export const visibilityOfLayers = (layers: readonly LayerName[], scene: FieldScene): LayerVisibility =>
  Object.fromEntries(
    layers.map((layer) => {
      const bands = BANDS_OF_LAYER[layer].map((band) => scene.bands[band]);
      return [layer, sharesOf(scene, bands)];
    }),
  );

/** The shares of the layer that shows least. @param all not empty */
export const leastOf = (all: readonly Visibility[]): Visibility => ({
  coverageFraction: Math.min(...all.map(({ coverageFraction }) => coverageFraction)),
  clearFraction: Math.min(...all.map(({ clearFraction }) => clearFraction)),
});

/** The smallest shares with which a layer is made, 0–1. */
export interface VisibilityThresholds {
  readonly coverageFraction: number;
  readonly clearFraction: Readonly<Record<LayerName, number>>;
}

/** The thresholds without settings of their own. */
export const DEFAULT_THRESHOLDS: VisibilityThresholds = {
  coverageFraction: 0.95,
  clearFraction: { ndvi: 0.6, vegetation: 0.6, scouting: 0.8, 'true-color': 0.6 },
};

/** Why a layer isn't made of a scene. */
export type SkipReason = 'coverage' | 'cloud';

/** Why a layer is not to be made, or undefined when it is. A share equal to its threshold is enough. */
export function skipReason(
  layer: LayerName,
  { coverageFraction, clearFraction }: Visibility,
  thresholds: VisibilityThresholds = DEFAULT_THRESHOLDS,
): SkipReason | undefined {
  if (coverageFraction < thresholds.coverageFraction) return 'coverage';
  return clearFraction < thresholds.clearFraction[layer] ? 'cloud' : undefined;
}
