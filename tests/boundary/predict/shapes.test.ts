import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { convexHull, outerContour, smallestRectangle } from '../../../shared/boundary/outline/contour.js';
import { maskContours } from '../../../shared/boundary/outline/maskContours.js';
import { connectedPart, type Bitmap } from '../../../shared/boundary/window/morphology.js';
import { isSimple, signedArea } from '../../../shared/geo/shapes/rings.js';
import { distanceToSegment, simplifiedRing } from '../../../shared/boundary/outline/simplify.js';

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
] as const;

/** Random bitmaps, about half full. */
const bitmaps: fc.Arbitrary<Bitmap> = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height, max: 1 })
      .map((data) => ({ width, height, data: Uint8Array.from(data) })),
  );

describe('the outer contour of a bitmap', () => {
  test.each([
    { why: 'a lone pixel', rows: ['...', '.#.', '...'], expected: [[1, 1]] },
    {
      why: 'a thread comes up once each way',
      rows: ['###'],
      expected: [
        [0, 0],
        [1, 0],
        [2, 0],
        [1, 0],
      ],
    },
    {
      why: 'a block runs clockwise on the screen',
      rows: ['##', '##'],
      expected: [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
    },
  ])('$why', ({ rows, expected }) => {
    const data = Uint8Array.from(rows.join(''), (letter) => (letter === '#' ? 1 : 0));
    expect(outerContour({ width: rows[0]!.length, height: rows.length, data })).toEqual(expected);
  });

  test('of nothing is empty', () => {
    expect(outerContour({ width: 2, height: 1, data: new Uint8Array(2) })).toEqual([]);
  });
});

describe('convex hulls', () => {
  test('leave out what lies inside or on a side', () => {
    const hull = convexHull([...square, [5, 5], [5, 0]]);
    expect(hull).toHaveLength(4);
    expect(Math.abs(signedArea(hull))).toBe(100);
  });

  test('the smallest rectangle turns with the shape', () => {
    const turned = [
      [0, 0],
      [3, 4],
      [-1, 7],
      [-4, 3],
    ] as const;
    const [along, across] = smallestRectangle(convexHull(turned));
    expect([along, across].map((side) => Math.round(side * 1e9) / 1e9)).toEqual([5, 5]);
  });
});

describe('simplified rings', () => {
  test('keep corners and drop what lies on the sides', () => {
    const dense = square.flatMap(([x, y], k) => {
      const [nextX, nextY] = square[(k + 1) % 4]!;
      return [0, 0.25, 0.5, 0.75].map((share) => [x + share * (nextX - x), y + share * (nextY - y)] as const);
    });
    expect(new Set(simplifiedRing(dense, 0.5).map(String))).toEqual(new Set(square.map(String)));
  });

  test('pass every dropped point within the tolerance', () => {
    const point = fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 0, max: 50, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 4, maxLength: 40 }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (ring, tolerance) => {
          const kept = simplifiedRing(ring, tolerance);
          for (const dropped of ring) {
            const distances = kept.map((from, k) => distanceToSegment(dropped, from, kept[(k + 1) % kept.length]!));
            expect(Math.min(...distances)).toBeLessThanOrEqual(tolerance + 1e-9);
          }
        },
      ),
    );
  });
});

describe('contours of a bitmap', () => {
  const softening = { sigma: 0.7, level: 0.5 };

  test('of any bitmap are simple rings that do not leave it', () => {
    fc.assert(
      fc.property(bitmaps, (bitmap) => {
        for (const ring of maskContours(bitmap, softening)) {
          expect(isSimple(ring)).toBe(true);
          for (const [x, y] of ring) {
            expect(x).toBeGreaterThanOrEqual(-1e-3);
            expect(y).toBeLessThanOrEqual(bitmap.height + 1e-3);
          }
        }
      }),
    );
  });

  test('of a large block enclose its area but for the rounded corners', () => {
    const block = { width: 20, height: 10, data: new Uint8Array(200).fill(1) };
    const rings = maskContours(block, softening);
    expect(rings).toHaveLength(1);
    expect(Math.abs(signedArea(rings[0]!))).toBeGreaterThan(197);
  });

  test('go round a hole by themselves', () => {
    const data = new Uint8Array(144).fill(1);
    for (const k of [65, 66, 77, 78, 53, 54, 64, 67, 76, 79]) data[k] = 0;
    const bitmap = { width: 12, height: 12, data };
    expect(connectedPart(bitmap, 0).data).toEqual(data);
    expect(maskContours(bitmap, softening)).toHaveLength(2);
  });
});
