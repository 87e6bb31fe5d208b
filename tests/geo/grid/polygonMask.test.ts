import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import {
  centreMask,
  countSet,
  fieldMask,
  projectParts,
  touchedMask,
  windowOfParts,
  type PlanarPart,
} from '../../../shared/geo/grid/polygonMask.js';
import { utmProjection, type MapPoint } from '../../../shared/geo/grid/utm.js';

/** One unit a pixel, row 0 at y 0 going down to negative y: ring (x, −row). */
const grid = (width: number, height: number): Grid => ({
  epsg: 32633,
  originX: 0,
  originY: 0,
  pixelWidth: 1,
  pixelHeight: 1,
  width,
  height,
});
const ring = (...pixels: readonly MapPoint[]): readonly MapPoint[] => {
  const points = pixels.map(([column, row]): MapPoint => [column, -row]);
  return [...points, points[0]!];
};
const box = (left: number, top: number, right: number, bottom: number) =>
  ring([left, top], [right, top], [right, bottom], [left, bottom]);
const draw = (mask: Uint8Array, width: number): readonly string[] =>
  Array.from({ length: mask.length / width }, (_, row) =>
    [...mask.subarray(row * width, (row + 1) * width)].map((value) => (value === 1 ? '#' : '.')).join(''),
  );

describe('the pixels whose centre lies in a field', () => {
  test('a triangle', () => {
    expect(draw(centreMask([[ring([0, 0], [5, 0], [0, 5])]], grid(6, 5)), 6)).toEqual([
      '####..',
      '###...',
      '##....',
      '#.....',
      '......',
    ]);
  });

  test('a hole stays empty whatever its winding', () => {
    const expected = ['####', '#..#', '#..#', '####'];
    const hole = box(1, 1, 3, 3);
    expect(draw(centreMask([[box(0, 0, 4, 4), hole]], grid(4, 4)), 4)).toEqual(expected);
    expect(draw(centreMask([[box(0, 0, 4, 4), [...hole].reverse()]], grid(4, 4)), 4)).toEqual(expected);
  });

  test('parts that overlap do not cancel each other', () => {
    expect(draw(centreMask([[box(0, 0, 3, 2)], [box(2, 1, 5, 3)]], grid(5, 3)), 5)).toEqual([
      '###..',
      '#####',
      '..###',
    ]);
  });

  test('what lies beyond the grid is left out', () => {
    expect(draw(centreMask([[box(-5, -5, 2, 20)]], grid(4, 2)), 4)).toEqual(['##..', '##..']);
  });

  test('two fields with a common edge share no pixel and leave none between them', () => {
    const corner = fc.integer({ min: 0, max: 40 }).map((value) => value / 4);
    fc.assert(
      fc.property(corner, corner, (top, bottom) => {
        const left = centreMask([[ring([0, 0], [top, 0], [bottom, 10], [0, 10])]], grid(10, 10));
        const right = centreMask([[ring([top, 0], [10, 0], [10, 10], [bottom, 10])]], grid(10, 10));
        expect(left.map((value, index) => value + right[index]!).every((sum) => sum === 1)).toBe(true);
      }),
    );
  });

  test('agrees with a point-in-polygon count for any star of corners', () => {
    const star = fc.array(
      fc.tuple(fc.double({ min: 0.3, max: 9.7, noNaN: true }), fc.double({ min: 0.3, max: 9.7, noNaN: true })),
      {
        minLength: 3,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(star, (pixels) => {
        const part: PlanarPart = [ring(...pixels)];
        const mask = centreMask([part], grid(10, 10));
        mask.forEach((value, index) => {
          const centre: MapPoint = [(index % 10) + 0.5, -(Math.floor(index / 10) + 0.5)];
          // On an edge, rounding decides, and either answer is right.
          if (!isOnEdge(part[0]!, centre)) expect(value === 1).toBe(isInsideEvenOdd(part[0]!, ...centre));
        });
      }),
    );
  });
});

/** Whether a point lies within rounding of a ring's edges. */
function isOnEdge(points: readonly MapPoint[], [x, y]: MapPoint): boolean {
  return points.slice(1).some(([x2, y2], index) => {
    const [x1, y1] = points[index]!;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x1 + along * dx - x, y1 + along * dy - y) < 1e-9;
  });
}

/** The classic ray test, an independent way to the same answer. */
function isInsideEvenOdd(points: readonly MapPoint[], x: number, y: number): boolean {
  let isInside = false;
  for (let index = 0; index + 1 < points.length; index += 1) {
    const [[x1, y1], [x2, y2]] = [points[index]!, points[index + 1]!];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
  }
  return isInside;
}

describe('the pixels that a field touches', () => {
  test('a sliver without a centre marks the pixels it runs through', () => {
    expect(draw(touchedMask([[box(0.6, 1.6, 3.4, 1.9)]], grid(5, 3)), 5)).toEqual(['.....', '####.', '.....']);
  });

  test('a slanted edge marks every pixel on its way', () => {
    expect(draw(touchedMask([[ring([0.2, 0.2], [3.8, 1.6], [3.7, 1.9])]], grid(4, 2)), 4)).toEqual(['###.', '.###']);
  });

  test('what lies beyond the grid is left out', () => {
    expect(draw(touchedMask([[box(-3, -3, 0.2, 9)]], grid(3, 2)), 3)).toEqual(['#..', '#..']);
  });

  test('every pixel with its centre inside is touched', () => {
    const part: PlanarPart = [ring([0.1, 3], [5, 0.1], [9.7, 6], [4, 9.9])];
    const [centres, touched] = [centreMask([part], grid(10, 10)), touchedMask([part], grid(10, 10))];
    expect(centres.every((value, index) => value <= touched[index]!)).toBe(true);
    expect(countSet(touched)).toBeGreaterThan(countSet(centres));
  });
});

describe('the pixels of a field', () => {
  test('go by centre from ten centres on', () => {
    expect(countSet(fieldMask([[box(0.4, 0.4, 5.6, 2.6)]], grid(8, 4)))).toBe(18);
  });

  test('go by touch below ten centres', () => {
    expect(countSet(fieldMask([[box(0.4, 0.4, 3.4, 2.6)]], grid(8, 4)))).toBe(12);
  });

  test('a field in longitude and latitude falls on its grid', () => {
    const { toPosition } = utmProjection(32633);
    const corners = [
      [360_005, 5_350_000],
      [360_105, 5_350_000],
      [360_105, 5_349_900],
      [360_005, 5_349_900],
      [360_005, 5_350_000],
    ] as const;
    const geometry = { type: 'Polygon', coordinates: [corners.map((corner) => toPosition(corner))] } as const;
    const parts = projectParts(geometry, 32633);
    const tile: Grid = {
      ...grid(10_980, 10_980),
      originX: 300_000,
      originY: 5_400_000,
      pixelWidth: 10,
      pixelHeight: 10,
    };
    expect(windowOfParts(tile, parts, 2)).toEqual({ column: 6000, row: 5000, width: 12, height: 10 });
    const both = projectParts({ type: 'MultiPolygon', coordinates: [geometry.coordinates] }, 32633);
    expect(both).toEqual(parts);
  });
});
