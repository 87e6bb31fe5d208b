import { describe, expect, test } from '@jest/globals';
import { logits, networkOf, parameterCount, type NetworkShape } from '../../../shared/boundary/network/network.js';
import { fixtureFloats, largestDifference, planesOf, shippedModel } from '../predict/fixtures.js';

const shape: NetworkShape = { inputs: 4, widths: [12, 24, 36, 48], outputs: 2 };

describe('the boundary network', () => {
  test('gives what PyTorch gave for the same weights and input, to 1e-4', () => {
    const [network] = shippedModel().networks;
    const expected = planesOf(fixtureFloats('network-logits.bin'), 64, 64);
    const found = logits(network!, planesOf(fixtureFloats('network-input.bin'), 64, 64));
    expect(found).toHaveLength(2);
    found.forEach(({ data }, k) => {
      expect(largestDifference(data, expected[k]!.data)).toBeLessThan(1e-4);
    });
  });

  test('has 127,850 numbers', () => {
    expect(parameterCount(shape)).toBe(127_850);
  });

  test('refuses a file of another size', () => {
    expect(() => networkOf(shape, new Float32Array(127_849))).toThrow('has 127850 numbers, not 127849');
  });

  test('takes windows whose sides are no multiple of 8 and gives them back in their size', () => {
    const [network] = shippedModel().networks;
    const input = planesOf(fixtureFloats('network-input.bin'), 64, 64).map(({ data }) => ({
      width: 61,
      height: 64,
      data: data.slice(0, 61 * 64),
    }));
    const [boundary] = logits(network!, input);
    expect(boundary).toMatchObject({ width: 61, height: 64 });
    expect(boundary!.data.every(Number.isFinite)).toBe(true);
  });
});
