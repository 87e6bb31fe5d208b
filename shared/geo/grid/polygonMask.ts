import { partsOf, type MultiPolygon, type Polygon } from '../shapes/geoJson.js';
import { boxAround } from '../shapes/box.js';
import { toPixel, windowAround, type Grid, type PixelWindow } from './grid.js';
import { projectionOf, type MapPoint } from './utm.js';

/** Rings of one part (outer ring first, then holes) on a map or in pixels. */
export type PlanarPart = readonly (readonly MapPoint[])[];

/** Below this many pixel centres a field is drawn by every pixel it touches. */
const FEWEST_CENTRES = 10;

/** A field's parts on the map of `epsg`: each corner projected, edges straight on that map. */
export function projectParts(geometry: Polygon | MultiPolygon, epsg: number): readonly PlanarPart[] {
  const projection = projectionOf(epsg);
  return partsOf(geometry).map((rings) => rings.map((ring) => ring.map((position) => projection.toMap(position))));
}

/** The window of a raster that a field's parts cover, on whole multiples of `step` pixels. */
export function windowOfParts(grid: Grid, parts: readonly PlanarPart[], step: number): PixelWindow {
  return windowAround(grid, boxAround(parts.flatMap(([outer = []]) => outer)), step);
}

/**
 * The pixels whose centre lies in the parts.
 *
 * Even-odd over the rings of one part, so their direction does not matter. Each part is filled by itself, since parts that
 * overlap would cancel each other. A centre exactly on an edge belongs to one side only.
 *
 * @returns [row][column], 1 inside, 0 outside
 */
export function centreMask(parts: readonly PlanarPart[], grid: Grid): Uint8Array {
  const mask = new Uint8Array(grid.width * grid.height);
  for (const rings of parts) {
    const rows = crossingsByRow(
      rings.map((ring) => ring.map((point) => toPixel(grid, point))),
      grid.height,
    );
    rows.forEach((crossings, row) => {
      crossings.sort((a, b) => a - b);
      fillBetween(mask.subarray(row * grid.width, (row + 1) * grid.width), crossings);
    });
  }
  return mask;
}

/** Where the edges cross the middle line of each row, unsorted. */
function crossingsByRow(rings: PlanarPart, height: number): readonly number[][] {
  const rows: number[][] = Array.from({ length: height }, () => []);
  for (const ring of rings) {
    ring.forEach((to, k) => {
      addCrossings(rows, ring.at(k - 1) ?? to, to);
    });
  }
  return rows;
}

function addCrossings(rows: readonly number[][], from: MapPoint, to: MapPoint): void {
  const [top, bottom] = from[1] < to[1] ? [from, to] : [to, from];
  const slope = (bottom[0] - top[0]) / (bottom[1] - top[1]);
  const last = Math.min(rows.length, Math.ceil(bottom[1] - 0.5));
  for (let row = Math.max(0, Math.ceil(top[1] - 0.5)); row < last; row += 1) {
    rows[row]?.push(top[0] + (row + 0.5 - top[1]) * slope);
  }
}

/** Sets the pixels whose centre lies between each pair of sorted crossings. */
function fillBetween(row: Uint8Array, crossings: readonly number[]): void {
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const start = Math.max(0, Math.ceil((crossings[index] ?? 0) - 0.5));
    const end = Math.min(row.length, Math.ceil((crossings[index + 1] ?? 0) - 0.5));
    if (end > start) row.fill(1, start, end);
  }
}

/**
 * The pixels that the parts touch at all: those with their centre inside and those that an edge runs through.
 *
 * @returns [row][column], 1 touched, 0 not
 */
export function touchedMask(parts: readonly PlanarPart[], grid: Grid): Uint8Array {
  const mask = centreMask(parts, grid);
  for (const ring of parts.flat()) {
    ring.forEach((to, k) => {
      touchLine(mask, grid, [toPixel(grid, ring.at(k - 1) ?? to), toPixel(grid, to)]);
    });
  }
  return mask;
}

/** Sets every pixel that a line runs through: per row, the columns between its ends inside that row. */
function touchLine(mask: Uint8Array, { width, height }: Grid, ends: readonly [MapPoint, MapPoint]): void {
  const [top, bottom] = ends[0][1] <= ends[1][1] ? ends : [ends[1], ends[0]];
  const rise = bottom[1] - top[1];
  const columnAt = (y: number): number =>
    rise === 0 ? top[0] : top[0] + ((Math.min(bottom[1], Math.max(top[1], y)) - top[1]) / rise) * (bottom[0] - top[0]);
  const lastRow = Math.min(height - 1, Math.floor(bottom[1]));
  for (let row = Math.max(0, Math.floor(top[1])); row <= lastRow; row += 1) {
    const x = [columnAt(row), rise === 0 ? bottom[0] : columnAt(row + 1)] as const;
    const first = Math.max(0, Math.floor(Math.min(...x)));
    const last = Math.min(width - 1, Math.floor(Math.max(...x)));
    if (last >= first) mask.fill(1, row * width + first, row * width + last + 1);
  }
}

/** Number of pixels set in a mask. */
export function countSet(mask: Uint8Array): number {
  let count = 0;
  for (const value of mask) count += value;
  return count;
}

/**
 * The pixels of a field on a grid: by pixel centre, or by touch when fewer than 10 centres lie inside.
 *
 * @param parts the field on the grid's own map (`projectParts`)
 * @returns [row][column], 1 inside, 0 outside
 */
export function fieldMask(parts: readonly PlanarPart[], grid: Grid): Uint8Array {
  const mask = centreMask(parts, grid);
  return countSet(mask) < FEWEST_CENTRES ? touchedMask(parts, grid) : mask;
}
