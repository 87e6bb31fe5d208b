import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MultiPolygon, Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { coverOf, type GeoBox } from '../../../shared/scenes/place/footprint.js';
import { boxPolygon } from '../../imagery/builders.js';

/** The western half of a tile whose swath ends in the middle. */
const swath: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [12, 47],
      [12.6, 47],
      [12.9, 48],
      [12, 48],
      [12, 47],
    ],
  ],
};
const beyondAntimeridian: MultiPolygon = {
  type: 'MultiPolygon',
  coordinates: [boxPolygon([179, -17, 180, -16]).coordinates, boxPolygon([-180, -17, -179, -16]).coordinates],
};

describe('how much of a box an outline covers', () => {
  test.each<{ why: string; outline: Polygon | MultiPolygon; box: GeoBox; expected: string }>([
    { why: 'inside', outline: swath, box: [12.1, 47.2, 12.2, 47.3], expected: 'all' },
    { why: 'across the slanted edge', outline: swath, box: [12.7, 47.4, 12.8, 47.5], expected: 'some' },
    {
      why: 'in the bounding box, behind the slanted edge',
      outline: swath,
      box: [12.8, 47.1, 12.85, 47.2],
      expected: 'none',
    },
    { why: 'far away', outline: swath, box: [14, 47.2, 14.1, 47.3], expected: 'none' },
    { why: 'the outline inside the box', outline: swath, box: [11, 46, 13, 49], expected: 'some' },
    {
      why: 'west of the antimeridian',
      outline: beyondAntimeridian,
      box: [179.2, -16.5, 179.3, -16.4],
      expected: 'all',
    },
    { why: 'east of it', outline: beyondAntimeridian, box: [-179.3, -16.5, -179.2, -16.4], expected: 'all' },
    {
      why: 'across it, by two parts',
      outline: beyondAntimeridian,
      box: [179.9, -16.5, -179.9, -16.4],
      expected: 'some',
    },
    {
      why: 'one ring that runs across it',
      outline: boxPolygon([179, -17, 181, -16]),
      box: [179.9, -16.5, -179.9, -16.4],
      expected: 'all',
    },
    {
      why: 'one ring with both signs',
      outline: boxPolygon([179, -17, -179, -16]),
      box: [-179.6, -16.5, -179.5, -16.4],
      expected: 'all',
    },
    { why: 'the other side of the earth', outline: beyondAntimeridian, box: [0, -16.5, 0.1, -16.4], expected: 'none' },
  ])('$why: $expected', ({ outline, box, expected }) => {
    expect(coverOf(outline, box)).toBe(expected);
  });

  test('a hole in the data counts as missing', () => {
    const holed: Polygon = {
      type: 'Polygon',
      coordinates: [...boxPolygon([0, 0, 1, 1]).coordinates, ...boxPolygon([0.4, 0.4, 0.6, 0.6]).coordinates],
    };
    expect(coverOf(holed, [0.45, 0.45, 0.5, 0.5])).toBe('none');
    expect(coverOf(holed, [0.1, 0.1, 0.2, 0.2])).toBe('all');
    expect(coverOf(holed, [0.3, 0.3, 0.5, 0.5])).toBe('some');
  });

  test('of rectangles is what intervals say', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(span, span, span, span, ([x, width], [y, height], [u, w], [v, h]) => {
        const outline: GeoBox = [x, y, x + width, y + height];
        // Half steps keep the edges apart, so that nothing hangs on equality.
        const box: GeoBox = [u + 0.5, v + 0.5, u + w - 0.25, v + h - 0.25];
        const isIn = box[0] > outline[0] && box[2] < outline[2] && box[1] > outline[1] && box[3] < outline[3];
        const isOut = box[0] > outline[2] || box[2] < outline[0] || box[1] > outline[3] || box[3] < outline[1];
        expect(coverOf(boxPolygon(outline), box)).toBe(isIn ? 'all' : isOut ? 'none' : 'some');
      }),
    );
  });
});
