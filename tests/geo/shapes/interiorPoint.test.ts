import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MultiPolygon, Polygon, Position, Ring } from '../../../shared/geo/shapes/geoJson.js';
import { interiorPointOf } from '../../../shared/geo/shapes/interiorPoint.js';

const polygon = (...rings: Ring[]): Polygon => ({ type: 'Polygon', coordinates: rings });

const box = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

/** A U open to the north: its centroid lies in the bay. */
const horseshoe: Ring = [
  [0, 0],
  [10, 0],
  [10, 10],
  [7, 10],
  [7, 2],
  [3, 2],
  [3, 10],
  [0, 10],
  [0, 0],
];

/** Independent of the code under test: winding number of a ring around a point. */
const windsAround = (ring: Ring, [x, y]: Position): boolean => {
  const angles = ring.map(([px, py]) => Math.atan2(py - y, px - x));
  const turns = angles.slice(1).reduce((sum, angle, index) => {
    const step = angle - angles[index]!;
    return sum + (step > Math.PI ? step - 2 * Math.PI : step < -Math.PI ? step + 2 * Math.PI : step);
  }, 0);
  return Math.abs(turns) > Math.PI;
};

describe('the point of a field', () => {
  test.each([
    { why: 'a square', geometry: polygon(box(-93, 42, 0.01)), position: [-92.995, 42.005] },
    { why: 'a clockwise square', geometry: polygon(box(-93, 42, 0.01).toReversed()), position: [-92.995, 42.005] },
    {
      why: 'a triangle: the mean of its corners',
      geometry: polygon([
        [0, 0],
        [6, 0],
        [0, 3],
        [0, 0],
      ]),
      position: [2, 1],
    },
    {
      why: 'a hole in the east pulls it west: (16·2 − 1·3) / 15',
      geometry: polygon(box(0, 0, 4), box(2.5, 1.5, 1)),
      position: [29 / 15, 2],
    },
    {
      why: 'a part across the antimeridian',
      geometry: polygon([
        [179.9, -17],
        [-179.9, -17],
        [-179.9, -16.8],
        [179.9, -16.8],
        [179.9, -17],
      ]),
      position: [180, -16.9],
    },
  ])('is the centroid of $why', ({ geometry, position }) => {
    const point = interiorPointOf(geometry);
    expect(point?.how).toBe('boundary-centroid');
    expect(point?.position[0]).toBeCloseTo(position[0]!, 9);
    expect(point?.position[1]).toBeCloseTo(position[1]!, 9);
  });

  test('is a point on the surface when the centroid lies in a bay', () => {
    const point = interiorPointOf(polygon(horseshoe));
    expect(point?.how).toBe('point-on-surface');
    expect(windsAround(horseshoe, point!.position)).toBe(true);
  });

  test('is a point on the surface when the centroid lies in a hole', () => {
    const point = interiorPointOf(polygon(box(0, 0, 9), box(3, 3, 3)));
    expect(point?.how).toBe('point-on-surface');
    expect(windsAround(box(3, 3, 3), point!.position)).toBe(false);
    expect(windsAround(box(0, 0, 9), point!.position)).toBe(true);
  });

  test('lies in the largest part when the centroid lies between the parts', () => {
    const parts: MultiPolygon = { type: 'MultiPolygon', coordinates: [[box(0, 0, 1)], [box(5, 0, 2)]] };
    const point = interiorPointOf(parts);
    expect(point?.how).toBe('point-on-surface');
    expect(windsAround(box(5, 0, 2), point!.position)).toBe(true);
  });

  test.each([
    {
      why: 'all positions on a line',
      geometry: polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
    },
    {
      why: 'one position',
      geometry: polygon([
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
    },
    { why: 'an empty ring', geometry: polygon([]) },
    { why: 'no part', geometry: { type: 'MultiPolygon', coordinates: [] } as MultiPolygon },
  ])('does not exist for $why', ({ geometry }) => {
    expect(interiorPointOf(geometry)).toBeUndefined();
  });

  test('lies inside every star-shaped field, wherever the ring starts and whichever way it winds', () => {
    const radii = fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 5, maxLength: 24 });
    fc.assert(
      fc.property(radii, fc.nat(), fc.boolean(), (lengths, start, isReversed) => {
        const corners = lengths.map((length, index): Position => {
          const angle = (2 * Math.PI * index) / lengths.length;
          return [-93 + length * Math.cos(angle), 42 + length * Math.sin(angle)];
        });
        const turned = [...corners.slice(start % corners.length), ...corners.slice(0, start % corners.length)];
        const ring = [...turned, turned[0]!];
        const point = interiorPointOf(polygon(isReversed ? ring.toReversed() : ring));
        expect(point).toBeDefined();
        expect(windsAround(ring, point!.position)).toBe(true);
        expect(point!.position[0]).toBeCloseTo(interiorPointOf(polygon([...corners, corners[0]!]))!.position[0], 6);
      }),
    );
  });
});
