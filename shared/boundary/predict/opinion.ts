import type { Plane } from '../window/gaussian.js';
import { logits, type Network } from '../network/network.js';

const { exp } = Math;

/** Whether a view of a window is mirrored top to bottom (rows) and left to right (columns). */
interface View {
  readonly mirrorsRows: boolean;
  readonly mirrorsColumns: boolean;
}

/** The views in order: a prediction of two views uses the first two, which are opposite. */
const views: readonly View[] = [
  { mirrorsRows: false, mirrorsColumns: false },
  { mirrorsRows: true, mirrorsColumns: true },
  { mirrorsRows: true, mirrorsColumns: false },
  { mirrorsRows: false, mirrorsColumns: true },
];

/** The networks' probabilities for every pixel, 0–1. */
export interface Opinion {
  /** That it lies on the boundary of a field. */
  readonly boundary: Plane;
  /** That it lies in a field. */
  readonly field: Plane;
}

/**
 * The probabilities of one date: the mean of the networks and of mirrored views.
 *
 * The mean over mirrored views removes the network's small preference for one side.
 * @param planes the network's input of the date
 * @param viewCount 1–4
 */
export function opinionOf(networks: readonly Network[], planes: readonly Plane[], viewCount: number): Opinion {
  const { width = 0, height = 0 } = planes[0] ?? {};
  const opinion = (): Plane => ({ width, height, data: new Float32Array(width * height) });
  const [boundary, field] = [opinion(), opinion()];
  const used = views.slice(0, viewCount);
  const weight = 1 / (networks.length * used.length);
  for (const view of used) {
    const seen = planes.map((plane) => mirrored(plane, view));
    for (const network of networks) {
      const [first, second] = logits(network, seen).map((plane) => mirrored(plane, view));
      addProbability(boundary, first, weight);
      addProbability(field, second, weight);
    }
  }
  return { boundary, field };
}

function addProbability(sum: Plane, seen: Plane | undefined, weight: number): void {
  for (let k = 0; k < sum.data.length; k += 1) {
    sum.data[k] = (sum.data[k] ?? 0) + weight / (1 + exp(-(seen?.data[k] ?? 0)));
  }
}

/** The plane as a view shows it; mirrored twice it is the plane again. */
function mirrored(plane: Plane, { mirrorsRows, mirrorsColumns }: View): Plane {
  if (!mirrorsRows && !mirrorsColumns) return plane;
  const { width, height, data } = plane;
  const out = new Float32Array(data.length);
  for (let row = 0; row < height; row += 1) {
    const from = (mirrorsRows ? height - 1 - row : row) * width;
    for (let column = 0; column < width; column += 1) {
      out[row * width + column] = data[from + (mirrorsColumns ? width - 1 - column : column)] ?? 0;
    }
  }
  return { width, height, data: out };
}
