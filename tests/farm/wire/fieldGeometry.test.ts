import { describe, expect, test } from '@jest/globals';
import { fieldGeometry, searchGeometry } from '../../../shared/farm/wire/fieldGeometry.js';

const ring = [
  [13, 48],
  [13.01, 48],
  [13.01, 48.01],
  [13, 48.01],
  [13, 48],
];
const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates });
const moved = (x: number, y = 0) => ring.map(([lon = 0, lat = 0]) => [lon + x, lat + y]);

describe('the geometry of a field', () => {
  test.each([
    ['a polygon', polygon(ring)],
    ['one with heights', polygon(ring.map((position) => [...position, 312.5]))],
    ['one that runs clockwise', polygon(ring.toReversed())],
    ['one with a corner repeated', polygon([ring[0], ...ring])],
    ['a multipolygon', { type: 'MultiPolygon', coordinates: [[ring], [moved(1)]] }],
    ['a point', { type: 'Point', coordinates: [13, 48] }],
  ])('is kept as it was sent: %s', (_what, geometry) => {
    expect(fieldGeometry(geometry).geometry).toEqual(geometry);
  });

  test('is measured: its box and its area', () => {
    // 0.01° of longitude at 48.005° N is 746.3 m, 0.01° of latitude 1111.9 m (WGS 84): 83.0 ha.
    const { extent } = fieldGeometry(polygon(ring));
    expect(extent.box).toEqual([13, 48, 13.01, 48.01]);
    expect(extent.areaHa).toBeCloseTo(83.0, 0);
  });

  test('has a box that is the wrong way round where its parts lie on both sides of the antimeridian', () => {
    const parts = [[moved(166.99)], [moved(-193)]];
    const [west, , east] = fieldGeometry({ type: 'MultiPolygon', coordinates: parts }).extent.box;
    expect([west, east]).toEqual([expect.closeTo(179.99, 9), expect.closeTo(-179.99, 9)]);
  });

  test('may be smaller and larger than imagery takes: degree days need a place alone', () => {
    expect(fieldGeometry(polygon(moved(0, 40))).extent.box[1]).toBe(88);
  });

  test.each([
    ['of no known type', { type: 'LineString', coordinates: ring }, 'must be a Point, Polygon or MultiPolygon'],
    ['that is a text', 'POLYGON EMPTY', 'must be a Point, Polygon or MultiPolygon'],
    ['without coordinates', { type: 'Polygon' }, 'must be a Point, Polygon or MultiPolygon'],
    ['with a number that is not finite', { type: 'Point', coordinates: [13, Infinity] }, 'finite coordinates'],
    ['with positions of one number', polygon([[13], [14], [15], [13]]), 'finite coordinates'],
    ['with a text for a number', { type: 'Point', coordinates: ['13', 48] }, 'finite coordinates'],
    ['without a ring', polygon(), 'has a part without a ring'],
    ['that is not closed', polygon(ring.slice(0, 4)), 'repeat its first position'],
    ['of three positions', polygon([ring[0], ring[1], ring[0]]), 'at least 4 are needed'],
    ['outside the globe', polygon(moved(0, 60)), 'latitude ±90'],
    ['that swaps its axes', { type: 'Point', coordinates: [48, 130] }, 'look swapped'],
    ['that crosses itself', polygon([ring[0], ring[2], ring[1], ring[3], ring[0]]), 'crosses or overlaps itself'],
    ['whose hole lies outside', polygon(ring, moved(1)), 'is not inside its ring'],
    ['whose parts overlap', { type: 'MultiPolygon', coordinates: [[ring], [moved(0.005, 0.005)]] }, 'Two parts'],
    [
      'across the antimeridian',
      polygon([
        [179, 1],
        [-179, 1],
        [-179, 2],
        [179, 2],
        [179, 1],
      ]),
      'RFC 7946, 3.1.9',
    ],
    ['of too many positions', polygon(Array.from({ length: 100_002 }, (_, i) => [i % 2, 1])), 'at most 100000'],
  ])('is refused %s, in words', (_what, geometry, text) => {
    expect(() => fieldGeometry(geometry)).toThrow(text);
  });

  test('by which fields are searched has at most 1,000 positions', () => {
    const circle = Array.from({ length: 1_001 }, (_, i) => [Math.cos(i / 160), Math.sin(i / 160)]);
    expect(() => searchGeometry(polygon([...circle, circle[0]]))).toThrow('at most 1000 are taken');
  });
});
