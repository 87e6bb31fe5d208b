import type { Polygon, Position } from '../../../../shared/geo/shapes/geoJson.js';
import { coverOf, type GeoBox } from '../../../../shared/scenes/place/footprint.js';
import { gridOfTile, nameOfTile, tilesAround, type TileSquare } from '../../../../shared/scenes/place/tiles.js';
import { boxAround } from '../../../../shared/geo/shapes/box.js';
import type { Grid } from '../../../../shared/geo/grid/grid.js';
import { utmProjection } from '../../../../shared/geo/grid/utm.js';
import { findUtmZone, utmEpsg, utmEpsgAt } from '../../../../shared/geo/grid/utmZone.js';
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

function tileAt(square: TileSquare): MgrsTile {
  const grid = gridOfTile(square);
  const outline = outlineOf(grid, []) ?? { type: 'Polygon', coordinates: [] };
  return { name: nameOfTile(square), grid, outline };
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
    return tilesAround(epsg, boxAround(corners.map((corner) => toMap(corner)))).map(tileAt);
  });
  return found.filter(({ outline }) => coverOf(outline, box) !== 'none').sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tile of that name, if there is one near its letters. @param epsg of its zone */
export function tileNamed(name: string, epsg: number): MgrsTile | undefined {
  for (let column = 1; column <= 8; column += 1) {
    for (let row = 0; row < 100; row += 1) {
      if (nameOfTile({ epsg, column, row }) === name) return tileAt({ epsg, column, row });
    }
  }
  return undefined;
}

/** The EPSG code of a tile's zone by its name: bands from N on lie north of the equator. */
export function epsgOfTile(name: string): number {
  return utmEpsg({ number: Number(name.slice(0, 2)), isSouth: (name[2] ?? 'N') < 'N' });
}
