import type { Plane } from './gaussian.js';
import { trustedPixels } from './gradient.js';
import type { NormalisedDate } from './normalise.js';

const { max, min } = Math;

const probabilityWeight = 1.6;
const gradientWeight = 0.15;
const strongestGradient = 2;

/**
 * The mean of a probability, 0–1, over the dates that see the pixel and its surroundings; 0 where none does.
 *
 * @param probabilities one a date
 */
export function meanProbability(dates: readonly NormalisedDate[], probabilities: readonly Plane[]): Plane {
  const { width = 0, height = 0 } = probabilities[0] ?? {};
  const total = new Float64Array(width * height);
  const count = new Uint8Array(width * height);
  dates.forEach(({ clear }, index) => {
    const trusted = trustedPixels(clear, 1).data;
    const probability = probabilities[index]?.data ?? new Float32Array(0);
    for (let k = 0; k < total.length; k += 1) {
      if (trusted[k] !== 1) continue;
      total[k] = (total[k] ?? 0) + (probability[k] ?? 0);
      count[k] = (count[k] ?? 0) + 1;
    }
  });
  return { width, height, data: Float32Array.from(total, (sum, k) => sum / max(1, count[k] ?? 0)) };
}

/** What the watershed floods: 1.6 × boundary probability + 0.15 × gradient (at most 2). */
export function edgeMap(gradient: Plane, probability: Plane): Plane {
  const data = gradient.data.map(
    (slope, k) => probabilityWeight * (probability.data[k] ?? 0) + gradientWeight * min(strongestGradient, slope),
  );
  return { ...gradient, data };
}
