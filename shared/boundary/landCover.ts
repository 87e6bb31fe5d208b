import { holds } from './candidateMask.js';
import type { CandidateMask } from './candidateMask.js';
import type { ClearScene, Pixel } from './clearPixels.js';

/** SCL classes that a field can have: vegetation, bare ground. Water (6) cannot; the rest says nothing. */
const fieldClasses: ReadonlySet<number> = new Set([4, 5]);
const waterClass = 6;

/**
 * Share of vegetation and bare ground among what the scene classifications say of a mask, 0–1.
 *
 * The pixel of the point counts as much as the whole mask: a pond in a field is no field.
 * @returns 1 when no scene classification says anything
 */
export function farmlandFraction(
  mask: CandidateMask,
  { scenes, pixel }: { readonly scenes: readonly ClearScene[]; readonly pixel: Pixel },
): number {
  const inMask = shareOf(scenes, (row, column) => holds(mask, { row, column }), mask);
  const atPoint = shareOf(scenes, () => true, { top: pixel.row, left: pixel.column, bitmap: { width: 1, height: 1 } });
  return Math.min(inMask, atPoint);
}

interface Part {
  readonly top: number;
  readonly left: number;
  readonly bitmap: { readonly width: number; readonly height: number };
}

function shareOf(
  scenes: readonly ClearScene[],
  isCounted: (row: number, column: number) => boolean,
  part: Part,
): number {
  let [land, water] = [0, 0];
  for (const { scene, clear } of scenes) {
    for (const [row, column] of pixelsOf(part)) {
      const k = row * clear.width + column;
      const value = clear.data[k] === 1 && isCounted(row, column) ? (scene.scl?.[k] ?? 0) : 0;
      if (fieldClasses.has(value)) land += 1;
      if (value === waterClass) water += 1;
    }
  }
  return land + water === 0 ? 1 : land / (land + water);
}

function* pixelsOf({ top, left, bitmap }: Part): Generator<readonly [row: number, column: number]> {
  for (let row = top; row < top + bitmap.height; row += 1) {
    for (let column = left; column < left + bitmap.width; column += 1) yield [row, column];
  }
}
