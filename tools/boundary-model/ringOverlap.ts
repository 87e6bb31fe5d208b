import type { MapPoint } from '../../shared/geo/grid/utm.js';

type Ring = readonly MapPoint[];

/** Distance between the lines along which two rings are compared. */
const lineStepM = 0.5;

/**
 * Intersection over union of two rings on one map, 0–1.
 *
 * Exact along lines half a metre apart: good to 0.001 for fields above 0.1 ha.
 * @param a open or closed ring in metres, even-odd
 */
export function ringIou(a: Ring, b: Ring): number {
  const ys = [...a, ...b].map(([, y]) => y);
  let [shared, either] = [0, 0];
  for (let y = Math.min(...ys) + lineStepM / 2; y < Math.max(...ys); y += lineStepM) {
    const [first, second] = [crossingsAt(a, y), crossingsAt(b, y)];
    const common = sharedLength(first, second);
    shared += common;
    either += lengthOf(first) + lengthOf(second) - common;
  }
  return either === 0 ? 0 : shared / either;
}

function crossingsAt(ring: Ring, y: number): number[] {
  const crossings: number[] = [];
  let [fromX, fromY] = ring.at(-1) ?? [0, 0];
  for (const [toX, toY] of ring) {
    if (fromY > y !== toY > y) crossings.push(fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX));
    [fromX, fromY] = [toX, toY];
  }
  return crossings.sort((a, b) => a - b);
}

function lengthOf(crossings: readonly number[]): number {
  return crossings.reduce((sum, x, k) => sum + (k % 2 === 0 ? -x : x), 0);
}

/** Length of the line that lies in both sets of sections. */
function sharedLength(a: readonly number[], b: readonly number[]): number {
  let shared = 0;
  for (let i = 0; i + 1 < a.length; i += 2) {
    for (let j = 0; j + 1 < b.length; j += 2) {
      shared += Math.max(0, Math.min(a[i + 1] ?? 0, b[j + 1] ?? 0) - Math.max(a[i] ?? 0, b[j] ?? 0));
    }
  }
  return shared;
}

/** Distance of a point from a ring in metres, negative inside. */
export function distanceOutside(ring: Ring, [x, y]: MapPoint): number {
  let isInside = false;
  let nearest = Infinity;
  let [fromX, fromY] = ring.at(-1) ?? [0, 0];
  for (const [toX, toY] of ring) {
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
    const [sideX, sideY] = [toX - fromX, toY - fromY];
    const share = ((x - fromX) * sideX + (y - fromY) * sideY) / (sideX ** 2 + sideY ** 2 || 1);
    const along = Math.min(1, Math.max(0, share));
    nearest = Math.min(nearest, Math.hypot(x - fromX - along * sideX, y - fromY - along * sideY));
    [fromX, fromY] = [toX, toY];
  }
  return isInside ? -nearest : nearest;
}
