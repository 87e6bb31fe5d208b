import type { Cover } from '../scenes/cover.js';
import { paintedMarginPixels, samplesPerPixel } from '../scenes/sensor.js';
import type { CandidateMask } from '../../shared/boundary/candidates/candidateMask.js';

/** Covered fraction of every pixel of a window by one field, 0–1, and their sum. */
export interface Coverage {
  readonly fractions: Float32Array;
  readonly total: number;
}

/** How much of every pixel one of the cover's fields covers. */
export function coverageOf({ grid, samples }: Cover, field: number): Coverage {
  const side = grid.width / samplesPerPixel - 2 * paintedMarginPixels;
  const fractions = new Float32Array(side * side);
  let total = 0;
  const margin = paintedMarginPixels * samplesPerPixel;
  for (let row = margin; row < grid.height - margin; row += 1) {
    for (let column = margin; column < grid.width - margin; column += 1) {
      if (samples[row * grid.width + column] !== field) continue;
      const k = Math.floor((row - margin) / samplesPerPixel) * side + Math.floor((column - margin) / samplesPerPixel);
      fractions[k] = (fractions[k] ?? 0) + 1 / samplesPerPixel ** 2;
      total += 1 / samplesPerPixel ** 2;
    }
  }
  return { fractions, total };
}

/** Intersection over union of a mask with the truth, pixels counting by their covered fraction. */
export function iouWithTruth(
  { top, left, bitmap, size }: CandidateMask,
  { fractions, total }: Coverage,
  side: number,
): number {
  let shared = 0;
  for (let k = 0; k < bitmap.data.length; k += 1) {
    if (bitmap.data[k] !== 1) continue;
    const row = Math.floor(k / bitmap.width);
    shared += fractions[(top + row) * side + left + k - row * bitmap.width] ?? 0;
  }
  return shared / (size + total - shared);
}
