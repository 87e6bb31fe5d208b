import { describe, expect, test } from '@jest/globals';
import { isSimple, ringArea, ringHolds, ringLength, signedArea } from '../../../shared/geo/shapes/rings.js';

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
] as const;

describe('the area of a ring', () => {
  test('is the same open or closed, in either direction', () => {
    for (const ring of [square, [...square, square[0]], square.toReversed()]) expect(ringArea(ring)).toBe(100);
  });

  test('of a ring without corners is 0', () => {
    expect(ringArea([])).toBe(0);
  });
});

describe('rings', () => {
  test('area is signed by the winding, length is not', () => {
    expect(signedArea(square)).toBe(100);
    expect(signedArea(square.toReversed())).toBe(-100);
    expect(ringLength(square)).toBe(40);
  });

  test('hold what lies inside', () => {
    expect(ringHolds(square, [5, 5])).toBe(true);
    expect(ringHolds(square, [15, 5])).toBe(false);
  });

  test.each([
    { why: 'a square', ring: square, expected: true },
    {
      why: 'a bow tie crosses itself',
      ring: [
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
      ],
      expected: false,
    },
    {
      why: 'a line encloses nothing',
      ring: [
        [0, 0],
        [10, 0],
      ],
      expected: false,
    },
    {
      why: 'a spike folds back',
      ring: [
        [0, 0],
        [10, 0],
        [20, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
      expected: false,
    },
    {
      why: 'two loops that touch in a corner',
      ring: [
        [0, 0],
        [5, 5],
        [10, 0],
        [10, 10],
        [5, 5],
        [0, 10],
      ],
      expected: false,
    },
  ] as const)('$why: simple is $expected', ({ ring, expected }) => {
    expect(isSimple(ring)).toBe(expected);
  });
});
