import type { CandidateMask } from '../candidates/candidateMask.js';
import type { ClearScene, Pixel } from '../window/chooseDates.js';

const { floor, min } = Math;

/** Scene classes (SCL) of farmland, vegetation and bare ground, and of water. Other classes are not counted. */
const fieldClasses: ReadonlySet<number> = new Set([4, 5]);
const waterClass = 6;

/**
 * Vegetation and bare ground as a share of these and of water in the scene classifications of a mask, 0–1.
 *
 * The lower of two shares: that of the mask and that of the point's pixel, so that a pond in a field is no field.
 * @returns 1 when no scene classification has any of these classes
 */
export function farmlandFraction(
  mask: CandidateMask,
  { scenes, pixel: { row, column } }: { readonly scenes: readonly ClearScene[]; readonly pixel: Pixel },
): number {
  const pointMask = { top: row, left: column, bitmap: { width: 1, height: 1, data: Uint8Array.of(1) } };
  return min(shareOf(scenes, mask), shareOf(scenes, pointMask));
}

function shareOf(scenes: readonly ClearScene[], { top, left, bitmap }: Omit<CandidateMask, 'size'>): number {
  let [land, water] = [0, 0];
  for (const { scene, clear } of scenes) {
    bitmap.data.forEach((isInside, at) => {
      const k = (top + floor(at / bitmap.width)) * clear.width + left + (at % bitmap.width);
      const value = isInside === 1 && clear.data[k] === 1 ? (scene.scl?.[k] ?? 0) : 0;
      if (fieldClasses.has(value)) land += 1;
      if (value === waterClass) water += 1;
    });
  }
  return land + water === 0 ? 1 : land / (land + water);
}
