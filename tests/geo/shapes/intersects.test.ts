import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { doBoxesMeet, geoBoxAround, type Box } from '../../../shared/geo/shapes/box.js';
import type { MultiPolygon, Point, Polygon, Ring } from '../../../shared/geo/shapes/geoJson.js';
import { comparedArea, doMeet } from '../../../shared/geo/shapes/intersects.js';
import { tries } from '../../support/fullRun.js';

const point = (x: number, y: number): Point => ({ type: 'Point', coordinates: [x, y] });
const ring = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...coordinates: Ring[]): Polygon => ({ type: 'Polygon', coordinates });
const multi = (...parts: Ring[]): MultiPolygon => ({ type: 'MultiPolygon', coordinates: parts.map((part) => [part]) });

const square = polygon(ring(0, 0, 10, 10));
const pond = polygon(ring(0, 0, 10, 10), ring(4, 4, 6, 6));

describe('two geometries have a point in common', () => {
  test.each([
    { why: 'edges cross', one: square, other: polygon(ring(5, 5, 15, 15)), expected: true },
    { why: 'edges touch from outside', one: square, other: polygon(ring(10, 2, 12, 4)), expected: true },
    { why: 'corners touch', one: square, other: polygon(ring(10, 10, 12, 12)), expected: true },
    { why: 'one lies inside the other', one: square, other: polygon(ring(2, 2, 3, 3)), expected: true },
    { why: 'they are the same', one: square, other: square, expected: true },
    { why: 'they lie apart', one: square, other: polygon(ring(11, 0, 12, 10)), expected: false },
    { why: 'their boxes meet and they do not', one: square, other: triangle(), expected: false },
    { why: 'one lies in the hole of the other', one: pond, other: polygon(ring(4.5, 4.5, 5.5, 5.5)), expected: false },
    { why: 'one fills the hole of the other', one: pond, other: polygon(ring(4, 4, 6, 6)), expected: true },
    { why: 'a point lies inside', one: square, other: point(5, 5), expected: true },
    { why: 'a point lies on an edge', one: square, other: point(10, 5), expected: true },
    { why: 'a point lies in the hole', one: pond, other: point(5, 5), expected: false },
    { why: 'a point lies on the edge of the hole', one: pond, other: point(4, 5), expected: true },
    { why: 'two points are the same', one: point(1, 2), other: point(1, 2), expected: true },
    { why: 'two points differ', one: point(1, 2), other: point(1, 3), expected: false },
    { why: 'the second part meets', one: multi(ring(50, 0, 60, 10), ring(8, 8, 9, 9)), other: square, expected: true },
    {
      why: 'both lie across the antimeridian',
      one: multi(ring(179, 0, 180, 1), ring(-180, 0, -179, 1)),
      other: polygon(ring(-179.5, 0.2, -179.4, 0.4)),
      expected: true,
    },
    {
      why: 'one lies between the parts of one across the antimeridian',
      one: multi(ring(179, 0, 180, 1), ring(-180, 0, -179, 1)),
      other: polygon(ring(0, 0, 1, 1)),
      expected: false,
    },
  ])('where $why: $expected, in either order', ({ one, other, expected }) => {
    expect([doMeet(one, comparedArea(other)), doMeet(other, comparedArea(one))]).toEqual([expected, expected]);
  });

  /** Its box covers a corner of the square, its area does not. */
  function triangle(): Polygon {
    return polygon([
      [9, 12],
      [12, 9],
      [12, 12],
      [9, 12],
    ]);
  }

  const boxes = fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }), fc.nat({ max: 8 }), fc.nat({ max: 8 }))
    .map(([west, south, width, height]): Box => [west, south, west + width + 1, south + height + 1]);

  test('as their boxes do, where they are boxes', () => {
    fc.assert(
      fc.property(boxes, boxes, (one, other) => {
        const [first, second] = [polygon(ring(...one)), polygon(ring(...other))];
        expect(doMeet(first, comparedArea(second))).toBe(doBoxesMeet(one, other));
      }),
      { numRuns: tries(1_000) },
    );
  });
});

describe('the box around positions in degrees', () => {
  test('has its west above its east where they lie on both sides of the antimeridian', () => {
    expect(
      geoBoxAround([
        [179, 1],
        [-178, 2],
      ]),
    ).toEqual([179, 1, -178, 2]);
  });

  test('holds parts that lie all around the globe', () => {
    const around = [-100, -90, -5, 2, 140, 150].map((x): [number, number] => [x, 50]);
    expect(geoBoxAround(around)).toEqual([-100, 50, 150, 50]);
  });

  test.each<[string, Box, Box, boolean]>([
    ['one across the antimeridian and one east of it', [179, 0, -179, 1], [-179.5, 0, -170, 1], true],
    ['one across the antimeridian and one west of it', [179, 0, -179, 1], [170, 0, 179.5, 1], true],
    ['two across the antimeridian', [179, 0, -179, 1], [178, 0, -179.9, 1], true],
    ['one across the antimeridian and one far from it', [179, 0, -179, 1], [-10, 0, 10, 1], false],
    ['one above the other', [0, 0, 1, 1], [0, 2, 1, 3], false],
  ])('meets another: %s', (_what, one, other, expected) => {
    expect([doBoxesMeet(one, other), doBoxesMeet(other, one)]).toEqual([expected, expected]);
  });
});
