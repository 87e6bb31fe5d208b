import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { convolutionOf, convolved } from '../../../shared/boundary/network/convolution.js';
import { emptyMaps, originOf, type FeatureMaps } from '../../../shared/boundary/network/featureMaps.js';

/** The definition, pixel by pixel: cross-correlation, zeros outside, bias, ReLU. */
function plainConvolution(maps: FeatureMaps, weights: Float32Array, bias: Float32Array): number[] {
  const at = (channel: number, row: number, column: number): number =>
    row < 0 || column < 0 || row >= maps.height || column >= maps.width
      ? 0
      : maps.data[originOf(maps, channel) + row * maps.stride + column]!;
  const out: number[] = [];
  bias.forEach((shift, output) => {
    for (let row = 0; row < maps.height; row += 1) {
      for (let column = 0; column < maps.width; column += 1) {
        let sum = shift;
        for (let k = 0; k < maps.channels * 9; k += 1) {
          const [channel, y, x] = [Math.floor(k / 9), Math.floor((k % 9) / 3), k % 3];
          sum += weights[output * maps.channels * 9 + k]! * at(channel, row + y - 1, column + x - 1);
        }
        out.push(Math.max(0, sum));
      }
    }
  });
  return out;
}

describe('the convolution by minimal filtering', () => {
  test('equals the definition for any size, also where tiles are cut', () => {
    const numbers = fc.float({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 11 }),
        fc.integer({ min: 1, max: 11 }),
        fc.infiniteStream(numbers),
        (width, height, stream) => {
          const next = (): number => stream.next().value as number;
          const maps = emptyMaps(3, width, height);
          for (let channel = 0; channel < 3; channel += 1) {
            for (let k = 0; k < width * height; k += 1) {
              maps.data[originOf(maps, channel) + Math.floor(k / width) * maps.stride + (k % width)] = next();
            }
          }
          const weights = Float32Array.from({ length: 2 * 3 * 9 }, next);
          const bias = Float32Array.from({ length: 2 }, next);
          const found = convolved([maps], convolutionOf(weights, bias));
          plainConvolution(maps, weights, bias).forEach((value, k) => {
            const [output, pixel] = [Math.floor(k / (width * height)), k % (width * height)];
            const at = originOf(found, output) + Math.floor(pixel / width) * found.stride + (pixel % width);
            // Sums of 27 products of numbers below 2, kept in float32.
            expect(found.data[at]).toBeCloseTo(value, 4);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('works on pairs of outputs only', () => {
    expect(() => convolutionOf(new Float32Array(27), new Float32Array(1))).toThrow('even number of outputs');
  });
});
