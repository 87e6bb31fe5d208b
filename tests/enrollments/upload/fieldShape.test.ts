import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { FieldFailure } from '../../../shared/geo/soundness/fieldFailure.js';
import { checkField } from '../../../shared/enrollments/upload/fieldShape.js';
import { WorkBudget } from '../../../shared/geo/soundness/workBudget.js';
import { aRing, boundaryOf } from '../builders.js';

type Ring = readonly (readonly number[])[];

const polygon = (...coordinates: Ring[]) => ({ type: 'Polygon', coordinates });
const multi = (...coordinates: Ring[][]) => ({ type: 'MultiPolygon', coordinates });
const check = (geometry: { readonly type: string; readonly coordinates: unknown }) =>
  checkField(boundaryOf(geometry), new WorkBudget());

function failureOf(geometry: { readonly type: string; readonly coordinates: unknown }): FieldFailure {
  try {
    check(geometry);
  } catch (error) {
    if (error instanceof FieldFailure) return error;
    throw error;
  }
  throw new Error('The field is sound.');
}

/** A rectangle from its south-west corner, in degrees. */
const box = (west: number, south: number, width: number, height = width): Ring => [
  [west, south],
  [west + width, south],
  [west + width, south + height],
  [west, south + height],
  [west, south],
];

describe('a sound field', () => {
  test('is measured: area, box, zone, hash of its geometry', () => {
    const { shape, geometry } = check(polygon(aRing()));
    // 0.01° of longitude at 48.292° N is 741.9 m, 0.004° of latitude 444.8 m (WGS 84): 33.0 ha.
    expect(shape.areaHa).toBeCloseTo(33.0, 1);
    expect(shape).toMatchObject({ bbox: [13.14, 48.29, 13.15, 48.294], epsg: 32633, positions: 5 });
    const text = new TextDecoder().decode(geometry);
    expect(JSON.parse(text)).toEqual({ type: 'MultiPolygon', coordinates: [[aRing()]] });
    expect(shape.geometryHash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test.each([
    ['as a multipolygon of one part', multi([aRing()])],
    ['with heights', polygon(aRing().map((position) => [...position, 312.5]))],
    ['with a corner repeated', polygon([...aRing().slice(0, 2), aRing()[1]!, ...aRing().slice(2)])],
  ])('is the same %s', (_what, geometry) => {
    expect(check(geometry).shape).toEqual(check(polygon(aRing())).shape);
  });

  test('has the area of its ring less its hole', () => {
    const whole = check(polygon(box(13, 48, 0.01))).shape.areaHa;
    const hole = check(polygon(box(13.002, 48.002, 0.002))).shape.areaHa;
    const both = check(polygon(box(13, 48, 0.01), box(13.002, 48.002, 0.002))).shape.areaHa;
    expect(both).toBeCloseTo(whole - hole, 3);
  });

  test('may lie on both sides of the antimeridian in two parts: its box has west > east', () => {
    const { shape } = check(multi([box(179.99, -17, 0.01)], [box(-180, -17, 0.01)]));
    expect(shape.bbox).toEqual([179.99, -17, -179.99, -16.99]);
    expect([32701, 32760]).toContain(shape.epsg);
  });

  test.each([
    ['in Norway', 4.5, 60.1, 32632],
    ['on Svalbard', 15, 78.2, 32633],
    ['south of the equator', -60, -30, 32721],
    ['on the prime meridian', 0.01, 51.5, 32631],
  ])('%s has the zone of its middle', (_where, west, south, epsg) => {
    expect(check(polygon(box(west, south, 0.01))).shape.epsg).toBe(epsg);
  });
});

describe('a field fails', () => {
  const many: number[][] = Array.from({ length: 100_000 }, (_, index) => {
    const angle = (index / 100_000) * 2 * Math.PI;
    return [13 + 0.01 * Math.cos(angle), 48 + 0.01 * Math.sin(angle)];
  });
  test.each([
    ['without a ring', polygon(), 'ring_too_short', /part without a ring/],
    ['without a part', multi(), 'ring_too_short', /part without a ring/],
    ['with an empty ring', polygon([]), 'ring_too_short', /0 different positions/],
    [
      'with three positions',
      polygon([
        [1, 1],
        [2, 2],
        [1, 1],
      ]),
      'ring_too_short',
      /3 different/,
    ],
    [
      'with corners repeated into a line',
      polygon([
        [1, 1],
        [1, 1],
        [2, 2],
        [1, 1],
      ]),
      'ring_too_short',
      /3 different/,
    ],
    ['when it is open', polygon(aRing().slice(0, 4)), 'ring_not_closed', /repeat its first/],
    ['east of 180°', polygon(box(180, 1, 0.01)), 'position_out_of_range', /longitude comes first\.$/],
    ['with longitude and latitude swapped', polygon(box(40, -95, 0.01)), 'position_out_of_range', /look swapped/],
    ['beyond 83° N', polygon(box(20, 82.995, 0.01)), 'latitude_not_covered', /beyond 83°/],
    ['beyond 83° S', polygon(box(20, -83.1, 0.01)), 'latitude_not_covered', /beyond 83°/],
    [
      'across the antimeridian in one ring',
      polygon([
        [179.9, 1],
        [-179.9, 1],
        [-179.9, 1.01],
        [179.9, 1.01],
        [179.9, 1],
      ]),
      'crosses_antimeridian',
      /split the field/,
    ],
    ['with parts 60 km apart', multi([box(13, 48, 0.01)], [box(13, 48.6, 0.01)]), 'too_spread_out', /at most 50 km/],
    [
      'with parts on two continents',
      multi([box(13, 48, 0.01)], [box(-93, 41, 0.01)]),
      'too_spread_out',
      /at most 50 km/,
    ],
    [
      'as a bow tie',
      polygon([
        [13, 48],
        [13.01, 48.01],
        [13.01, 48],
        [13, 48.01],
        [13, 48],
      ]),
      'self_crossing',
      /longitude 13.005000, latitude 48.005000/,
    ],
    ['with a hole beside it', polygon(box(13, 48, 0.01), box(13.02, 48, 0.001)), 'hole_outside', /not inside/],
    [
      'with a hole in a hole',
      polygon(box(13, 48, 0.01), box(13.001, 48.001, 0.006), box(13.002, 48.002, 0.001)),
      'hole_outside',
      /another hole/,
    ],
    [
      'with a part inside another',
      multi([box(13, 48, 0.01)], [box(13.002, 48.002, 0.001)]),
      'overlapping_parts',
      /inside another part/,
    ],
    ['below a pixel', polygon(box(13, 48, 0.0001, 0.00008)), 'area_too_small', /0\.00\d\d ha/],
    [
      'as a line',
      polygon([
        [13, 48],
        [13.01, 48],
        [13.01, 48.00000001],
        [13, 48],
      ]),
      'area_too_small',
      /at least 0.01 ha/,
    ],
    ['above 10,000 ha', polygon(box(13, 48, 0.2)), 'area_too_large', /at most 10000/],
    ['with 100,001 positions', polygon([...many, many[0]!]), 'too_many_positions', /100001 positions/],
  ])('%s', (_what, geometry, code, message) => {
    const failure = failureOf(geometry);
    expect(failure.fault.code).toBe(code);
    expect(failure.message).toMatch(message);
  });

  test('on its own: a part in the hole of another is none of its business', () => {
    const frame = [box(13, 48, 0.01), box(13.002, 48.002, 0.005)];
    expect(() => check(multi(frame, [box(13.003, 48.003, 0.001)]))).not.toThrow();
  });

  test('never for 100,000 positions drawn soundly', () => {
    expect(check(polygon([...many.slice(0, 99_999), many[0]!])).shape.positions).toBe(100_000);
  });
});
