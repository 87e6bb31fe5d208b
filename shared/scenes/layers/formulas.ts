import type { FieldScene, RenderedLayer } from './layers.js';
import { SCOUTING_PALETTE, VEGETATION_PALETTE } from './palette.js';
import { correctedDn, DN_PER_REFLECTANCE, reflectanceOf, type OffsetDn } from './reflectance.js';
import { percentile, sortedWhere, speakingPixels, bandStatistics } from './layerStatistics.js';

/** Nodata of the ndvi layer. */
export const NDVI_NODATA = -9999;
/** Nodata of the layers in percent. */
export const PERCENT_NODATA = 255;
/** Nodata of the true-color layer; data are 1–255. */
export const COLOR_NODATA = 0;

const EMPTY = new Uint16Array();

/** EVI2 that the vegetation layer shows as 0, and what one step of 100 is worth. */
const EVI2_AT_ZERO = 0.05;
const EVI2_PER_PERCENT = 0.008;
/** The scouting layer spreads at least this much NDVI: an even field must not look uneven. */
const LEAST_SPREAD = 0.1;
/** Reflectance drawn as the brightest value, and the gamma that lifts the dark ones. */
const WHITE_REFLECTANCE = 0.3;
const GAMMA = 1.4;

const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));

/**
 * Normalised difference vegetation index, −1 to 1.
 *
 * @param red,nir reflectance; their sum is above 0
 * @see Rouse et al. (1974)
 */
export function ndviOf(red: number, nir: number): number {
  return (nir - red) / (nir + red);
}

/**
 * Two-band enhanced vegetation index: about 0.05 on bare soil, 0.85 in dense crops.
 *
 * @param red,nir reflectance, 0–1
 * @see Jiang et al. (2008), Development of a two-band enhanced vegetation index without a blue band
 */
export function evi2Of(red: number, nir: number): number {
  return (2.5 * (nir - red)) / (nir + 2.4 * red + 1);
}

/** The vegetation layer's value: EVI2 of 0.05 is 0, 0.85 and above is 100. */
export function vegetationPercent(evi2: number): number {
  return Math.round(100 * clamp01((evi2 - EVI2_AT_ZERO) / (100 * EVI2_PER_PERCENT)));
}

/** The true-color layer's value of a reflectance: 1 (black) to 255 (0.30 and above). */
export function colorValue(reflectance: number): number {
  return 1 + Math.round(254 * clamp01(reflectance / WHITE_REFLECTANCE) ** (1 / GAMMA));
}

/** Pixels inside the field, clear, with data in both bands. */
function validVegetationPixels({ field, clear, bands }: FieldScene): Uint8Array {
  const { red = EMPTY, nir = EMPTY } = bands;
  const valid = new Uint8Array(field.length);
  for (let index = 0; index < valid.length; index += 1) {
    const isSeen = field[index] === 1 && clear[index] === 1;
    if (isSeen && red[index] !== 0 && nir[index] !== 0) valid[index] = 1;
  }
  return valid;
}

/** NDVI of each valid pixel, NDVI_NODATA elsewhere. The scale of digital numbers cancels out. */
function ndviValues({ bands, offsetDn }: FieldScene, valid: Uint8Array): Float32Array {
  const { red = EMPTY, nir = EMPTY } = bands;
  const values = new Float32Array(valid.length).fill(NDVI_NODATA);
  for (let index = 0; index < valid.length; index += 1) {
    if (valid[index] === 0) continue;
    values[index] = ndviOf(correctedDn(red[index] ?? 0, offsetDn), correctedDn(nir[index] ?? 0, offsetDn));
  }
  return values;
}

/** The percent of each valid pixel, PERCENT_NODATA elsewhere. */
function percentValues(valid: Uint8Array, percentAt: (index: number) => number): Uint8Array {
  const values = new Uint8Array(valid.length).fill(PERCENT_NODATA);
  for (let index = 0; index < valid.length; index += 1) {
    if (valid[index] === 1) values[index] = percentAt(index);
  }
  return values;
}

/** The parts of a layer of one band. */
interface OneBand extends Omit<RenderedLayer, 'pixels' | 'statistics' | 'metadata'> {
  readonly data: Float32Array | Uint8Array;
  /** Range of the values with data. */
  readonly range: readonly [min: number, max: number];
  /** The pixels that statistics are computed of, see `speakingPixels`. */
  readonly speaking: Uint8Array;
  readonly metadata?: Readonly<Record<string, string>>;
}

function oneBandLayer({ width, height }: FieldScene, band: OneBand): RenderedLayer {
  const { data, range, speaking, metadata = {}, ...layer } = band;
  return {
    ...layer,
    metadata,
    pixels: { width, height, bands: 1, data },
    statistics: [bandStatistics(sortedWhere(data, speaking), range)],
  };
}

const isEmpty = (mask: Uint8Array): boolean => !mask.includes(1);

/** NDVI as float32, nodata −9999. */
export function ndviLayer(scene: FieldScene): RenderedLayer | undefined {
  const valid = validVegetationPixels(scene);
  if (isEmpty(valid)) return undefined;
  return oneBandLayer(scene, {
    data: ndviValues(scene, valid),
    nodata: NDVI_NODATA,
    range: [-1, 1],
    speaking: speakingPixels(scene.field, valid, scene),
  });
}

/** Vegetation in percent, comparable over time and fields: EVI2 of 0.05 is 0, 0.85 is 100; uint8, nodata 255. */
export function vegetationLayer(scene: FieldScene): RenderedLayer | undefined {
  const valid = validVegetationPixels(scene);
  if (isEmpty(valid)) return undefined;
  const {
    offsetDn,
    bands: { red = EMPTY, nir = EMPTY },
  } = scene;
  const data = percentValues(valid, (index) => {
    const evi2 = evi2Of(reflectanceOf(red[index] ?? 0, offsetDn), reflectanceOf(nir[index] ?? 0, offsetDn));
    return vegetationPercent(evi2);
  });
  return oneBandLayer(scene, {
    data,
    nodata: PERCENT_NODATA,
    palette: VEGETATION_PALETTE,
    scales: [{ scale: EVI2_PER_PERCENT, offset: EVI2_AT_ZERO }],
    metadata: { EVI2_SCALE: String(EVI2_PER_PERCENT), EVI2_OFFSET: String(EVI2_AT_ZERO) },
    range: [0, 100],
    speaking: speakingPixels(scene.field, valid, scene),
  });
}

/**
 * The NDVI that the scouting layer draws as 0 and as 100: its 2nd and 98th percentile, at least 0.10 apart.
 *
 * @param sorted NDVI of the speaking pixels, ascending, not empty
 * @returns rounded to six decimals, as the tags SCOUTING_LO and SCOUTING_HI say it, so that the layer inverts exactly
 */
export function scoutingLimits(sorted: ArrayLike<number>): readonly [lo: number, hi: number] {
  const [lo, hi] = [percentile(sorted, 0.02), percentile(sorted, 0.98)];
  const widening = Math.max(0, LEAST_SPREAD - (hi - lo)) / 2;
  const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
  return [rounded(lo - widening), rounded(hi + widening)];
}

/** NDVI relative to the field on that day, in percent: uint8, nodata 255. */
export function scoutingLayer(scene: FieldScene): RenderedLayer | undefined {
  const valid = validVegetationPixels(scene);
  if (isEmpty(valid)) return undefined;
  const ndvi = ndviValues(scene, valid);
  const speaking = speakingPixels(scene.field, valid, scene);
  const [lo, hi] = scoutingLimits(sortedWhere(ndvi, speaking));
  const data = percentValues(valid, (index) => Math.round(100 * clamp01(((ndvi[index] ?? 0) - lo) / (hi - lo))));
  return oneBandLayer(scene, {
    data,
    nodata: PERCENT_NODATA,
    palette: SCOUTING_PALETTE,
    metadata: { SCOUTING_LO: String(lo), SCOUTING_HI: String(hi) },
    range: [0, 100],
    speaking,
  });
}

/** The colour value of each digital number up to the first one drawn as 255; the same for all scenes. */
function colorTable(offsetDn: OffsetDn): Uint8Array {
  const length = WHITE_REFLECTANCE * DN_PER_REFLECTANCE - offsetDn + 1;
  return Uint8Array.from({ length }, (_, dn) => colorValue(reflectanceOf(dn, offsetDn)));
}

const COLOR_TABLES: Readonly<Record<OffsetDn, Uint8Array>> = { 0: colorTable(0), [-1000]: colorTable(-1000) };

/** Pixels inside the field with data in all three bands, clear or not. */
function validColorPixels(field: Uint8Array, bands: readonly Uint16Array[]): Uint8Array {
  const valid = Uint8Array.from(field);
  for (const band of bands) {
    for (let index = 0; index < valid.length; index += 1) {
      if (band[index] === 0) valid[index] = 0;
    }
  }
  return valid;
}

/** The colour values of one band, COLOR_NODATA where it isn't valid. */
function colorValues(band: Uint16Array, valid: Uint8Array, table: Uint8Array): Uint8Array {
  const values = new Uint8Array(valid.length);
  for (let index = 0; index < valid.length; index += 1) {
    values[index] = valid[index] === 1 ? (table[band[index] ?? 0] ?? 255) : COLOR_NODATA;
  }
  return values;
}

/** Red, green and blue as the eye would see them, clouds too: uint8, nodata 0, clipped to the field. */
export function trueColorLayer(scene: FieldScene): RenderedLayer | undefined {
  const { width, height, field, offsetDn } = scene;
  const bands = [scene.bands.red, scene.bands.green, scene.bands.blue].map((band) => band ?? EMPTY);
  const valid = validColorPixels(field, bands);
  if (isEmpty(valid)) return undefined;
  const speaking = speakingPixels(field, valid, scene);
  const data = new Uint8Array(3 * valid.length);
  const statistics = bands.map((band, index) => {
    const values = colorValues(band, valid, COLOR_TABLES[offsetDn]);
    data.set(values, index * valid.length);
    return bandStatistics(sortedWhere(values, speaking), [1, 255]);
  });
  return {
    pixels: { width, height, bands: 3, data },
    nodata: COLOR_NODATA,
    metadata: {},
    statistics,
  };
}
