import { toPixel, type Grid } from '../../shared/geo/grid/grid.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { fromMercator, toMercator } from './mercator.js';

/** A picture larger than this is warped with fewer pixels. */
const MAX_PIXELS = 3_000_000;
/** Places are projected at each eighth pixel; between, straight lines are right to a hundredth of a source pixel. */
const STEP = 8;

/** Metres of web mercator (EPSG:3857). */
export type MercatorBox = readonly [west: number, south: number, east: number, north: number];

/** A picture on the map's own grid, north up, square pixels. */
export interface WarpedPicture {
  readonly width: number;
  readonly height: number;
  readonly box: MercatorBox;
  /** [row][column], colours as canvases hold them; 0 outside the source. */
  readonly colours: Uint32Array<ArrayBuffer>;
}

/** The box around a grid; its sides bend in the other projection, so places along them count, not the corners alone. */
export function mercatorBoxOf(grid: Grid): MercatorBox {
  const { toPosition } = projectionOf(grid.epsg);
  const [width, height] = [grid.width * grid.pixelWidth, grid.height * grid.pixelHeight];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let part = 0; part <= STEP; part += 1) {
    const [x, y] = [grid.originX + (width * part) / STEP, grid.originY - (height * part) / STEP];
    for (const position of [
      toPosition([x, grid.originY]),
      toPosition([x, grid.originY - height]),
      toPosition([grid.originX, y]),
      toPosition([grid.originX + width, y]),
    ]) {
      const [easting, northing] = toMercator(position);
      [west, east] = [Math.min(west, easting), Math.max(east, easting)];
      [south, north] = [Math.min(south, northing), Math.max(north, northing)];
    }
  }
  return [west, south, east, north];
}

/** Source columns and rows at the corners of squares of `STEP` target pixels, column and row in turn. */
function projectedCorners(grid: Grid, [west, , , north]: MercatorBox, pixelSize: number, across: number, down: number) {
  const { toMap } = projectionOf(grid.epsg);
  const corners = new Float64Array(2 * across * down);
  for (let row = 0, at = 0; row < down; row += 1) {
    const y = north - (row * STEP + 0.5) * pixelSize;
    for (let column = 0; column < across; column += 1, at += 2) {
      const position = fromMercator([west + (column * STEP + 0.5) * pixelSize, y]);
      [corners[at], corners[at + 1]] = toPixel(grid, toMap(position)) as [number, number];
    }
  }
  return corners;
}

/** Side of a target pixel: a part of a source pixel, larger where the picture would get too many. */
function targetPixelSize(grid: Grid, [west, south, east, north]: MercatorBox, parts: number): number {
  const sourcePixel = Math.min((east - west) / grid.width, (north - south) / grid.height);
  return Math.max(sourcePixel / parts, Math.sqrt(((east - west) * (north - south)) / MAX_PIXELS));
}

/**
 * Brings a picture onto the map's grid. Each target pixel has the colour of the source pixel it lies in: no value between
 * two pixels is ever shown.
 *
 * @param source colours [row][column] on `grid`
 * @param parts target pixels along a source pixel's side
 */
export function warp(grid: Grid, source: Uint32Array, parts: number): WarpedPicture {
  const outer = mercatorBoxOf(grid);
  const pixelSize = targetPixelSize(grid, outer, parts);
  const width = Math.ceil((outer[2] - outer[0]) / pixelSize);
  const height = Math.ceil((outer[3] - outer[1]) / pixelSize);
  const box: MercatorBox = [outer[0], outer[3] - height * pixelSize, outer[0] + width * pixelSize, outer[3]];
  const across = Math.ceil(width / STEP) + 1;
  const corners = projectedCorners(grid, box, pixelSize, across, Math.ceil(height / STEP) + 1);
  const colours = new Uint32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const [corner, share] = [Math.floor(row / STEP) * across * 2, (row % STEP) / STEP];
    for (let left = 0; left < width; left += STEP) {
      const line = lineOf(corners, corner + (left / STEP) * 2, across * 2, share);
      const end = Math.min(STEP, width - left);
      for (let step = 0; step < end; step += 1) {
        const column = Math.floor(line.column + line.columnStep * step);
        const sourceRow = Math.floor(line.row + line.rowStep * step);
        if (column >= 0 && column < grid.width && sourceRow >= 0 && sourceRow < grid.height) {
          colours[row * width + left + step] = source[sourceRow * grid.width + column] ?? 0;
        }
      }
    }
  }
  return { width, height, box, colours };
}

/** Where one row of target pixels runs through a square of corners: its first source place, and the way to the next. */
function lineOf(corners: Float64Array, at: number, below: number, share: number) {
  const between = (index: number): number => {
    const upper = corners[index] ?? 0;
    return upper + ((corners[index + below] ?? 0) - upper) * share;
  };
  const [column, row] = [between(at), between(at + 1)];
  return { column, row, columnStep: (between(at + 2) - column) / STEP, rowStep: (between(at + 3) - row) / STEP };
}
