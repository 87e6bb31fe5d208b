import { clipped } from './convex.js';
import type { Convex, MapPlace } from './convex.js';
import { hashOf, unitAt } from './random.js';

/** A stretch of country of about 9 km² with one way of farming: the cell of a jittered grid point. */
export interface Region {
  readonly seed: number;
  readonly cell: Convex;
}

/** Grid on which the regions' centres are scattered. */
export const regionSpacingM = 3000;
const jitter = 0.7;

function centreOf(seed: number, column: number, row: number): MapPlace {
  const shift = (salt: number): number => (unitAt(hashOf(seed, salt), column, row) - 0.5) * jitter;
  return [(column + 0.5 + shift(1)) * regionSpacingM, (row + 0.5 + shift(2)) * regionSpacingM];
}

/** The region of a grid square: every place that is nearer to its centre than to any other (Voronoi). */
export function regionOf(seed: number, column: number, row: number): Region {
  const own = centreOf(seed, column, row);
  const reach = 2 * regionSpacingM;
  let cell: Convex = [
    [own[0] - reach, own[1] - reach],
    [own[0] + reach, own[1] - reach],
    [own[0] + reach, own[1] + reach],
    [own[0] - reach, own[1] + reach],
  ];
  for (let dy = -2; dy <= 2; dy += 1) {
    for (let dx = -2; dx <= 2; dx += 1) {
      if (dx === 0 && dy === 0) continue;
      const other = centreOf(seed, column + dx, row + dy);
      const normal: MapPlace = [other[0] - own[0], other[1] - own[1]];
      const offset = (other[0] ** 2 + other[1] ** 2 - own[0] ** 2 - own[1] ** 2) / 2;
      cell = clipped(cell, { normal, offset });
    }
  }
  return { seed: hashOf(seed, column, row), cell };
}

/** Grid squares whose regions can reach into a box [west, south, east, north]. */
export function squaresNear([west, south, east, north]: readonly [number, number, number, number]): MapPlace[] {
  const squares: MapPlace[] = [];
  const first = (value: number): number => Math.floor(value / regionSpacingM) - 1;
  for (let row = first(south); row <= first(north) + 2; row += 1) {
    for (let column = first(west); column <= first(east) + 2; column += 1) squares.push([column, row]);
  }
  return squares;
}
