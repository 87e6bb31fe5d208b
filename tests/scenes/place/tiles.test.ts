import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  boxOfTile,
  cellOf,
  gridOfTile,
  nameOfTile,
  squareOfTile,
  tilesAround,
  tilesBeside,
  tilesOfField,
} from '../../../shared/scenes/place/tiles.js';
import { boxOf, isInside, type Grid } from '../../../shared/geo/grid/grid.js';

/** A field of the zone of 33N, south-west corner and size in metres. */
const fieldAt = (west: number, south: number, widthM = 400, heightM = widthM): Grid => ({
  epsg: 32633,
  originX: west,
  originY: south + heightM,
  pixelWidth: 10,
  pixelHeight: 10,
  width: widthM / 10,
  height: heightM / 10,
});
const namesOf = (field: Grid): readonly string[] => tilesOfField(field).map(nameOfTile);

describe('a tile', () => {
  // As items of both catalogues give them (proj:transform).
  test.each([
    { name: '33UWP', square: { epsg: 32633, column: 5, row: 53 }, corner: [499_980, 5_400_000] },
    { name: '33UUP', square: { epsg: 32633, column: 3, row: 53 }, corner: [300_000, 5_400_000] },
    { name: '39QTA', square: { epsg: 32639, column: 2, row: 20 }, corner: [199_980, 2_100_000] },
    { name: '39QUA', square: { epsg: 32639, column: 3, row: 20 }, corner: [300_000, 2_100_000] },
    { name: '06VVN', square: { epsg: 32606, column: 4, row: 67 }, corner: [399_960, 6_800_040] },
  ])('$name has the name and the corner that catalogues give', ({ name, square, corner }) => {
    const { originX, originY } = gridOfTile(square);
    expect([nameOfTile(square), [originX, originY]]).toEqual([name, corner]);
    expect(squareOfTile(name)).toEqual(square);
  });

  test('is found by its name, wherever on earth', () => {
    for (const epsg of [32601, 32632, 32660, 32733, 32756]) {
      const rows = epsg > 32700 ? [15, 40, 62, 81, 99] : [0, 19, 20, 53, 80];
      for (const row of rows) {
        const square = { epsg, column: 5, row };
        expect(squareOfTile(nameOfTile(square))).toEqual(square);
      }
    }
    expect(['33UIP', '61UUP', '33UUZ', 'tiles', '33XAA'].map(squareOfTile)).toEqual(Array(5).fill(undefined));
  });

  test('has a box around it in degrees, across the antimeridian too', () => {
    const near = (name: string): readonly number[] =>
      boxOfTile(squareOfTile(name)!).map((degrees) => Math.round(degrees * 10) / 10);
    expect(near('33UUP')).toEqual([12.3, 47.7, 13.8, 48.7]);
    expect(near('01KAB')).toEqual([179.2, -17.3, -179.7, -16.2]);
  });

  test('lies on the lattice of 20 m that fields lie on', () => {
    for (const tile of tilesAround(32633, [100_000, 0, 899_000, 9_000_000])) {
      const { originX, originY } = gridOfTile(tile);
      expect([originX % 20, originY % 20]).toEqual([0, 0]);
    }
  });
});

describe('the tiles beside one', () => {
  const beside = (name: string): readonly string[] => tilesBeside(squareOfTile(name)!).toSorted();

  test('in the middle of its zone are the eight around it', () => {
    expect(beside('33UWP')).toEqual(['33TVN', '33TWN', '33TXN', '33UVP', '33UVQ', '33UWQ', '33UXP', '33UXQ']);
  });

  test('at the edge of its zone are those of the zone beside too, each beside the other', () => {
    expect(beside('33UUP').filter((name) => name.startsWith('32'))).toEqual(['32TQT', '32UQU', '32UQV']);
    for (const name of beside('33UUP')) expect(beside(name)).toContain('33UUP');
  });

  test('lie on both sides of the equator and of the antimeridian', () => {
    expect(beside('33NWA')).toEqual(expect.arrayContaining(['33MWV', '33NWB']));
    expect(beside('01KAB')).toEqual(expect.arrayContaining(['60KZF', '60KZG', '01KBB']));
    expect(beside('60KZF')).toContain('01KAB');
  });
});

describe('the home of a field', () => {
  test.each([
    { why: 'inside of one tile', field: fieldAt(350_000, 5_350_000), home: '33UUP' },
    { why: 'where two overlap, the one it lies deeper in', field: fieldAt(408_000, 5_350_000), home: '33UVP' },
    { why: 'the same, nearer to the other', field: fieldAt(401_000, 5_350_000), home: '33UUP' },
    { why: 'where four overlap', field: fieldAt(401_000, 5_299_000), home: '33UUP' },
  ])('$why is $home', ({ field, home }) => {
    expect(namesOf(field)).toEqual([home]);
  });

  test('is one, and shows it whole, for every field below 9.8 km', () => {
    const place = { west: fc.integer({ min: 8_000, max: 43_500 }), south: fc.integer({ min: 0, max: 440_000 }) };
    const size = fc.integer({ min: 1, max: 489 });
    fc.assert(
      fc.property(place.west, place.south, size, size, (west, south, width, height) => {
        const field = fieldAt(west * 20, south * 20, width * 20, height * 20);
        const [home, ...others] = tilesOfField(field);
        const { originX, originY, ...tile } = gridOfTile(home);
        const window = { column: (field.originX - originX) / 10, row: (originY - field.originY) / 10 };
        expect(others).toEqual([]);
        expect(isInside({ ...window, width: field.width, height: field.height }, tile)).toBe(true);
      }),
    );
  });

  test('of a larger field is the deepest, and every other tile that shows something of it follows', () => {
    expect(namesOf(fieldAt(395_000, 5_350_000, 20_000)).toSorted()).toEqual(['33UUP', '33UVP']);
    expect(namesOf(fieldAt(395_000, 5_290_000, 20_000)).toSorted()).toEqual(['33TUN', '33TVN', '33UUP', '33UVP']);
  });
});

describe('a cell', () => {
  const tile = { epsg: 32633, column: 3, row: 53 };
  const cellAt = (west: number, south: number): number => cellOf(tile, boxOf(fieldAt(west, south, 20)));

  test('is counted from the north-western corner, row by row, in steps of 20.48 km', () => {
    expect(cellAt(300_000, 5_399_980)).toBe(0);
    expect(cellAt(320_480, 5_399_980)).toBe(1);
    expect(cellAt(300_000, 5_379_500)).toBe(6);
    expect(cellAt(409_780, 5_290_200)).toBe(35);
  });

  test('holds what reaches out of the tile at its edge', () => {
    expect(cellAt(290_000, 5_410_000)).toBe(0);
    expect(cellAt(420_000, 5_280_000)).toBe(35);
  });
});
