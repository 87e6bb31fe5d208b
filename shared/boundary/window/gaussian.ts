const { exp, floor } = Math;

/** The values of one quantity in a window: [row][column], row 0 north. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Weights over -radius…radius, radius int(4 sigma + 0.5), that add up to 1. */
export function gaussianKernel(sigma: number): Float64Array {
  const radius = floor(4 * sigma + 0.5);
  const weights = Float64Array.from({ length: 2 * radius + 1 }, (_, k) => exp(-((k - radius) ** 2) / (2 * sigma ** 2)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Weights of the first derivative of a Gaussian: positive where the values rise with the index. */
export function gaussianDerivativeKernel(sigma: number): Float64Array {
  const weights = gaussianKernel(sigma);
  const radius = (weights.length - 1) / 2;
  return weights.map((weight, k) => ((k - radius) / sigma ** 2) * weight);
}

/** The index to which any index is mirrored, the edge repeated (d c b a | a b c d | d c b a). */
function mirrored(index: number, count: number): number {
  const period = 2 * count;
  const wrapped = ((index % period) + period) % period;
  return wrapped < count ? wrapped : period - 1 - wrapped;
}

/** Correlates every row with the kernel, edges mirrored. */
export function filterRows({ width, height, data }: Plane, kernel: Float64Array): Plane {
  const radius = (kernel.length - 1) / 2;
  const padded = new Float64Array(width + 2 * radius);
  const out = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    for (let k = 0; k < padded.length; k += 1) padded[k] = data[start + mirrored(k - radius, width)] ?? 0;
    for (let column = 0; column < width; column += 1) {
      let sum = 0;
      for (let k = 0; k < kernel.length; k += 1) sum += (kernel[k] ?? 0) * (padded[column + k] ?? 0);
      out[start + column] = sum;
    }
  }
  return { width, height, data: out };
}

/** Correlates every column with the kernel, edges mirrored. */
export function filterColumns({ width, height, data }: Plane, kernel: Float64Array): Plane {
  const radius = (kernel.length - 1) / 2;
  const sums = new Float64Array(width);
  const out = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    sums.fill(0);
    for (let k = 0; k < kernel.length; k += 1) {
      const weight = kernel[k] ?? 0;
      const from = mirrored(row + k - radius, height) * width;
      for (let column = 0; column < width; column += 1) {
        sums[column] = (sums[column] ?? 0) + weight * (data[from + column] ?? 0);
      }
    }
    out.set(sums, row * width);
  }
  return { width, height, data: out };
}

/** Gaussian blur, edges mirrored. */
export function blurred(plane: Plane, sigma: number): Plane {
  const kernel = gaussianKernel(sigma);
  return filterRows(filterColumns(plane, kernel), kernel);
}
