import type { SampleGrid } from './cover.js';
import type { FinePlanes } from './paint.js';

const { ceil, exp, floor, min } = Math;

/** Samples along each side of a pixel. */
export const samplesPerPixel = 4;
export const pixelM = 10;
/** Pixels of ground painted round a window so that its edge is blurred like its middle. */
export const paintedMarginPixels = 3;

/** The fine grid that a window of pixels is painted on, its margin included. */
export function sampleGridOf(window: {
  readonly originX: number;
  readonly originY: number;
  readonly width: number;
  readonly height: number;
}): SampleGrid {
  const marginM = paintedMarginPixels * pixelM;
  return {
    originX: window.originX - marginM,
    originY: window.originY + marginM,
    stepM: pixelM / samplesPerPixel,
    width: (window.width + 2 * paintedMarginPixels) * samplesPerPixel,
    height: (window.height + 2 * paintedMarginPixels) * samplesPerPixel,
  };
}

/**
 * What a pixel sees of the fine planes: a Gaussian spot round its centre.
 *
 * @param sigmaM 4–10 m for Sentinel-2's 10 m bands
 * @returns [row][column] without the margin, one plane a band
 */
export function sensed(planes: FinePlanes, { width, height }: SampleGrid, sigmaM: number): FinePlanes {
  const kernel = spotOf(sigmaM / (pixelM / samplesPerPixel));
  const columns = width / samplesPerPixel - 2 * paintedMarginPixels;
  const rows = height / samplesPerPixel - 2 * paintedMarginPixels;
  const first = paintedMarginPixels * samplesPerPixel - (kernel.length - samplesPerPixel) / 2;
  const seenBy = (plane: Float32Array): Float32Array => {
    const narrow = new Float32Array(columns * height);
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        narrow[row * columns + column] = weightedSum(plane, kernel, {
          start: row * width + first + column * samplesPerPixel,
          step: 1,
        });
      }
    }
    const seen = new Float32Array(columns * rows);
    for (let k = 0; k < seen.length; k += 1) {
      const row = floor(k / columns);
      const start = (first + row * samplesPerPixel) * columns + (k - row * columns);
      seen[k] = weightedSum(narrow, kernel, { start, step: columns });
    }
    return seen;
  };
  return [seenBy(planes[0]), seenBy(planes[1]), seenBy(planes[2]), seenBy(planes[3])];
}

function weightedSum(
  values: Float32Array,
  kernel: Float64Array,
  { start, step }: { readonly start: number; readonly step: number },
): number {
  let sum = 0;
  for (let k = 0; k < kernel.length; k += 1) sum += (kernel[k] ?? 0) * (values[start + k * step] ?? 0);
  return sum;
}

/** An even number of weights, centred between the samples as a pixel's centre is, no wider than the margin. */
function spotOf(sigma: number): Float64Array {
  const half = min(paintedMarginPixels * samplesPerPixel, ceil(3 * sigma));
  const even = half + samplesPerPixel / 2 - (half % (samplesPerPixel / 2));
  const reach = min(even, paintedMarginPixels * samplesPerPixel);
  const weights = Float64Array.from({ length: 2 * reach }, (_, k) => exp(-((k + 0.5 - reach) ** 2) / (2 * sigma ** 2)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
