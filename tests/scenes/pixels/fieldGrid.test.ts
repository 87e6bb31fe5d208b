import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MultiPolygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import { fieldGridOf } from '../../../shared/scenes/pixels/fieldGrid.js';
import { windowGrid, type Grid } from '../../../shared/geo/grid/grid.js';
import { projectParts, windowOfParts } from '../../../shared/geo/grid/polygonMask.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { boxPolygon } from '../../imagery/builders.js';

const multi = (...rings: readonly (readonly Position[])[]): MultiPolygon => ({
  type: 'MultiPolygon',
  coordinates: rings.map((ring) => [ring]),
});

/** A quadrangle around a place. */
const aField = fc
  .record({
    longitude: fc.double({ min: -179, max: 179, noNaN: true }),
    latitude: fc.double({ min: -79, max: 79, noNaN: true }),
    reach: fc.tuple(...[0, 1, 2, 3].map(() => fc.double({ min: 0.0005, max: 0.02, noNaN: true }))),
  })
  .map(({ longitude: x, latitude: y, reach: [east = 0, north = 0, west = 0, south = 0] }) =>
    multi([
      [x + east, y],
      [x, y + north],
      [x - west, y],
      [x, y - south],
      [x + east, y],
    ]),
  );

describe('the grid of a field', () => {
  test('reaches from its box outward to whole multiples of 20 m', () => {
    // By PROJ the corners lie between 362 034.5 and 362 308.2 m east, 5 350 198.9 and 5 350 483.2 m north.
    const { coordinates } = boxPolygon([13.14, 48.29, 13.1436, 48.2925]);
    expect(fieldGridOf({ type: 'MultiPolygon', coordinates: [coordinates] })).toEqual({
      epsg: 32633,
      originX: 362_020,
      originY: 5_350_500,
      pixelWidth: 10,
      pixelHeight: 10,
      width: 30,
      height: 32,
    });
  });

  test('has the zone of a point inside, where the middle of the box lies outside of the field in another', () => {
    // An L: its long leg stands west of 12° E, the middle of its box east of it.
    const shape: readonly Position[] = [
      [11.98, 48],
      [12.03, 48],
      [12.03, 48.002],
      [11.99, 48.002],
      [11.99, 48.05],
      [11.98, 48.05],
      [11.98, 48],
    ];
    expect(fieldGridOf(multi(shape)).epsg).toBe(32632);
  });

  test('across the antimeridian is one grid', () => {
    const parts = [boxPolygon([179.995, -17, 180, -16.99]), boxPolygon([-180, -17, -179.998, -16.99])];
    const grid = fieldGridOf({ type: 'MultiPolygon', coordinates: parts.map(({ coordinates }) => coordinates) });
    expect(grid.epsg).toBe(32760);
    // By PROJ the corners lie between 818 918.7 and 819 681.7 m east.
    expect(grid).toMatchObject({ originX: 818_900, width: 80 });
  });

  test('is the cut that every tile of the zone gives, wherever the tile lies', () => {
    fc.assert(
      fc.property(
        aField,
        fc.integer({ min: -2_700, max: 2_700 }),
        fc.integer({ min: -2_700, max: 2_700 }),
        (field, east, north) => {
          const grid = fieldGridOf(field);
          const tile: Grid = {
            ...grid,
            // Corners of tiles lie on multiples of 20 m.
            originX: Math.floor(grid.originX / 20) * 20 + east * 20,
            originY: Math.floor(grid.originY / 20) * 20 + north * 20,
            width: 10_980,
            height: 10_980,
          };
          const parts = projectParts(field, grid.epsg);
          expect(windowGrid(tile, windowOfParts(tile, parts, 2))).toEqual(grid);
        },
      ),
    );
  });

  test('holds every corner of the field and no row or column of 20 m more', () => {
    fc.assert(
      fc.property(aField, (field) => {
        const { epsg, originX, originY, width, height } = fieldGridOf(field);
        const points = field.coordinates.flat(2).map((position) => utmProjection(epsg).toMap(position));
        const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
        const rooms = [
          Math.min(...xs) - originX,
          originX + width * 10 - Math.max(...xs),
          originY - Math.max(...ys),
          Math.min(...ys) - (originY - height * 10),
        ];
        // A corner within a hundredth of a millimetre of an edge counts as on it.
        for (const room of rooms) expect(room).toBeGreaterThanOrEqual(-1e-4);
        for (const room of rooms) expect(room).toBeLessThan(20.001);
      }),
    );
  });

  test('of something without area is refused', () => {
    expect(() =>
      fieldGridOf(
        multi([
          [1, 1],
          [2, 2],
          [1, 1],
          [1, 1],
        ]),
      ),
    ).toThrow(/no area/);
  });
});
