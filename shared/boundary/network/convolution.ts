import { emptyMaps, originOf, tileSide, type FeatureMaps } from './featureMaps.js';

const { ceil, floor, max, min } = Math;

/** A 3×3 convolution with bias and ReLU, its weights transformed for tiles of 4×4 outputs. */
export interface Convolution {
  readonly inputs: number;
  readonly outputs: number;
  /** [tile position 0–35][output][input] */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

/** A tile of 4×4 outputs sees 6×6 inputs. */
const positions = 36;

/** Rows of G: what the three weights of a line become (Lavin & Gray, F(4×4, 3×3)). */
const weightTransform: readonly (readonly [number, number, number])[] = [
  [1 / 4, 0, 0],
  [-1 / 6, -1 / 6, -1 / 6],
  [-1 / 6, 1 / 6, -1 / 6],
  [1 / 24, 1 / 12, 1 / 6],
  [1 / 24, -1 / 12, 1 / 6],
  [0, 0, 1],
];

/**
 * Prepares a layer.
 *
 * @param weights [output][input][row][column], 3×3
 * @throws RangeError when the number of outputs is odd: they are computed in pairs
 */
export function convolutionOf(weights: Float32Array, bias: Float32Array): Convolution {
  const outputs = bias.length;
  if (outputs % 2 === 1) throw new RangeError(`A convolution has an even number of outputs, not ${outputs}.`);
  const inputs = weights.length / 9 / outputs;
  const transformed = new Float64Array(positions * outputs * inputs);
  for (let pair = 0; pair < outputs * inputs; pair += 1) {
    const kernel = weights.subarray(9 * pair, 9 * pair + 9);
    for (let position = 0; position < positions; position += 1) {
      transformed[position * outputs * inputs + pair] = transformedWeight(kernel, position);
    }
  }
  return { inputs, outputs, weights: transformed, bias: Float64Array.from(bias) };
}

/** One element of G g Gᵀ. */
function transformedWeight(kernel: Float32Array, position: number): number {
  const down = weightTransform[floor(position / 6)] ?? [0, 0, 0];
  const across = weightTransform[position % 6] ?? [0, 0, 0];
  let sum = 0;
  down.forEach((rowWeight, row) => {
    across.forEach((columnWeight, column) => {
      sum += rowWeight * columnWeight * (kernel[3 * row + column] ?? 0);
    });
  });
  return sum;
}

/** Intermediate values of one row of tiles. */
interface TileRow {
  /** Tiles in a row, rounded up to a multiple of 4. */
  readonly tiles: number;
  /** [tile position][input][tile] */
  readonly seen: Float64Array;
  /** [tile position][output][tile] */
  readonly products: Float64Array;
  /** Six lines of one channel after the transform down the columns. */
  readonly lines: Float64Array;
}

/**
 * 3×3 cross-correlation with zeros round the maps, bias and ReLU, by Winograd's minimal filtering: 36 products for 16
 * outputs instead of 144.
 *
 * @param inputs maps of equal size whose channels follow one another
 * @see Lavin & Gray (2016), Fast algorithms for convolutional neural networks
 */
export function convolved(inputs: readonly FeatureMaps[], layer: Convolution): FeatureMaps {
  const [first] = inputs;
  if (first === undefined) throw new RangeError('A convolution needs maps.');
  const out = emptyMaps(layer.outputs, first.width, first.height);
  const tiles = 4 * ceil(first.width / tileSide / 4);
  const row: TileRow = {
    tiles,
    seen: new Float64Array(positions * layer.inputs * tiles),
    products: new Float64Array(positions * layer.outputs * tiles),
    lines: new Float64Array(6 * first.stride),
  };
  for (let top = 0; top < first.height; top += tileSide) {
    let channel = 0;
    for (const maps of inputs) {
      for (let own = 0; own < maps.channels; own += 1) {
        transformDown(maps, own * maps.planeSize + top * maps.stride, row.lines);
        transformAcross(row, maps.stride, { channel, inputs: layer.inputs });
        channel += 1;
      }
    }
    for (let position = 0; position < positions; position += 1) multiply(row, layer, position);
    for (let output = 0; output < layer.outputs; output += 1) writeTiles(row, layer, { out, output, top });
  }
  return out;
}

/** Bᵀ d: six rows of a channel, the frame included, into six lines. */
function transformDown({ data, stride }: FeatureMaps, start: number, lines: Float64Array): void {
  for (let column = 0; column < stride; column += 1) {
    const k = start + column;
    const a = data[k] ?? 0;
    const b = data[k + stride] ?? 0;
    const c = data[k + 2 * stride] ?? 0;
    const d = data[k + 3 * stride] ?? 0;
    const e = data[k + 4 * stride] ?? 0;
    const f = data[k + 5 * stride] ?? 0;
    lines[column] = 4 * a - 5 * c + e;
    lines[column + stride] = d + e - 4 * (b + c);
    lines[column + 2 * stride] = e - d + 4 * (b - c);
    lines[column + 3 * stride] = e - c + 2 * (d - b);
    lines[column + 4 * stride] = e - c + 2 * (b - d);
    lines[column + 5 * stride] = 4 * b - 5 * d + f;
  }
}

/** (Bᵀ d) B: every tile's six columns of the six lines, to their tile positions. */
function transformAcross(
  { tiles, seen, lines }: TileRow,
  stride: number,
  { channel, inputs }: { readonly channel: number; readonly inputs: number },
): void {
  const next = inputs * tiles;
  const used = floor((stride - 2) / tileSide);
  for (let line = 0; line < 6; line += 1) {
    for (let tile = 0; tile < used; tile += 1) {
      const k = line * stride + tile * tileSide;
      const a = lines[k] ?? 0;
      const b = lines[k + 1] ?? 0;
      const c = lines[k + 2] ?? 0;
      const d = lines[k + 3] ?? 0;
      const e = lines[k + 4] ?? 0;
      const f = lines[k + 5] ?? 0;
      const to = 6 * line * next + channel * tiles + tile;
      seen[to] = 4 * a - 5 * c + e;
      seen[to + next] = d + e - 4 * (b + c);
      seen[to + 2 * next] = e - d + 4 * (b - c);
      seen[to + 3 * next] = e - c + 2 * (d - b);
      seen[to + 4 * next] = e - c + 2 * (b - d);
      seen[to + 5 * next] = 4 * b - 5 * d + f;
    }
  }
}

/** products = weights × seen at one tile position, two outputs and four tiles at a time so that the sums stay in registers. */
function multiply(
  { tiles, seen, products }: TileRow,
  { inputs, outputs, weights }: Convolution,
  position: number,
): void {
  const fromSeen = position * inputs * tiles;
  for (let output = 0; output < outputs; output += 2) {
    const upper = (position * outputs + output) * inputs;
    const lower = upper + inputs;
    for (let tile = 0; tile < tiles; tile += 4) {
      let [a0, a1, a2, a3, b0, b1, b2, b3] = [0, 0, 0, 0, 0, 0, 0, 0];
      let k = fromSeen + tile;
      for (let input = 0; input < inputs; input += 1) {
        const a = weights[upper + input] ?? 0;
        const b = weights[lower + input] ?? 0;
        const s0 = seen[k] ?? 0;
        const s1 = seen[k + 1] ?? 0;
        const s2 = seen[k + 2] ?? 0;
        const s3 = seen[k + 3] ?? 0;
        a0 += a * s0;
        a1 += a * s1;
        a2 += a * s2;
        a3 += a * s3;
        b0 += b * s0;
        b1 += b * s1;
        b2 += b * s2;
        b3 += b * s3;
        k += tiles;
      }
      const to = (position * outputs + output) * tiles + tile;
      products[to] = a0;
      products[to + 1] = a1;
      products[to + 2] = a2;
      products[to + 3] = a3;
      products[to + tiles] = b0;
      products[to + tiles + 1] = b1;
      products[to + tiles + 2] = b2;
      products[to + tiles + 3] = b3;
    }
  }
}

/** Buffers of `writeTiles` for one tile: its products as 4 rows of 6, then its 4×4 outputs. */
const half = new Float64Array(24);
const square = new Float64Array(16);

/** Aᵀ m A, bias and ReLU of one output channel's tiles, into the maps. */
function writeTiles(
  { tiles, products }: TileRow,
  { outputs, bias }: Convolution,
  { out, output, top }: { readonly out: FeatureMaps; readonly output: number; readonly top: number },
): void {
  const rows = min(tileSide, out.height - top);
  for (let tile = 0; tile * tileSide < out.width; tile += 1) {
    gatherDown(products, output * tiles + tile, outputs * tiles);
    gatherAcross(bias[output] ?? 0);
    const columns = min(tileSide, out.width - tile * tileSide);
    for (let row = 0; row < rows; row += 1) {
      const to = originOf(out, output) + (top + row) * out.stride + tile * tileSide;
      for (let column = 0; column < columns; column += 1) out.data[to + column] = square[4 * row + column] ?? 0;
    }
  }
}

/** Aᵀ m: the 6×6 products of one tile to 4 rows of 6. */
function gatherDown(products: Float64Array, start: number, next: number): void {
  for (let column = 0; column < 6; column += 1) {
    const k = start + column * next;
    const b = products[k + 6 * next] ?? 0;
    const c = products[k + 12 * next] ?? 0;
    const d = products[k + 18 * next] ?? 0;
    const e = products[k + 24 * next] ?? 0;
    half[column] = (products[k] ?? 0) + b + c + d + e;
    half[column + 6] = b - c + 2 * (d - e);
    half[column + 12] = b + c + 4 * (d + e);
    half[column + 18] = b - c + 8 * (d - e) + (products[k + 30 * next] ?? 0);
  }
}

/** (Aᵀ m) A with bias and ReLU: 4 rows of 6 to the 4×4 outputs. */
function gatherAcross(bias: number): void {
  for (let row = 0; row < 4; row += 1) {
    const k = 6 * row;
    const b = half[k + 1] ?? 0;
    const c = half[k + 2] ?? 0;
    const d = half[k + 3] ?? 0;
    const e = half[k + 4] ?? 0;
    square[4 * row] = max(0, bias + (half[k] ?? 0) + b + c + d + e);
    square[4 * row + 1] = max(0, bias + b - c + 2 * (d - e));
    square[4 * row + 2] = max(0, bias + b + c + 4 * (d + e));
    square[4 * row + 3] = max(0, bias + b - c + 8 * (d - e) + (half[k + 5] ?? 0));
  }
}
