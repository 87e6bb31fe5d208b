import { convolutionOf, convolved, type Convolution } from './convolution.js';
import { doubled, mapsOf, originOf, pooled, type FeatureMaps } from './featureMaps.js';
import type { Plane } from '../window/gaussian.js';

/** The sizes of a network. Its layout is fixed: a U-Net with two 3×3 convolutions a level. */
export interface NetworkShape {
  readonly inputs: number;
  /** Channels of the levels, the finest first. */
  readonly widths: readonly number[];
  /** Logits a pixel; the boundary network's first is that of a boundary, the second that of a field. */
  readonly outputs: number;
}

type Block = readonly [Convolution, Convolution];

/** A network ready to run. */
export interface Network {
  /** The finest level first. */
  readonly encoder: readonly Block[];
  /** The coarsest level first. */
  readonly decoder: readonly Block[];
  /** The last, 1×1 convolution: [output][input]. */
  readonly head: { readonly weights: Float32Array; readonly bias: Float32Array };
}

/** Numbers of a network of this shape: weights and biases of its layers, batch normalisation folded in. */
export function parameterCount(shape: NetworkShape): number {
  const blocks = blockShapes(shape).reduce((sum, [from, to]) => sum + to * from * 9 + to + to * to * 9 + to, 0);
  return blocks + shape.outputs * ((shape.widths[0] ?? 0) + 1);
}

/** Input and output channels of the blocks in the order in which they run. */
function blockShapes({ inputs, widths }: NetworkShape): readonly (readonly [number, number])[] {
  const down = widths.map((width, level) => [widths[level - 1] ?? inputs, width] as const);
  const up = widths.slice(1).map((width, level) => [(widths[level] ?? 0) + width, widths[level] ?? 0] as const);
  return [...down, ...up.reverse()];
}

/**
 * Builds the network from its numbers: for each layer in running order the weights, [output][input][row][column], then
 * the biases.
 *
 * @throws RangeError when there are not exactly `parameterCount` numbers
 */
export function networkOf(shape: NetworkShape, numbers: Float32Array): Network {
  if (numbers.length !== parameterCount(shape)) {
    throw new RangeError(`A network of this shape has ${parameterCount(shape)} numbers, not ${numbers.length}.`);
  }
  let at = 0;
  const take = (count: number): Float32Array => numbers.subarray(at, (at += count));
  const blocks = blockShapes(shape).map(([from, to]): Block => [
    convolutionOf(take(to * from * 9), take(to)),
    convolutionOf(take(to * to * 9), take(to)),
  ]);
  const [width = 0] = shape.widths;
  return {
    encoder: blocks.slice(0, shape.widths.length),
    decoder: blocks.slice(shape.widths.length),
    head: { weights: take(shape.outputs * width), bias: take(shape.outputs) },
  };
}

const run = (block: Block, ...inputs: readonly FeatureMaps[]): FeatureMaps =>
  convolved([convolved(inputs, block[0])], block[1]);

/**
 * Logits of every pixel.
 *
 * @param input planes of equal size; mirrored to the right and down up to whole pixels of the coarsest level
 * @returns one plane for each output, the size of the input
 */
export function logits({ encoder, decoder, head }: Network, input: readonly Plane[]): Plane[] {
  const levels: FeatureMaps[] = [];
  for (const block of encoder) {
    const above = levels.at(-1);
    levels.push(run(block, above === undefined ? mapsOf(input, 2 ** (encoder.length - 1)) : pooled(above)));
  }
  let below = levels.pop();
  for (const block of decoder) {
    const skip = levels.pop();
    if (skip !== undefined && below !== undefined) below = run(block, skip, doubled(below));
  }
  const finest = below ?? mapsOf(input, 1);
  const { width = 0, height = 0 } = input[0] ?? {};
  return Array.from(head.bias, (bias, output) => {
    const weights = head.weights.subarray(output * finest.channels, (output + 1) * finest.channels);
    return { width, height, data: weightedSum(finest, { weights, bias }, { width, height }) };
  });
}

function weightedSum(
  maps: FeatureMaps,
  { weights, bias }: { readonly weights: Float32Array; readonly bias: number },
  { width, height }: { readonly width: number; readonly height: number },
): Float32Array {
  const sum = new Float32Array(width * height).fill(bias);
  weights.forEach((weight, channel) => {
    for (let row = 0; row < height; row += 1) {
      const from = originOf(maps, channel) + row * maps.stride;
      for (let column = 0; column < width; column += 1) {
        const k = row * width + column;
        sum[k] = (sum[k] ?? 0) + weight * (maps.data[from + column] ?? 0);
      }
    }
  });
  return sum;
}
