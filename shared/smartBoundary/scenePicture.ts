import type { BandPixels, BoundaryScene } from '../boundary/boundaryInput.js';
import type { DateUse } from '../boundary/clearPixels.js';
import type { Grid } from '../raster/grid.js';
import { pngImage } from './pngImage.js';

/** A true-colour picture of one date. */
export interface ScenePicture {
  readonly date: string;
  readonly grid: Grid;
  readonly png: Uint8Array;
}

/** What may be shown. */
export interface PictureSource {
  readonly grid: Grid;
  readonly scenes: readonly BoundaryScene[];
  readonly uses: readonly DateUse[];
}

/** Shares of the pixels that may be lost to black and to white. */
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
  const rgb = new Uint8Array(3 * grid.width * grid.height);
  visible.forEach((band, channel) => {
    stretchInto(rgb, channel, band);
  });
  return { date: best.date, grid, png: pngImage(rgb, grid) };
}

function stretchInto(rgb: Uint8Array, channel: number, band: BandPixels): void {
  const seen = band.filter((value) => value > 0).sort();
  const at = (share: number): number => seen[Math.floor(share * (seen.length - 1))] ?? 0;
  const [low, high] = [at(DARKEST), at(BRIGHTEST)];
  for (let k = 0; k < band.length; k += 1) {
    const value = band[k] ?? 0;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
    rgb[3 * k + channel] = value > 0 ? Math.round(255 * share ** GAMMA) : NOTHING;
  }
}
