import { unitAt } from './random.js';

const { floor } = Math;

/** Smooth noise over the map, anchored to the map's metres: every window sees the same values. */
export interface Noise {
  readonly seed: number;
  /** Distance of the nodes between which the noise runs smoothly. */
  readonly scaleM: number;
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

/** Scales the sum of four uniform nodes to a standard deviation of about 1. */
const gain = 4.4;

function node({ seed }: Noise, column: number, row: number): number {
  return (unitAt(seed, column, row) - 0.5) * gain;
}

/** Noise at one place: mean 0, standard deviation about 1, between -2.2 and 2.2. */
export function noiseAt(noise: Noise, x: number, y: number): number {
  const [u, v] = [x / noise.scaleM, y / noise.scaleM];
  const [column, row] = [floor(u), floor(v)];
  const [right, up] = [smooth(u - column), smooth(v - row)];
  const lower = node(noise, column, row) * (1 - right) + node(noise, column + 1, row) * right;
  const upper = node(noise, column, row + 1) * (1 - right) + node(noise, column + 1, row + 1) * right;
  return lower * (1 - up) + upper * up;
}

/** Places on a horizontal line: x = startX + k · stepM. */
export interface Line {
  readonly startX: number;
  readonly stepM: number;
  readonly y: number;
}

/** Adds weight × noise at every place of a line to `into`: much faster than place by place. */
export function addNoiseAlong(noise: Noise, { startX, stepM, y }: Line, weight: number, into: Float32Array): void {
  const v = y / noise.scaleM;
  const row = floor(v);
  const up = smooth(v - row);
  const value = (column: number): number =>
    weight * (node(noise, column, row) * (1 - up) + node(noise, column, row + 1) * up);
  let column = floor(startX / noise.scaleM);
  let [left, right] = [value(column), value(column + 1)];
  for (let k = 0; k < into.length; k += 1) {
    const u = (startX + k * stepM) / noise.scaleM;
    if (u >= column + 1) {
      column = floor(u);
      left = right;
      right = value(column + 1);
    }
    into[k] = (into[k] ?? 0) + left + (right - left) * smooth(u - column);
  }
}
