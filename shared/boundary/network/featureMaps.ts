import type { Plane } from '../window/gaussian.js';

const { ceil, max } = Math;

/** Side of the squares in which the convolution works; the maps have room for whole squares. */
export const tileSide = 4;

/**
 * The planes between two layers of the network, [channel][row][column], in a frame of zeros: one pixel above and to the
 * left, and at least one below and to the right.
 */
export interface FeatureMaps {
  readonly channels: number;
  readonly width: number;
  readonly height: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
  /** Numbers from one channel to the next. */
  readonly planeSize: number;
  readonly data: Float32Array;
}

/** Maps full of zeros. */
export function emptyMaps(channels: number, width: number, height: number): FeatureMaps {
  const stride = tileSide * ceil(width / tileSide) + 2;
  const planeSize = stride * (tileSide * ceil(height / tileSide) + 2);
  return { channels, width, height, stride, planeSize, data: new Float32Array(channels * planeSize) };
}

/** Index of the pixel in the upper left corner of a channel. */
export function originOf({ planeSize, stride }: FeatureMaps, channel: number): number {
  return channel * planeSize + stride + 1;
}

/** Planes as maps, mirrored to the right and down (the edge not repeated) until the sides are multiples of `step`. */
export function mapsOf(planes: readonly Plane[], step: number): FeatureMaps {
  const [first] = planes;
  if (first === undefined) throw new RangeError('The network needs at least one plane.');
  const roundUp = (side: number): number => step * ceil(side / step);
  const maps = emptyMaps(planes.length, roundUp(first.width), roundUp(first.height));
  planes.forEach(({ width, height, data }, channel) => {
    const origin = originOf(maps, channel);
    for (let row = 0; row < maps.height; row += 1) {
      const from = mirroredInside(row, height) * width;
      for (let column = 0; column < maps.width; column += 1) {
        maps.data[origin + row * maps.stride + column] = data[from + mirroredInside(column, width)] ?? 0;
      }
    }
  });
  return maps;
}

/** Index mirrored at the last element: … n-2, n-1, n-2, …; sides of one pixel repeat it. */
function mirroredInside(index: number, count: number): number {
  return index < count ? index : max(0, 2 * (count - 1) - index);
}

/** The largest value of every 2×2 square; sides are even. */
export function pooled(maps: FeatureMaps): FeatureMaps {
  const out = emptyMaps(maps.channels, maps.width / 2, maps.height / 2);
  for (let channel = 0; channel < maps.channels; channel += 1) {
    for (let row = 0; row < out.height; row += 1) {
      const from = originOf(maps, channel) + 2 * row * maps.stride;
      const to = originOf(out, channel) + row * out.stride;
      for (let column = 0; column < out.width; column += 1) {
        const k = from + 2 * column;
        const upper = max(maps.data[k] ?? 0, maps.data[k + 1] ?? 0);
        const lower = max(maps.data[k + maps.stride] ?? 0, maps.data[k + maps.stride + 1] ?? 0);
        out.data[to + column] = max(upper, lower);
      }
    }
  }
  return out;
}

/** Every pixel repeated in a 2×2 square. */
export function doubled(maps: FeatureMaps): FeatureMaps {
  const out = emptyMaps(maps.channels, maps.width * 2, maps.height * 2);
  for (let channel = 0; channel < maps.channels; channel += 1) {
    for (let row = 0; row < out.height; row += 1) {
      const from = originOf(maps, channel) + (row >> 1) * maps.stride;
      const to = originOf(out, channel) + row * out.stride;
      for (let column = 0; column < out.width; column += 1) {
        out.data[to + column] = maps.data[from + (column >> 1)] ?? 0;
      }
    }
  }
  return out;
}
