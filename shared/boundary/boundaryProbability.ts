import type { Plane } from './gaussian.js';
import { logits } from './network.js';
import type { Network } from './network.js';

const { exp } = Math;

/**
 * Probability that a pixel lies on a field boundary, 0–1, one date: the mean of the networks.
 *
 * @param planes the network's input of the date
 */
export function boundaryProbability(networks: readonly Network[], planes: readonly Plane[]): Plane {
  const { width = 0, height = 0 } = planes[0] ?? {};
  const data = new Float32Array(width * height);
  for (const network of networks) {
    const [boundary] = logits(network, planes);
    for (let k = 0; k < data.length; k += 1) {
      data[k] = (data[k] ?? 0) + 1 / (1 + exp(-(boundary?.data[k] ?? 0))) / networks.length;
    }
  }
  return { width, height, data };
}
