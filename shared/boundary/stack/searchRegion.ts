import type { Polygon, Position } from '../../geo/shapes/geoJson.js';
import { boxAround } from '../../geo/shapes/box.js';
import { toMapPoint, type Grid, type MapBox } from '../../geo/grid/grid.js';
import { utmProjection, type MapPoint } from '../../geo/grid/utm.js';
import { utmEpsgAt } from '../../geo/grid/utmZone.js';

/** Pixels of 10 m along a side: the usual window, and the larger one for a field that reaches the usual window's edge. */
const windowSides = [256, 512] as const;

/** The usual window (0) or the larger one (1). */
export type Round = 0 | 1;

/** Where scenes are looked for, and the grid on which they are drawn. */
export interface SearchRegion {
  /** 10 m pixels on the UTM zone of the point, which lies in row and column `side / 2`. */
  readonly grid: Grid;
  /** A rectangle along meridians and parallels that holds the grid, RFC 7946. */
  readonly polygon: Polygon;
  /** The same rectangle, in degrees. */
  readonly box: MapBox;
}

const PIXEL_M = 10;
/** Ground round the grid, so that interpolation has neighbours at its edge. */
const MARGIN_PIXELS = 3;

/** The search region round a point: 2.56 km a side at first, 5.12 km in the second round. */
export function searchRegion(point: Position, round: Round): SearchRegion {
  const grid = gridAround(point, windowSides[round]);
  const box = degreesAround(grid, point);
  const [west, south, east, north] = box;
  const ring: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { grid, box, polygon: { type: 'Polygon', coordinates: [ring] } };
}

function gridAround(point: Position, side: number): Grid {
  const epsg = utmEpsgAt(point);
  const [x, y] = utmProjection(epsg).toMap(point);
  const half = (side / 2) * PIXEL_M;
  return {
    epsg,
    originX: Math.floor(x / PIXEL_M) * PIXEL_M - half,
    originY: (Math.floor(y / PIXEL_M) + 1) * PIXEL_M + half,
    pixelWidth: PIXEL_M,
    pixelHeight: PIXEL_M,
    width: side,
    height: side,
  };
}

/** The box in degrees round a grid and its margin, cut off at the antimeridian, which a rectangle can't cross. */
function degreesAround(grid: Grid, [longitude]: Position): MapBox {
  const { toPosition } = utmProjection(grid.epsg);
  const edge = edgeOf(grid).map((pixel): MapPoint => {
    const [degreesEast, degreesNorth] = toPosition(toMapPoint(grid, pixel));
    return [longitude + normalised(degreesEast - longitude), degreesNorth];
  });
  const [west, south, east, north] = boxAround(edge);
  return [Math.max(-180, down(west)), down(south), Math.min(180, up(east)), up(north)];
}

/** Pixel coordinates along the four sides of the grid with its margin: the sides bend in degrees. */
function edgeOf({ width, height }: Grid): MapPoint[] {
  const steps = 8;
  const [right, bottom] = [width + MARGIN_PIXELS, height + MARGIN_PIXELS];
  return Array.from({ length: steps + 1 }, (_, k): MapPoint[] => {
    const column = -MARGIN_PIXELS + ((right + MARGIN_PIXELS) * k) / steps;
    const row = -MARGIN_PIXELS + ((bottom + MARGIN_PIXELS) * k) / steps;
    return [
      [column, -MARGIN_PIXELS],
      [column, bottom],
      [-MARGIN_PIXELS, row],
      [right, row],
    ];
  }).flat();
}

/** −180 to 180. */
const normalised = (degrees: number): number => ((degrees + 540) % 360) - 180;

/** Seven decimals are a centimetre; outward, so that nothing is lost. */
const down = (degrees: number): number => Math.floor(degrees * 1e7) / 1e7;
const up = (degrees: number): number => Math.ceil(degrees * 1e7) / 1e7;
