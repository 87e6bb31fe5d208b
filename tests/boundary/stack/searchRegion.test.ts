import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { toMapPoint, toPixel } from '../../../shared/geo/grid/grid.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { searchRegion, type Round } from '../../../shared/boundary/stack/searchRegion.js';

const IOWA: Position = [-92.972469, 41.518232];

describe('the search region', () => {
  test.each([
    { round: 0, side: 256 },
    { round: 1, side: 512 },
  ] as const)('of round $round has $side pixels of 10 m a side, the point in the middle', ({ round, side }) => {
    const { grid } = searchRegion(IOWA, round);
    expect(grid).toMatchObject({ epsg: 32615, pixelWidth: 10, pixelHeight: 10, width: side, height: side });
    expect([grid.originX % 10, grid.originY % 10]).toEqual([0, 0]);
    const [column, row] = toPixel(grid, utmProjection(grid.epsg).toMap(IOWA));
    expect([Math.floor(column), Math.floor(row)]).toEqual([side / 2, side / 2]);
  });

  test('is a closed rectangle, counter-clockwise, longitude first', () => {
    const { polygon, box } = searchRegion(IOWA, 0);
    const [west, south, east, north] = box;
    expect(polygon.coordinates).toEqual([
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ]);
    expect(west).toBeLessThan(east);
    expect(south).toBeLessThan(north);
  });

  test('reaches three pixels beyond its grid on each side, for interpolation has neighbours there', () => {
    // Near the central meridian of a zone the sides of the grid follow the parallels, but for 2 m.
    const { grid, box } = searchRegion(IOWA, 0);
    const { toMap } = utmProjection(grid.epsg);
    const [west, south, east, north] = box;
    const middle = toMapPoint(grid, [grid.width / 2, grid.height / 2]);
    const beyond = [
      grid.originX - toMap([west, IOWA[1]])[0],
      toMap([east, IOWA[1]])[0] - (grid.originX + 2560),
      toMap([IOWA[0], north])[1] - grid.originY,
      grid.originY - 2560 - toMap([IOWA[0], south])[1],
    ];
    for (const metres of beyond) expect(Math.abs(metres - 30)).toBeLessThan(2);
    expect(Math.abs(middle[0] - toMap(IOWA)[0])).toBeLessThan(10);
  });

  test('holds every corner of its grid, wherever the point lies, and is not much larger', () => {
    // Nearer to the antimeridian the rectangle ends there; at 82° the larger grid reaches 0.4° to either side.
    const point = fc.tuple(
      fc.double({ min: -179.5, max: 179.5, noNaN: true }),
      fc.double({ min: -82, max: 82, noNaN: true }),
    );
    fc.assert(
      fc.property(point, fc.constantFrom<Round>(0, 1), (place, round) => {
        const { grid, box } = searchRegion(place, round);
        const { toPosition } = utmProjection(grid.epsg);
        for (const [column, row] of [
          [0, 0],
          [grid.width, 0],
          [grid.width, grid.height],
          [0, grid.height],
        ] as const) {
          const [longitude, latitude] = toPosition(toMapPoint(grid, [column, row]));
          expect(longitude).toBeGreaterThanOrEqual(box[0]);
          expect(longitude).toBeLessThanOrEqual(box[2]);
          expect(latitude).toBeGreaterThanOrEqual(box[1]);
          expect(latitude).toBeLessThanOrEqual(box[3]);
        }
        const heightM = (box[3] - box[1]) * 111_195;
        // A grid turned by 4° against the meridian, as at the edge of a zone in the north, needs 14 % more.
        expect(heightM).toBeLessThan(grid.height * 10 * 1.2 + 100);
      }),
    );
  });

  test.each([
    { point: [179.999, -17] as Position, edge: 2, value: 180 },
    { point: [-179.999, -17] as Position, edge: 0, value: -180 },
  ])('ends at the antimeridian at $point', ({ point, edge, value }) => {
    const { box } = searchRegion(point, 0);
    expect(box[edge]).toBe(value);
    expect(box[2] - box[0]).toBeLessThan(0.03);
  });
});
