import type { MapPoint } from './utm.js';

/**
 * Where the pixels of a north-up raster lie: pixel (column, row) covers the rectangle that begins at
 * (originX + column · pixelWidth, originY − row · pixelHeight) and goes east and south.
 */
export interface Grid {
  readonly epsg: number;
  /** West edge of the first column: metres (UTM) or degrees (EPSG:4326). */
  readonly originX: number;
  /** North edge of the first row. */
  readonly originY: number;
  /** Above 0, in units of the map. */
  readonly pixelWidth: number;
  /** Above 0, counted southward. */
  readonly pixelHeight: number;
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** A rectangle of whole pixels; it may reach beyond the raster. */
export interface PixelWindow {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** A box on a map: [west, south, east, north]. */
export type MapBox = readonly [west: number, south: number, east: number, north: number];

/** Pixel coordinates of a map point; whole numbers are pixel corners, + 0.5 is a pixel's centre. */
export function toPixel(grid: Grid, [x, y]: MapPoint): MapPoint {
  return [(x - grid.originX) / grid.pixelWidth, (grid.originY - y) / grid.pixelHeight];
}

/** Map point of pixel coordinates, the inverse of `toPixel`. */
export function toMapPoint(grid: Grid, [column, row]: MapPoint): MapPoint {
  return [grid.originX + column * grid.pixelWidth, grid.originY - row * grid.pixelHeight];
}

/** The box around a raster. */
export function boxOf(grid: Grid): MapBox {
  const [east, south] = toMapPoint(grid, [grid.width, grid.height]);
  return [grid.originX, south, east, grid.originY];
}

/** The corners of a box, in whatever coordinates it has. */
export const cornersOf = ([west, south, east, north]: MapBox): readonly MapPoint[] => [
  [west, south],
  [west, north],
  [east, south],
  [east, north],
];

/** A corner this close to a pixel edge counts as on the edge: rounding errors must not add an empty row. */
const ON_EDGE_PIXELS = 1e-6;

/**
 * The pixels of `grid` that a box touches, moved outward to whole multiples of `step` pixels.
 *
 * With `step` 2 a window of 10 m pixels ends on edges of 20 m pixels of the same origin. The window may reach beyond the
 * grid.
 */
export function windowAround(grid: Grid, [west, south, east, north]: MapBox, step = 1): PixelWindow {
  const [left, top] = toPixel(grid, [west, north]);
  const [right, bottom] = toPixel(grid, [east, south]);
  const outward = (first: number, last: number): readonly [number, number] => {
    const start = Math.floor((first + ON_EDGE_PIXELS) / step) * step;
    return [start, Math.max(step, Math.ceil((last - ON_EDGE_PIXELS) / step) * step - start)];
  };
  const [column, width] = outward(left, right);
  const [row, height] = outward(top, bottom);
  return { column, row, width, height };
}

/** A window made larger by `margin` pixels on each side. */
export function withMargin(window: PixelWindow, margin: number): PixelWindow {
  return {
    column: window.column - margin,
    row: window.row - margin,
    width: window.width + 2 * margin,
    height: window.height + 2 * margin,
  };
}

/**
 * The window of the coarser raster (same origin, `factor` times the pixel size) that covers a window of the finer
 * one; exact when the window lies on multiples of `factor`.
 */
export function coarserWindow(window: PixelWindow, factor: number): PixelWindow {
  const column = Math.floor(window.column / factor);
  const row = Math.floor(window.row / factor);
  return {
    column,
    row,
    width: Math.ceil((window.column + window.width) / factor) - column,
    height: Math.ceil((window.row + window.height) / factor) - row,
  };
}

/** The grid of a window of a raster. */
export function windowGrid(grid: Grid, window: PixelWindow): Grid {
  const [originX, originY] = toMapPoint(grid, [window.column, window.row]);
  return { ...grid, originX, originY, width: window.width, height: window.height };
}

/** Whether a window lies wholly inside a raster of this size. */
export function isInside(window: PixelWindow, size: { readonly width: number; readonly height: number }): boolean {
  return (
    window.column >= 0 &&
    window.row >= 0 &&
    window.column + window.width <= size.width &&
    window.row + window.height <= size.height
  );
}
