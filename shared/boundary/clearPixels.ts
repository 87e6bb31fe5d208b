import type { Grid } from '../raster/grid.js';
import type { BoundaryScene } from './boundaryInput.js';
import { dilatedBySquare } from './morphology.js';
import type { Bitmap } from './morphology.js';

const { max, min } = Math;

/** SCL classes that hide the ground: no data, saturated, shadow, clouds, cirrus, snow (Sentinel-2 L2A, 0–11). */
const hidingClasses: ReadonlySet<number> = new Set([0, 1, 3, 8, 9, 10, 11]);

/** Clouds have soft edges: their mask grows by this many pixels. */
const cloudMarginPixels = 3;

/** How far around the point a date is judged. */
const judgedRadiusM = 640;
const judgedRadiusPixels = judgedRadiusM / 10;
/** A date should show this share of the land, and must show that much where no date shows more. */
const wantedClearFraction = 0.6;
const leastClearFraction = 0.25;

/** At most this many dates enter a prediction: the clearest ones. */
export const maxDates = 6;

/** A pixel of the grid. */
export interface Pixel {
  readonly row: number;
  readonly column: number;
}

/** What became of one date. */
export interface DateUse {
  readonly date: string;
  readonly sceneIds: readonly string[];
  /** Share of clear pixels within 640 m of the point, 0–1. */
  readonly clearFraction: number;
  readonly isUsed: boolean;
  /** Why the date was left out, a sentence's end such as "clouds lie over the point". */
  readonly reason?: string;
}

/** A date that may be looked at, with its clear pixels. */
export interface ClearScene {
  readonly scene: BoundaryScene;
  readonly clear: Bitmap;
  readonly clearFraction: number;
}

/** Pixels with data in every band and, where a scene classification is given, ground in sight. */
export function clearPixels({ bands, scl }: BoundaryScene, { width, height }: Grid): Bitmap {
  const data = new Uint8Array(width * height).fill(1);
  for (const pixels of Object.values(bands)) {
    for (let k = 0; k < data.length; k += 1) if (!((pixels[k] ?? 0) > 0)) data[k] = 0;
  }
  if (scl !== undefined) {
    const hidden = hiddenPixels(scl, { width, height });
    for (let k = 0; k < data.length; k += 1) if (hidden[k] === 1) data[k] = 0;
  }
  return { width, height, data };
}

function hiddenPixels(scl: Uint8Array, { width, height }: Pick<Bitmap, 'width' | 'height'>): Uint8Array {
  let hidden: Bitmap = { width, height, data: Uint8Array.from(scl, (value) => (hidingClasses.has(value) ? 1 : 0)) };
  for (let step = 0; step < cloudMarginPixels; step += 1) hidden = dilatedBySquare(hidden);
  return hidden.data;
}

/**
 * Judges every date at the point and keeps the clearest ones, oldest first.
 *
 * A date that shows the point but little of the land round it is used only when no date shows more.
 */
export function chooseDates(
  scenes: readonly BoundaryScene[],
  grid: Grid,
  point: Pixel,
): { readonly chosen: readonly ClearScene[]; readonly uses: readonly DateUse[] } {
  const judged = scenes.map((scene) => {
    const clear = clearPixels(scene, grid);
    return {
      scene,
      clear,
      clearFraction: clearFractionAround(clear, point),
      showsPoint: clearShare(clear, point, 2) === 1,
    };
  });
  const showing = judged.filter(({ showsPoint }) => showsPoint);
  const wanted = showing.some(({ clearFraction }) => clearFraction >= wantedClearFraction)
    ? wantedClearFraction
    : leastClearFraction;
  const chosen = showing
    .filter(({ clearFraction }) => clearFraction >= wanted)
    .sort((a, b) => b.clearFraction - a.clearFraction || b.scene.date.localeCompare(a.scene.date))
    .slice(0, maxDates)
    .sort((a, b) => a.scene.date.localeCompare(b.scene.date));
  const uses = judged.map(({ scene, clearFraction, showsPoint }): DateUse => {
    const about = { date: scene.date, sceneIds: scene.sceneIds, clearFraction };
    if (chosen.some((used) => used.scene === scene)) return { ...about, isUsed: true };
    return { ...about, isUsed: false, reason: reasonAgainst(showsPoint, clearFraction < wanted ? wanted : undefined) };
  });
  return { chosen, uses };
}

function reasonAgainst(showsPoint: boolean, missed: number | undefined): string {
  if (!showsPoint) return 'clouds, their shadow or missing data lie over the point';
  if (missed === undefined) return `${maxDates} clearer dates were used`;
  return `less than ${100 * missed} % of the land within ${judgedRadiusM} m is in sight`;
}

function clearFractionAround(clear: Bitmap, point: Pixel): number {
  return clearShare(clear, point, judgedRadiusPixels);
}

/** Share of clear pixels in the square of ±radius pixels around a pixel, cut at the grid's edge. */
function clearShare({ width, height, data }: Bitmap, { row, column }: Pixel, radius: number): number {
  const [top, bottom] = [max(0, row - radius), min(height - 1, row + radius)];
  const [left, right] = [max(0, column - radius), min(width - 1, column + radius)];
  let clear = 0;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) clear += data[y * width + x] ?? 0;
  }
  return clear / ((bottom - top + 1) * (right - left + 1));
}
