import { convolutionOf, convolved, type Convolution } from './convolution.js';
import { doubled, mapsOf, originOf, pooled, type FeatureMaps } from './featureMaps.js';
import type { Plane } from './gaussian.js';

/** The sizes of a network. Its layout is fixed: a U-Net of four levels with two 3×3 convolutions each. */
export interface NetworkShape {
  readonly inputs: number;
  /** Channels of the four levels, the finest first. */
  readonly widths: readonly [number, number, number, number];
  /** Logits a pixel; the first is that of a boundary, the second that of a field. */
  readonly outputs: number;
}

type Block = readonly [Convolution, Convolution];

/** A network ready to run. */
export interface Network {
  /** The finest level first. */
  readonly encoder: readonly [Block, Block, Block, Block];
  /** The coarsest level first. */
  readonly decoder: readonly [Block, Block, Block];
  /** The last, 1×1 convolution: [output][input]. */
  readonly head: { readonly weights: Float32Array; readonly bias: Float32Array };
}

/** The sides of the maps are multiples of 8: there are three poolings. */
const sideStep = 8;

/** Numbers of a network of this shape: weights and biases of its 15 layers, batch normalisation folded in. */
export function parameterCount(shape: NetworkShape): number {
  const blocks = blockShapes(shape).reduce((sum, [from, to]) => sum + to * from * 9 + to + to * to * 9 + to, 0);
  return blocks + shape.outputs * (shape.widths[0] + 1);
}

/** Input and output channels of the seven blocks in the order in which they run. */
function blockShapes({
  inputs,
  widths: [one, two, three, four],
}: NetworkShape): readonly (readonly [number, number])[] {
  return [
    [inputs, one],
    [one, two],
    [two, three],
    [three, four],
    [three + four, three],
    [two + three, two],
    [one + two, one],
  ];
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
  const block = (index: number): Block => {
    const [from, to] = blockShapes(shape)[index] ?? [0, 0];
    return [convolutionOf(take(to * from * 9), take(to)), convolutionOf(take(to * to * 9), take(to))];
  };
  return {
    encoder: [block(0), block(1), block(2), block(3)],
    decoder: [block(4), block(5), block(6)],
    head: { weights: take(shape.outputs * shape.widths[0]), bias: take(shape.outputs) },
  };
}

const run = (block: Block, ...inputs: readonly FeatureMaps[]): FeatureMaps =>
  convolved([convolved(inputs, block[0])], block[1]);

/**
 * Logits of every pixel.
 *
 * @param input planes of equal size; mirrored to the right and down up to multiples of 8 pixels
 * @returns one plane for each output, the size of the input
 */
export function logits({ encoder, decoder, head }: Network, input: readonly Plane[]): Plane[] {
  const one = run(encoder[0], mapsOf(input, sideStep));
  const two = run(encoder[1], pooled(one));
  const three = run(encoder[2], pooled(two));
  const four = run(encoder[3], pooled(three));
  const third = run(decoder[0], three, doubled(four));
  const second = run(decoder[1], two, doubled(third));
  const first = run(decoder[2], one, doubled(second));
  const { width = 0, height = 0 } = input[0] ?? {};
  return Array.from(head.bias, (bias, output) => {
    const weights = head.weights.subarray(output * first.channels, (output + 1) * first.channels);
    return { width, height, data: weightedSum(first, { weights, bias }, { width, height }) };
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
