import type { Plane } from './gaussian.js';

const { abs, floor, max, min } = Math;

/** Sharpness of the cubic interpolation, the usual −0.75 of image libraries. */
const cubicSharpness = -0.75;

/** The source of one of the fine pixels of a pixel: four pixels from `first` on, relative to the pixel. */
interface Phase {
  readonly first: number;
  readonly weights: readonly number[];
}

/** `times` as many pixels each way, by cubic interpolation between pixel centres; the edge is repeated. */
export function upsampled(plane: Plane, times: number): Plane {
  const phases = Array.from({ length: times }, (_, k): Phase => {
    const place = (k + 0.5) / times - 0.5;
    return { first: floor(place) - 1, weights: cubicWeights(place - floor(place)) };
  });
  return transposed(widened(transposed(widened(plane, phases)), phases));
}

/** Weights of the four pixels round a position `share` of a pixel beyond the second of them. */
function cubicWeights(share: number): readonly number[] {
  const a = cubicSharpness;
  return [1 + share, share, 1 - share, 2 - share].map((distance) => {
    const d = abs(distance);
    return d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  });
}

function widened({ width, height, data }: Plane, phases: readonly Phase[]): Plane {
  const out = new Float32Array(width * phases.length * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      phases.forEach(({ first, weights }, phase) => {
        let sum = 0;
        for (let k = 0; k < 4; k += 1) {
          const from = min(width - 1, max(0, column + first + k));
          sum += (weights[k] ?? 0) * (data[row * width + from] ?? 0);
        }
        out[(row * width + column) * phases.length + phase] = sum;
      });
    }
  }
  return { width: width * phases.length, height, data: out };
}

function transposed({ width, height, data }: Plane): Plane {
  const out = new Float32Array(data.length);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) out[column * height + row] = data[row * width + column] ?? 0;
  }
  return { width: height, height: width, data: out };
}
