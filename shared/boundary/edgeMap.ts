import type { Plane } from './gaussian.js';
import { trustedPixels } from './gradient.js';
import type { NormalisedDate } from './normalise.js';

const { max, min } = Math;

const probabilityWeight = 1.6;
const gradientWeight = 0.15;
const strongestGradient = 2;

/**
 * What the watershed floods: 1.6 × boundary probability + 0.15 × gradient (at most 2).
 *
 * @param probabilities one a date, 0–1; their mean is taken over the dates that see the pixel and its surroundings
 */
export function edgeMap(gradient: Plane, dates: readonly NormalisedDate[], probabilities: readonly Plane[]): Plane {
  const total = new Float64Array(gradient.data.length);
  const count = new Uint8Array(gradient.data.length);
  dates.forEach(({ clear }, index) => {
    const trusted = trustedPixels(clear, 1).data;
    const probability = probabilities[index]?.data ?? new Float32Array(0);
    for (let k = 0; k < total.length; k += 1) {
      if (trusted[k] !== 1) continue;
      total[k] = (total[k] ?? 0) + (probability[k] ?? 0);
      count[k] = (count[k] ?? 0) + 1;
    }
  });
  const data = gradient.data.map((slope, k) => {
    const probability = (total[k] ?? 0) / max(1, count[k] ?? 0);
    return probabilityWeight * probability + gradientWeight * min(strongestGradient, slope);
  });
  return { ...gradient, data };
}
