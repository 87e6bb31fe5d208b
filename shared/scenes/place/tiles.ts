import type { Position } from '../../geo/shapes/geoJson.js';
import { boxAround } from '../../geo/shapes/box.js';
import { boxOf, cornersOf, type Grid, type MapBox } from '../../geo/grid/grid.js';
import { utmProjection } from '../../geo/grid/utm.js';
import { utmEpsg, utmEpsgAt } from '../../geo/grid/utmZone.js';
import { boxAroundBoxes, type GeoBox } from './footprint.js';

/** A tile of the Sentinel-2 grid: column and row of its square of 100 km, counted from the zone's origin. */
export interface TileSquare {
  readonly epsg: number;
  /** 1 to 8. */
  readonly column: number;
  /** From 0. */
  readonly row: number;
}

const SQUARE_M = 100_000;
/** 10 m pixels of a tile's side: a tile overlaps its eastern and southern neighbours by 9.8 km. */
const SIDE_PIXELS = 10_980;
const SIDE_M = SIDE_PIXELS * 10;
const FIRST_COLUMN = 1;
const LAST_COLUMN = 8;

const COLUMN_LETTERS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'];
const ROW_LETTERS = 'ABCDEFGHJKLMNPQRSTUV';
const BAND_LETTERS = 'CDEFGHJKLMNPQRSTUVWXX';

const floor60 = (metres: number): number => Math.floor(metres / 60) * 60;
const ceil60 = (metres: number): number => Math.ceil(metres / 60) * 60;

/** The 10 m raster of a tile; its corners lie on multiples of 60 m. */
export function gridOfTile({ epsg, column, row }: TileSquare): Grid {
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

/** The name of a tile, such as 15TWF: zone, band of latitude, letters of column and row. */
export function nameOfTile({ epsg, column, row }: TileSquare): string {
  const zone = epsg % 100;
  const { toPosition } = utmProjection(epsg);
  const [, latitude] = toPosition([(column + 0.5) * SQUARE_M, (row + 0.5) * SQUARE_M]);
  const columns = COLUMN_LETTERS[(zone - 1) % 3] ?? '';
  const rowLetter = ROW_LETTERS[(row + (zone % 2 === 0 ? 5 : 0)) % 20] ?? '';
  const band = BAND_LETTERS[Math.floor((latitude + 80) / 8)] ?? '';
  return `${String(zone).padStart(2, '0')}${band}${columns[column - 1] ?? ''}${rowLetter}`;
}

/** The UTM zone of a tile, as EPSG code. */
export const epsgOfTile = (name: string): number =>
  ((name[2] ?? '') < 'N' ? 32_700 : 32_600) + Number(name.slice(0, 2));

/** The square of a tile by its name; undefined when there is none of that name. */
export function squareOfTile(name: string): TileSquare | undefined {
  if (!/^(0[1-9]|[1-5]\d|60)[C-X][A-Z]{2}$/.test(name)) return undefined;
  const epsg = epsgOfTile(name);
  const zone = epsg % 100;
  const column = 1 + (COLUMN_LETTERS[(zone - 1) % 3] ?? '').indexOf(name[3] ?? '');
  const row = (ROW_LETTERS.indexOf(name[4] ?? '') + (zone % 2 === 0 ? 15 : 0)) % 20;
  // Letters of rows repeat every 2,000 km: the band of latitude tells which row is meant.
  const squares = [0, 20, 40, 60, 80].map((first) => ({ epsg, column, row: first + row }));
  return squares.find((square) => nameOfTile(square) === name);
}

/** The corners of a box on a zone's map, in degrees. */
const placesOf = (epsg: number, box: MapBox): readonly Position[] => cornersOf(box).map(utmProjection(epsg).toPosition);

/** The box around a tile in degrees; a little larger than the tile. */
export function boxOfTile(square: TileSquare): GeoBox {
  const corners = placesOf(square.epsg, boxOf(gridOfTile(square)));
  return boxAroundBoxes(corners.map(([longitude, latitude]) => [longitude, latitude, longitude, latitude]));
}

/** Whether the Sentinel-2 grid has this tile: a zone has the tiles of its longitudes and its side of the equator. */
function isInZone({ epsg, column, row }: TileSquare): boolean {
  const [west, south] = [column * SQUARE_M, row * SQUARE_M];
  const corners = placesOf(epsg, [west, south, west + SQUARE_M, south + SQUARE_M]);
  const middle = utmProjection(epsg).toPosition([west + SQUARE_M / 2, south + SQUARE_M / 2]);
  return [middle, ...corners].some((position) => utmEpsgAt(position) === epsg);
}

/** Names of the tiles that overlap a tile, in its zone and in the zones beside. */
export function tilesBeside(square: TileSquare): readonly string[] {
  const corners = placesOf(square.epsg, boxOf(gridOfTile(square)));
  const zone = square.epsg % 100;
  const zones = [((zone + 58) % 60) + 1, zone, (zone % 60) + 1];
  const names = zones
    .flatMap((number) => [utmEpsg({ number, isSouth: false }), utmEpsg({ number, isSouth: true })])
    .flatMap((epsg) => {
      const box = boxAround(corners.map(utmProjection(epsg).toMap));
      return tilesAround(epsg, box).filter((tile) => meets(tile, box) && isInZone(tile));
    })
    .map(nameOfTile);
  return [...new Set(names)].filter((name) => name !== nameOfTile(square));
}

/** These tiles and all that overlap one of them. */
export function withNeighbours(tiles: readonly string[]): readonly string[] {
  const squares = tiles.flatMap((tile) => squareOfTile(tile) ?? []);
  return [...new Set([...tiles, ...squares.flatMap(tilesBeside)])].sort();
}

/** The tiles of a zone that may show something of a box on its map. */
export function tilesAround(epsg: number, [west, south, east, north]: MapBox): readonly TileSquare[] {
  const tiles: TileSquare[] = [];
  const first = Math.max(FIRST_COLUMN, Math.floor((west - SIDE_M) / SQUARE_M));
  const last = Math.min(LAST_COLUMN, Math.floor(east / SQUARE_M) + 1);
  for (let column = first; column <= last; column += 1) {
    const top = Math.floor((north + SIDE_M) / SQUARE_M);
    for (let row = Math.max(0, Math.floor(south / SQUARE_M) - 1); row <= top; row += 1) {
      tiles.push({ epsg, column, row });
    }
  }
  return tiles;
}

/** How far inside a tile a box lies, in metres; below 0 when the box reaches out of the tile. */
function depthIn(tile: TileSquare, [west, south, east, north]: MapBox): number {
  const [left, bottom, right, top] = boxOf(gridOfTile(tile));
  return Math.min(west - left, south - bottom, right - east, top - north);
}

/** Whether a tile has anything of the box. */
function meets(tile: TileSquare, [west, south, east, north]: MapBox): boolean {
  const [left, bottom, right, top] = boxOf(gridOfTile(tile));
  return west < right && east > left && south < top && north > bottom;
}

/**
 * The tiles in which a field is looked for, all in the field's own zone. The first is the home tile, in which the field's
 * box lies deepest; for a field below 9.8 km it shows the whole field and is the only one. A larger field has every tile
 * that shows a part.
 *
 * @param grid the field's own, see `fieldGridOf`
 */
export function tilesOfField(grid: Grid): readonly [home: TileSquare, ...others: TileSquare[]] {
  const box = boxOf(grid);
  const found = tilesAround(grid.epsg, box).filter((tile) => meets(tile, box));
  const ranked = found
    .map((tile) => ({ tile, depth: depthIn(tile, box) }))
    .sort((a, b) => b.depth - a.depth || a.tile.column - b.tile.column || a.tile.row - b.tile.row);
  const [home, ...others] = ranked;
  if (home === undefined) throw new RangeError('The field lies outside of the Sentinel-2 grid.');
  return home.depth >= 0 ? [home.tile] : [home.tile, ...others.map(({ tile }) => tile)];
}

/** Side of a cell: two blocks of 1,024 pixels of 10 m, one of the classification. */
const CELL_M = 20_480;
const CELLS_A_SIDE = 6;

/**
 * The cell of a tile in which the middle of a box lies, counted from 0 at the north-western corner, row by row. A middle
 * outside of the tile counts for the nearest cell.
 */
export function cellOf(tile: TileSquare, [west, south, east, north]: MapBox): number {
  const { originX, originY } = gridOfTile(tile);
  const within = (metres: number): number => Math.max(0, Math.min(CELLS_A_SIDE - 1, Math.floor(metres / CELL_M)));
  const column = within((west + east) / 2 - originX);
  return within(originY - (south + north) / 2) * CELLS_A_SIDE + column;
}
