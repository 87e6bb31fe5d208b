import { filterColumns, filterRows, gaussianDerivativeKernel, gaussianKernel, type Plane } from './gaussian.js';
import { erodedByCross, type Bitmap } from './morphology.js';
import type { NormalisedDate } from './normalise.js';
import { percentilesInPlace } from './percentile.js';

const { max, min, sqrt } = Math;

const sigma = 0.8;
const unitPercentile = 90;
const strongest = 3;

/** 1 for clear pixels more than two steps from a hidden pixel. @param beyond 0 when beyond the window counts as hidden */
export function trustedPixels(clear: Bitmap, beyond: 0 | 1): Uint8Array {
  return erodedByCross(erodedByCross(clear, beyond), beyond).data;
}

/** Values of one date, and the pixels at which they count. */
export interface DateValues {
  readonly values: Float32Array | Float64Array;
  readonly trusted: Uint8Array;
}

/** The mean of each pixel over the dates that trust the pixel; 0 where none does. */
export function meanOverDates(
  dates: readonly DateValues[],
  { width, height }: Pick<Bitmap, 'width' | 'height'>,
): Plane {
  const total = new Float64Array(width * height);
  const count = new Uint8Array(width * height);
  for (const { values, trusted } of dates) {
    for (let k = 0; k < total.length; k += 1) {
      if (trusted[k] !== 1) continue;
      total[k] = (total[k] ?? 0) + (values[k] ?? 0);
      count[k] = (count[k] ?? 0) + 1;
    }
  }
  return { width, height, data: Float32Array.from(total, (sum, k) => sum / max(1, count[k] ?? 0)) };
}

/**
 * How fast the channels change, over all dates: 1 is a date's 90th percentile, 3 the most.
 *
 * The largest eigenvalue of the summed structure tensor of all channels, averaged over the dates that see the pixel;
 * 0 in the two outermost rows and columns and where no date sees the ground.
 * @see Di Zenzo (1986), A note on the gradient of a multi-image
 */
export function meanGradient(dates: readonly NormalisedDate[], size: Pick<Bitmap, 'width' | 'height'>): Plane {
  return meanOverDates(dates.map(gradientOfDate), size);
}

function gradientOfDate({ channels, clear }: NormalisedDate): DateValues {
  const magnitude = gradientOf(channels);
  const trusted = trustedPixels(clear, 0);
  const seen = magnitude.filter((_, k) => trusted[k] === 1);
  const [unit = 0] = seen.length === 0 ? [] : percentilesInPlace(seen, [unitPercentile]);
  return { values: Float64Array.from(magnitude, (value) => min(strongest, value / (unit + 1e-6))), trusted };
}

/** The structure tensor summed over channels: products of the derivatives across and down. */
interface StructureTensor {
  readonly xx: Float64Array;
  readonly yy: Float64Array;
  readonly xy: Float64Array;
}

/** Square root of the largest eigenvalue of the channels' mean structure tensor. */
function gradientOf(channels: readonly Plane[]): Float32Array {
  const pixels = channels[0]?.data.length ?? 0;
  const sum = { xx: new Float64Array(pixels), yy: new Float64Array(pixels), xy: new Float64Array(pixels) };
  for (const channel of channels) addChannel(sum, channel);
  return Float32Array.from(sum.xx, (a, k) => {
    const b = sum.yy[k] ?? 0;
    const c = sum.xy[k] ?? 0;
    return sqrt((a + b + sqrt((a - b) ** 2 + 4 * c * c)) / 2 / channels.length);
  });
}

function addChannel({ xx, yy, xy }: StructureTensor, channel: Plane): void {
  const { across, down } = derivativesOf(channel);
  for (let k = 0; k < xx.length; k += 1) {
    const dx = across[k] ?? 0;
    const dy = down[k] ?? 0;
    xx[k] = (xx[k] ?? 0) + dx * dx;
    yy[k] = (yy[k] ?? 0) + dy * dy;
    xy[k] = (xy[k] ?? 0) + dx * dy;
  }
}

const smooth = gaussianKernel(sigma);
const derivative = gaussianDerivativeKernel(sigma);

function derivativesOf(channel: Plane): { readonly across: Float32Array; readonly down: Float32Array } {
  return {
    across: filterRows(filterColumns(channel, smooth), derivative).data,
    down: filterRows(filterColumns(channel, derivative), smooth).data,
  };
}
