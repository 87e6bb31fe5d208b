import type { GroundPoint } from '../weatherSource.js';

/** A tile of one degree of Copernicus DEM GLO-90, by its south-west corner in whole degrees. */
export interface TerrainTile {
  readonly south: number;
  readonly west: number;
}

/** Rows of every tile. The first row lies on the northern side; the southern side belongs to the tile below. */
const rows = 1200;

/** Columns by the latitude of the tile's side towards the equator: meridians converge towards the poles. */
const columnsFrom: readonly (readonly [latitude: number, columns: number])[] = [
  [85, 120],
  [80, 240],
  [70, 400],
  [60, 600],
  [50, 800],
  [0, 1200],
];

function columnsAt(south: number): number {
  const nearest = south >= 0 ? south : -south - 1;
  return columnsFrom.find(([latitude]) => nearest >= latitude)?.[1] ?? rows;
}

/**
 * The tile that holds the pixel nearest to a place. Pixels are points, and the first column lies on the western side of
 * the tile. The last column and row, shared with the next tile, are cut off: a place within half a pixel of the eastern
 * or the southern side belongs to the next tile.
 */
export function terrainTileOf({ latitude, longitude }: GroundPoint): TerrainTile {
  const [south, west] = [Math.floor(latitude), Math.floor(longitude)];
  const columns = columnsAt(south);
  const isBeyondEast = Math.floor((longitude - west) * columns + 0.5) >= columns;
  const isBeyondSouth = Math.floor((south + 1 - latitude) * rows + 0.5) >= rows;
  const eastward = isBeyondEast ? west + 1 : west;
  return { south: isBeyondSouth ? south - 1 : south, west: eastward === 180 ? -180 : eastward };
}

/** Name of the tile in the bucket: that of its folder and of its file. */
export function terrainTileName({ south, west }: TerrainTile): string {
  const degrees = (value: number, digits: number): string => String(Math.abs(value)).padStart(digits, '0');
  const latitude = `${south < 0 ? 'S' : 'N'}${degrees(south, 2)}_00`;
  const longitude = `${west < 0 ? 'W' : 'E'}${degrees(west, 3)}_00`;
  return `Copernicus_DSM_COG_30_${latitude}_${longitude}_DEM`;
}
