import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MultiPolygon, Polygon, Position, Ring } from '../../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../../shared/geo/grid/polygonArea.js';

const E2 = 0.0066943799901413;
const E = Math.sqrt(E2);
const POLAR_RADIUS_M = 6378137 * Math.sqrt(1 - E2);

/** Area between two meridians and two parallels of the ellipsoid, exact (Snyder 1987, equation 3-12). */
function quadrangleHa(west: number, south: number, east: number, north: number): number {
  const below = (latitude: number): number => {
    const sine = Math.sin((latitude * Math.PI) / 180);
    return sine / (1 - E2 * sine * sine) + Math.atanh(E * sine) / E;
  };
  return ((((POLAR_RADIUS_M ** 2 / 2) * (east - west) * Math.PI) / 180) * (below(north) - below(south))) / 10_000;
}

/** A quadrangle whose sides follow the parallels: 20 steps a side. */
function quadrangle(west: number, south: number, side: number): Ring {
  const steps = Array.from({ length: 20 }, (_, index) => (index / 20) * side);
  const ring: Position[] = [
    ...steps.map((step): Position => [west + step, south]),
    ...steps.map((step): Position => [west + side, south + step]),
    ...steps.map((step): Position => [west + side - step, south + side]),
    ...steps.map((step): Position => [west, south + side - step]),
  ];
  return [...ring, ring[0]!];
}

const polygon = (...coordinates: readonly Ring[]): Polygon => ({ type: 'Polygon', coordinates });

describe('the area of a field', () => {
  test('agrees with the exact area on the ellipsoid to 0.01 % at every latitude and longitude', () => {
    const place = fc.record({
      west: fc.double({ min: -180, max: 179.8, noNaN: true }),
      south: fc.double({ min: -82, max: 82, noNaN: true }),
      side: fc.double({ min: 0.0005, max: 0.1, noNaN: true }),
    });
    fc.assert(
      fc.property(place, ({ west, south, side }) => {
        const exact = quadrangleHa(west, south, west + side, south + side);
        expect(Math.abs(polygonAreaHa(polygon(quadrangle(west, south, side))) / exact - 1)).toBeLessThan(1e-4);
      }),
    );
  });

  test('does not depend on the ring’s first corner or its direction', () => {
    const ring = quadrangle(13, 48, 0.01).slice(0, -1);
    const expected = polygonAreaHa(polygon([...ring, ring[0]!]));
    fc.assert(
      fc.property(fc.nat(ring.length - 1), fc.boolean(), (start, isReversed) => {
        const turned = [...ring.slice(start), ...ring.slice(0, start)];
        if (isReversed) turned.reverse();
        const area = polygonAreaHa(polygon([...turned, turned[0]!]));
        expect(Math.abs(area / expected - 1)).toBeLessThan(1e-9);
      }),
    );
  });

  test('a hole counts against its part and parts add up, each in its own zone', () => {
    const outer = quadrangle(11.99, 48, 0.02);
    const hole = quadrangle(11.995, 48.005, 0.01);
    const other = quadrangle(-179.9, 48, 0.02);
    const both: MultiPolygon = { type: 'MultiPolygon', coordinates: [[outer, hole], [other]] };
    const sum = polygonAreaHa(polygon(outer)) - polygonAreaHa(polygon(hole)) + polygonAreaHa(polygon(other));
    // The hole alone is measured with the scale at its own centre: 1e-6 apart from the part's.
    expect(polygonAreaHa(both) / sum).toBeCloseTo(1, 5);
  });

  test('a field without corners has no area', () => {
    expect(polygonAreaHa(polygon())).toBe(0);
  });
});
