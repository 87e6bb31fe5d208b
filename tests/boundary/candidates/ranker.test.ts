import { describe, expect, test } from '@jest/globals';
import { featureNames } from '../../../shared/boundary/candidates/candidateFeatures.js';
import { rankerOf, scoreOf } from '../../../shared/boundary/candidates/ranker.js';
import { fixtureJson, shippedModel } from '../predict/fixtures.js';

const shape = { features: featureNames, baselines: [0.5], treesPerModel: 1, nodes: 3 };

/** One split: the first feature at most 2 → 0.25, above → -0.125. */
function oneSplit(): Uint8Array {
  const bytes = Buffer.alloc(3 * 13 + 4);
  [2, 0.25, -0.125].forEach((value, k) => bytes.writeDoubleLE(value, 8 * k));
  bytes.writeInt16LE(1, 28);
  bytes.writeInt16LE(2, 34);
  [0, -1, -1].forEach((value, k) => bytes.writeInt8(value, 40 + k));
  return bytes;
}

describe('the ranker', () => {
  test.each([
    { of: 'all fields', file: 'ranker-cases.json', ranker: shippedModel().ranker },
    { of: 'small fields', file: 'small-ranker-cases.json', ranker: shippedModel().smallRanker },
  ])('of $of gives what the fitting program gave for the same features, to 1e-9', ({ file, ranker }) => {
    const cases = fixtureJson(file) as { features: number[][]; scores: number[] };
    expect(cases.features.length).toBeGreaterThan(20);
    cases.features.forEach((features, k) => {
      expect(Math.abs(scoreOf(ranker, Float64Array.from(features)) - cases.scores[k]!)).toBeLessThan(1e-9);
    });
  });

  test.each([
    { why: 'a feature at the threshold goes left', first: 2, expected: 0.75 },
    { why: 'a feature above it goes right', first: 2.001, expected: 0.375 },
  ])('$why', ({ first, expected }) => {
    const features = new Float64Array(featureNames.length);
    features[0] = first;
    expect(scoreOf(rankerOf(shape, oneSplit(), featureNames), features)).toBe(expected);
  });

  test('refuses trees fitted to other features', () => {
    expect(() => rankerOf({ ...shape, features: ['log_area'] }, oneSplit(), featureNames)).toThrow(
      'wants the features log_area',
    );
  });

  test('refuses a file of another size', () => {
    expect(() => rankerOf({ ...shape, nodes: 4 }, oneSplit(), featureNames)).toThrow('has 43 bytes, not 56');
  });
});
