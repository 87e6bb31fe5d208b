import { describe, expect, test } from '@jest/globals';
import type { MultiPolygon, Ring } from '../../../shared/geo/shapes/geoJson.js';
import { MOST_POSITIONS, outlineOf } from '../../../shared/geo/shapes/thinnedOutline.js';

const circle = (corners: number, west = 13): Ring => {
  const positions = Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return [west + 0.01 * Math.cos(angle), 48 + 0.01 * Math.sin(angle)] as const;
  });
  return [...positions, positions[0]!];
};
const ofParts = (...coordinates: readonly Ring[][]): MultiPolygon => ({ type: 'MultiPolygon', coordinates });
const rings = ({ type, coordinates }: ReturnType<typeof outlineOf>): readonly Ring[] =>
  type === 'Polygon' ? coordinates : coordinates.flat();

describe('the outline of a field', () => {
  test('is its boundary to a tenth of a metre, a Polygon where it has one part', () => {
    const square: Ring = [
      [13.12345649, 48],
      [13.2, 48],
      [13.2, 48.1],
      [13.12345649, 48],
    ];
    const [first, ...others] = square;
    expect(outlineOf(ofParts([square]))).toEqual({
      type: 'Polygon',
      coordinates: [[[13.123456, 48], ...others.slice(0, 2), [13.123456, 48]]],
    });
    expect(first).toEqual([13.12345649, 48]);
    expect(outlineOf(ofParts([square], [square])).type).toBe('MultiPolygon');
  });

  test.each([
    { why: 'one long ring', field: ofParts([circle(100_000)]) },
    { why: 'a ring with a long hole', field: ofParts([circle(3_000), circle(3_000)]) },
    {
      why: 'more parts than can be shown',
      field: ofParts(...Array.from({ length: 800 }, (_, k) => [circle(5, k / 10)])),
    },
  ])('has at most 1,000 positions in closed rings: $why', ({ field }) => {
    const outline = rings(outlineOf(field));
    expect(outline.flat().length).toBeLessThanOrEqual(MOST_POSITIONS + outline.length);
    expect(outline.length).toBeGreaterThan(0);
    for (const ring of outline) {
      expect(ring.length).toBeGreaterThanOrEqual(4);
      expect(ring.at(-1)).toEqual(ring[0]);
    }
  });
});
