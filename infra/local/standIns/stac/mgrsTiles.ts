import type { Polygon, Position } from '../../../../shared/geo/geoJson.js';
import { coverOf, type GeoBox } from '../../../../shared/imagery/catalogue/footprint.js';
import { boxAround, type Grid } from '../../../../shared/raster/grid.js';
import { utmProjection } from '../../../../shared/raster/utm.js';
import { findUtmZone, utmEpsg, utmEpsgAt } from '../../../../shared/raster/utmZone.js';
import { outlineOf } from './sceneCases.js';

/** One tile of the Sentinel-2 grid. */
export interface MgrsTile {
  /** E.g. 15TWF. */
  readonly name: string;
  /** Its 10 m raster. */
  readonly grid: Grid;
  /** Outline in degrees. */
  readonly outline: Polygon;
}

const SQUARE_M = 100_000;
/** Pixels of a tile's side at 10 m: tiles overlap their eastern and southern neighbours by 9.8 km. */
const SIDE_PIXELS = 10_980;
const SIDE_M = SIDE_PIXELS * 10;

const COLUMN_LETTERS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'];
const ROW_LETTERS = 'ABCDEFGHJKLMNPQRSTUV';
const BAND_LETTERS = 'CDEFGHJKLMNPQRSTUVWXX';

const floor60 = (metres: number): number => Math.floor(metres / 60) * 60;
const ceil60 = (metres: number): number => Math.ceil(metres / 60) * 60;

/** The grid of the square in that column and row of 100 km; corners lie on multiples of 60 m. */
function gridOf(epsg: number, column: number, row: number): Grid {
  return {
    epsg,
    originX: floor60(column * SQUARE_M),
    originY: ceil60((row + 1) * SQUARE_M),
    pixelWidth: 10,
    pixelHeight: 10,
    width: SIDE_PIXELS,
    height: SIDE_PIXELS,
  };
}

function nameOf(epsg: number, column: number, row: number): string {
  const zone = epsg % 100;
  const { toPosition } = utmProjection(epsg);
  const [, latitude] = toPosition([(column + 0.5) * SQUARE_M, (row + 0.5) * SQUARE_M]);
  const columns = COLUMN_LETTERS[(zone - 1) % 3] ?? '';
  const rowLetter = ROW_LETTERS[(row + (zone % 2 === 0 ? 5 : 0)) % 20] ?? '';
  const band = BAND_LETTERS[Math.floor((latitude + 80) / 8)] ?? '';
  return `${String(zone).padStart(2, '0')}${band}${columns[column - 1] ?? ''}${rowLetter}`;
}

function tileAt(epsg: number, column: number, row: number): MgrsTile {
  const grid = gridOf(epsg, column, row);
  const outline = outlineOf(grid, []) ?? { type: 'Polygon', coordinates: [] };
  return { name: nameOf(epsg, column, row), grid, outline };
}

/** The zones whose own longitudes a box reaches into. */
function zonesOf([west, south, east, north]: GeoBox): readonly number[] {
  const latitude = (south + north) / 2;
  const plainEast = east < west ? east + 360 : east;
  const zones = new Set<number>();
  for (let longitude = west; longitude < plainEast + 6; longitude += 6) {
    const inside = Math.min(longitude, plainEast);
    zones.add(utmEpsgAt([inside >= 180 ? inside - 360 : inside, latitude]));
  }
  return [...zones];
}

/** The zones west and east of one. */
function besideZone(epsg: number): readonly number[] {
  const { number, isSouth } = findUtmZone(epsg) ?? { number: 1, isSouth: false };
  return [number === 1 ? 60 : number - 1, (number % 60) + 1].map((beside) => utmEpsg({ number: beside, isSouth }));
}

/**
 * The tiles of the Sentinel-2 grid that show something of a box, in order of their names.
 *
 * @param hasNeighbours with those of the zones beside the box's own
 */
export function tilesOver(box: GeoBox, hasNeighbours = false): readonly MgrsTile[] {
  const own = zonesOf(box);
  const zones = hasNeighbours ? [...new Set([...own, ...own.flatMap(besideZone)])] : own;
  const [west, south, east, north] = box;
  const corners: readonly Position[] = [
    [west, south],
    [west, north],
    [east, south],
    [east, north],
  ];
  const found = zones.flatMap((epsg) => {
    const { toMap } = utmProjection(epsg);
    const [left, bottom, right, top] = boxAround(corners.map((corner) => toMap(corner)));
    const tiles: MgrsTile[] = [];
    for (let column = Math.floor((left - SIDE_M) / SQUARE_M); column <= Math.floor(right / SQUARE_M) + 1; column += 1) {
      for (let row = Math.floor(bottom / SQUARE_M) - 1; row <= Math.floor((top + SIDE_M) / SQUARE_M); row += 1) {
        if (column >= 1 && column <= 8 && row >= 0) tiles.push(tileAt(epsg, column, row));
      }
    }
    return tiles;
  });
  return found.filter(({ outline }) => coverOf(outline, box) !== 'none').sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tile of that name, if there is one near its letters. @param epsg of its zone */
export function tileNamed(name: string, epsg: number): MgrsTile | undefined {
  for (let column = 1; column <= 8; column += 1) {
    for (let row = 0; row < 100; row += 1) {
      if (nameOf(epsg, column, row) === name) return tileAt(epsg, column, row);
    }
  }
  return undefined;
}

/** The EPSG code of a tile's zone by its name: bands from N on lie north of the equator. */
export function epsgOfTile(name: string): number {
  return utmEpsg({ number: Number(name.slice(0, 2)), isSouth: (name[2] ?? 'N') < 'N' });
}
