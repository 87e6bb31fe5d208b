import type { Grid } from '../../geo/grid/grid.js';
import { dilate } from '../../raster/mask/maskEdges.js';
import type { BoundaryScene } from './boundaryInput.js';
import type { Bitmap } from './morphology.js';

const { max, min } = Math;

/** Scene classes (SCL) that hide the ground: no data, saturated, shadow, clouds, cirrus, snow. */
const hidingClasses: ReadonlySet<number> = new Set([0, 1, 3, 8, 9, 10, 11]);

/** Clouds have soft edges: so many pixels round a hidden pixel count as hidden. */
const cloudMarginPixels = 3;

/** Half the side of the square round the point in which the clear pixels of a date are counted. */
const judgedRadiusM = 640;
const judgedRadiusPixels = judgedRadiusM / 10;
/** Least share of clear pixels in that square, and the least where no date reaches the first. */
const wantedClearFraction = 0.6;
const leastClearFraction = 0.25;

/** At most this many dates enter a prediction: the clearest ones. */
export const maxDates = 6;

/** A pixel of the grid. */
export interface Pixel {
  readonly row: number;
  readonly column: number;
}

/** Whether a date is used. */
export interface DateUse {
  readonly date: string;
  readonly sceneIds: readonly string[];
  /** Share of clear pixels within 640 m of the point, 0–1. */
  readonly clearFraction: number;
  readonly isUsed: boolean;
  /** Why the date is not used: the end of a sentence, such as "clouds lie over the point". */
  readonly reason?: string;
}

/** A date with its clear pixels. */
export interface ClearScene {
  readonly scene: BoundaryScene;
  readonly clear: Bitmap;
  /** As in `DateUse`. */
  readonly clearFraction: number;
}

/** The pixels with data in every band that no class of the scene classification, where there is one, hides. */
export function clearMask({ bands, scl }: BoundaryScene, { width, height }: Grid): Bitmap {
  const data = new Uint8Array(width * height).fill(1);
  for (const pixels of Object.values(bands)) {
    for (let k = 0; k < data.length; k += 1) if (!((pixels[k] ?? 0) > 0)) data[k] = 0;
  }
  if (scl !== undefined) {
    const hiding = Uint8Array.from(scl, (value) => (hidingClasses.has(value) ? 1 : 0));
    const hidden = dilate(hiding, { width, height }, cloudMarginPixels);
    for (let k = 0; k < data.length; k += 1) if (hidden[k] === 1) data[k] = 0;
  }
  return { width, height, data };
}

/**
 * Chooses the clearest dates that show the point, at most six, the oldest first.
 *
 * A date that shows the point but little of the land round it is chosen only when no date shows more.
 */
export function chooseDates(
  scenes: readonly BoundaryScene[],
  grid: Grid,
  point: Pixel,
): { readonly chosen: readonly ClearScene[]; readonly uses: readonly DateUse[] } {
  const judged = scenes.map((scene) => {
    const clear = clearMask(scene, grid);
    return {
      scene,
      clear,
      clearFraction: clearShare(clear, point, judgedRadiusPixels),
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

/** Share of clear pixels in the square of ± `radius` pixels round a pixel, without what lies beyond the grid. */
function clearShare({ width, height, data }: Bitmap, { row, column }: Pixel, radius: number): number {
  const [top, bottom] = [max(0, row - radius), min(height - 1, row + radius)];
  const [left, right] = [max(0, column - radius), min(width - 1, column + radius)];
  let clear = 0;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) clear += data[y * width + x] ?? 0;
  }
  return clear / ((bottom - top + 1) * (right - left + 1));
}
