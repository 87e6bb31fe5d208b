import type { BandPixels, BoundaryScene } from '../boundary/boundaryInput.js';
import type { DateUse } from '../boundary/chooseDates.js';
import type { Grid } from '../raster/grid.js';
import { pngImage } from './pngImage.js';

/** A true-colour picture of one date. */
export interface ScenePicture {
  readonly date: string;
  readonly grid: Grid;
  readonly png: Uint8Array;
}

/** The dates of which one is shown. */
export interface PictureSource {
  readonly grid: Grid;
  readonly scenes: readonly BoundaryScene[];
  readonly uses: readonly DateUse[];
}

/** The quantiles that are shown as black and as white. */
const DARKEST = 0.02;
const BRIGHTEST = 0.98;
/** Fields are darker than roofs: middle tones are lifted. */
const GAMMA = 1 / 1.3;
/** Pixels without data are grey. */
const NOTHING = 128;

/**
 * The clearest used date, the latest of several, stretched to the range of its own pixels.
 *
 * @returns undefined when that date lacks a band of visible light
 */
export function scenePicture({ grid, scenes, uses }: PictureSource): ScenePicture | undefined {
  const [best] = uses
    .filter(({ isUsed }) => isUsed)
    .sort((a, b) => b.clearFraction - a.clearFraction || b.date.localeCompare(a.date));
  const bands = scenes.find(({ sceneIds }) => sceneIds[0] === best?.sceneIds[0])?.bands;
  const visible = [bands?.B04, bands?.B03, bands?.B02].filter((band) => band !== undefined);
  if (best === undefined || visible.length < 3) return undefined;
  return { date: best.date, grid, png: pngImage(trueColour(visible), grid) };
}

/**
 * The bands as red, green and blue. Each begins at its own darkest value, which removes haze; all have the same range, so
 * that bare soil stays brown.
 */
function trueColour(bands: readonly BandPixels[]): Uint8Array {
  const lows = bands.map((band) => quantile(band, DARKEST));
  const range = Math.max(1, ...bands.map((band, channel) => quantile(band, BRIGHTEST) - (lows[channel] ?? 0)));
  const rgb = new Uint8Array(3 * (bands[0]?.length ?? 0));
  bands.forEach((band, channel) => {
    for (let k = 0; k < band.length; k += 1) {
      const value = band[k] ?? 0;
      const share = Math.min(1, Math.max(0, (value - (lows[channel] ?? 0)) / range));
      rgb[3 * k + channel] = value > 0 ? Math.round(255 * share ** GAMMA) : NOTHING;
    }
  });
  return rgb;
}

/** The value that a share of the pixels with data stays below. */
function quantile(band: BandPixels, share: number): number {
  const seen = band.filter((value) => value > 0).sort();
  return seen[Math.floor(share * (seen.length - 1))] ?? 0;
}
