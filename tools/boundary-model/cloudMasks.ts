import { addNoiseAlong } from '../scenes/noise.js';
import { hashOf, hashOfText } from '../scenes/random.js';
import type { BoundaryScene } from '../../shared/boundary/window/boundaryInput.js';
import { percentilesInPlace } from '../../shared/boundary/window/percentile.js';
import type { Grid } from '../../shared/geo/grid/grid.js';

const cloudClass = 9;
const clearClass = 4;

/** Clouds of some hundred metres to two kilometres, so that every window has clouds and gaps. */
const cloudNoises: readonly (readonly [salt: number, scaleM: number, weight: number])[] = [
  [1, 1300, 0.8],
  [2, 420, 0.45],
  [3, 150, 0.15],
];

/**
 * The scenes with clouds cut out of them: a classification that hides this share of each date. The service's own
 * margin of three pixels round every cloud comes on top.
 *
 * @param fraction 0–1
 */
export function withClouds(grid: Grid, scenes: readonly BoundaryScene[], fraction: number): BoundaryScene[] {
  return scenes.map((scene) => {
    const amounts = cloudAmounts(hashOfText(scene.date), grid);
    const [level = 0] = percentilesInPlace(Float32Array.from(amounts), [100 * (1 - fraction)]);
    return { ...scene, scl: Uint8Array.from(amounts, (amount) => (amount > level ? cloudClass : clearClass)) };
  });
}

function cloudAmounts(seed: number, { originX, originY, pixelWidth, pixelHeight, width, height }: Grid): Float32Array {
  const amounts = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const line = { startX: originX + pixelWidth / 2, stepM: pixelWidth, y: originY - (row + 0.5) * pixelHeight };
    const into = amounts.subarray(row * width, (row + 1) * width);
    for (const [salt, scaleM, weight] of cloudNoises)
      addNoiseAlong({ seed: hashOf(seed, salt), scaleM }, line, weight, into);
  }
  return amounts;
}
