import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { confidenceClassOf, confidenceFloor, confidenceOf } from '../../../shared/boundary/predict/confidence.js';

const oneDate = { dates: 1, judge: 'usual', fieldProbability: 0.99 } as const;
const aJudge = fc.constantFrom('usual' as const, 'small' as const);
const aScore = fc.double({ min: -0.2, max: 1.2, noNaN: true });

describe('the confidence of an outline', () => {
  test('is between 0 and 1 and never falls when the score rises', () => {
    fc.assert(
      fc.property(
        aScore,
        aScore,
        fc.nat(6),
        fc.double({ min: 0, max: 1, noNaN: true }),
        aJudge,
        (a, b, dates, probability, judge) => {
          const sight = { dates, judge, fieldProbability: probability };
          const [low, high] = [Math.min(a, b), Math.max(a, b)].map((score) => confidenceOf(score, sight)) as [
            number,
            number,
          ];
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(high).toBeGreaterThanOrEqual(low);
        },
      ),
    );
  });

  test.each([
    { score: 0.4, judge: 'usual', expected: 0.48 },
    { score: 0.72, judge: 'usual', expected: 0.72 },
    { score: 0.92, judge: 'usual', expected: 0.87 },
    { score: 0.44, judge: 'small', expected: 0.58 },
    { score: 0.72, judge: 'small', expected: 0.72 },
    { score: 0.92, judge: 'small', expected: 0.82 },
  ] as const)(
    'is a score of $score of the $judge ranker, drawn towards the usual overlap: $expected',
    ({ score, judge, expected }) => {
      expect(confidenceOf(score, { ...oneDate, judge })).toBeCloseTo(expected, 9);
    },
  );

  test('is higher with several dates, which the score knows nothing of', () => {
    expect(confidenceOf(0.6, { ...oneDate, dates: 2 })).toBeGreaterThan(confidenceOf(0.6, oneDate));
    expect(confidenceOf(0.6, { ...oneDate, dates: 6 })).toBe(confidenceOf(0.6, { ...oneDate, dates: 2 }));
  });

  test('stays below the floor where the network sees no field at the point, however sharp the outline', () => {
    expect(confidenceOf(0.95, { ...oneDate, fieldProbability: 0.9 })).toBeLessThan(confidenceFloor);
    expect(confidenceOf(0.95, { ...oneDate, fieldProbability: undefined })).toBeGreaterThan(confidenceFloor);
  });

  test('stays below the floor where the ranker of small fields has a score that points outside fields have', () => {
    expect(confidenceOf(0.43, { ...oneDate, judge: 'small' })).toBeLessThan(confidenceFloor);
    expect(confidenceOf(0.43, oneDate)).toBeGreaterThan(confidenceFloor);
  });

  test('is 0 without a candidate', () => {
    expect(confidenceOf(undefined, oneDate)).toBe(0);
  });
});

test.each([
  { confidence: 0.3, expected: 'low' },
  { confidence: 0.55, expected: 'medium' },
  { confidence: 0.75, expected: 'high' },
])('a confidence of $confidence is $expected', ({ confidence, expected }) => {
  expect(confidenceClassOf(confidence)).toBe(expected);
});
