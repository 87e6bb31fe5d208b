import { cutOut } from '../../raster/tiff/pixels.js';
import { framedBy, type Bitmap } from '../window/morphology.js';

const { min } = Math;

/** Lengths of a step to a side and to a corner neighbour that approximate the straight distance best, in pixels. */
const sideStep = 0.955;
const cornerStep = 1.3693;

/**
 * Distance of every inside pixel from the nearest outside pixel, in pixels; beyond the bitmap counts as outside.
 *
 * @see Borgefors (1986), Distance transformations in digital images
 */
export function edgeDistance(bitmap: Bitmap): Float64Array {
  const framed = framedBy(bitmap, 1);
  const distance = new Float64Array(framed.data.length);
  for (let k = 0; k < distance.length; k += 1) if (framed.data[k] === 1) distance[k] = Infinity;
  sweep(distance, framed.width, 1);
  sweep(distance, framed.width, -1);
  return cutOut(distance, framed.width, { ...bitmap, column: 1, row: 1 });
}

/** One pass over the inside pixels, downwards (1) or upwards (-1). */
function sweep(distance: Float64Array, width: number, direction: 1 | -1): void {
  const last = distance.length - 1;
  for (let step = 0; step <= last; step += 1) {
    const k = direction === 1 ? step : last - step;
    const own = distance[k] ?? 0;
    if (own === 0) continue;
    const behind = k - direction * width;
    const sides = min(distance[k - direction] ?? 0, distance[behind] ?? 0) + sideStep;
    const corners = min(distance[behind - 1] ?? 0, distance[behind + 1] ?? 0) + cornerStep;
    distance[k] = min(own, sides, corners);
  }
}
