import { blurred, type Plane } from '../window/gaussian.js';
import { framedBy, type Bitmap } from '../window/morphology.js';
import type { PlanePoint } from '../../geo/shapes/rings.js';

const { ceil, floor } = Math;

/** How a bitmap is softened before the lines round it are drawn. */
export interface Softening {
  /** Standard deviation of the Gaussian, in pixels. */
  readonly sigma: number;
  /** Value of the softened bitmap, 0–1, at which the line runs; above one half it runs further inside. */
  readonly level: number;
}

/**
 * The lines round a softened bitmap, by marching squares.
 *
 * @returns open rings that neither cross themselves nor one another, in pixels from the bitmap's upper left corner
 *   (a pixel's centre is at + 0.5); holes are rings too
 */
export function maskContours(bitmap: Bitmap, { sigma, level }: Softening): PlanePoint[][] {
  const frame = ceil(4 * sigma) + 1;
  const framed = framedBy(bitmap, frame);
  const plane = blurred({ width: framed.width, height: framed.height, data: Float32Array.from(framed.data) }, sigma);
  const next = crossingLinks(plane, level);
  const rings: PlanePoint[][] = [];
  for (let start = 0; start < next.length; start += 1) {
    if ((next[start] ?? -1) === -1) continue;
    const ring: PlanePoint[] = [];
    for (let at = start; (next[at] ?? -1) !== -1;) {
      const [x, y] = crossingPoint(plane, at, level);
      ring.push([x - frame, y - frame]);
      const following = next[at] ?? -1;
      next[at] = -1;
      at = following;
    }
    rings.push(ring);
  }
  return rings;
}

/**
 * For every grid line that the level crosses, the next grid line that the contour crosses; -1 for all other lines.
 *
 * Line 2k joins the centres of the pixels k and k + 1, line 2k + 1 those of k and k + width. In a cell, clockwise,
 * the contour runs from the line where the inside ends to the line where it begins; in the next cell it ends there.
 */
function crossingLinks({ width, height, data }: Plane, level: number): Int32Array {
  const next = new Int32Array(2 * data.length).fill(-1);
  for (let row = 0; row + 1 < height; row += 1) {
    for (let column = 0; column + 1 < width; column += 1) {
      const k = row * width + column;
      const isInside = (data[k] ?? 0) > level;
      const isUniform =
        (data[k + 1] ?? 0) > level === isInside &&
        (data[k + width] ?? 0) > level === isInside &&
        (data[k + width + 1] ?? 0) > level === isInside;
      if (isUniform) continue;
      linkCell({ data, level }, next, {
        corners: [k, k + 1, k + width + 1, k + width],
        lines: [2 * k, 2 * k + 3, 2 * (k + width), 2 * k + 1],
      });
    }
  }
  return next;
}

interface Cell {
  /** Pixels clockwise from the upper left. */
  readonly corners: readonly number[];
  /** Line from each corner to the next. */
  readonly lines: readonly number[];
}

function linkCell(
  { data, level }: { readonly data: Float32Array; readonly level: number },
  next: Int32Array,
  { corners, lines }: Cell,
): void {
  const values = corners.map((corner) => data[corner] ?? 0);
  const isInside = values.map((value) => value > level);
  const leaves = lines.filter((_, k) => isInside[k] === true && isInside[(k + 1) % 4] === false);
  const enters = lines.filter((_, k) => isInside[k] === false && isInside[(k + 1) % 4] === true);
  const isJoined = values.reduce((sum, value) => sum + value, 0) / 4 > level;
  // On a saddle a contour turns round an outside corner when the two inside corners are joined, else round an inside one.
  for (const leave of leaves) {
    const behind = lines.indexOf(leave);
    const order = [1, 2, 3].map((turn) => lines[(behind + (isJoined ? turn : 4 - turn)) % 4] ?? -1);
    next[leave] = order.find((line) => enters.includes(line)) ?? -1;
  }
}

/** Where the level crosses a line, by linear interpolation. */
function crossingPoint({ width, data }: Plane, line: number, level: number): PlanePoint {
  const k = line >> 1;
  const isDown = line % 2 === 1;
  const from = data[k] ?? 0;
  const to = data[isDown ? k + width : k + 1] ?? 0;
  const share = (level - from) / (to - from);
  const column = (k % width) + 0.5;
  const row = floor(k / width) + 0.5;
  return isDown ? [column, row + share] : [column + share, row];
}
