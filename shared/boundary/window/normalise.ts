import { boundaryBands } from './boundaryInput.js';
import type { ClearScene } from './chooseDates.js';
import type { Plane } from './gaussian.js';
import type { Bitmap } from './morphology.js';
import { percentilesInPlace } from './percentile.js';

const { max, min, sqrt } = Math;

/** One date with its contrast stretched over the window, which removes differences of haze and brightness. */
export interface NormalisedDate {
  readonly clear: Bitmap;
  /** Stretched square roots of the date's bands, then the stretched NDVI where red and near infrared are among them. */
  readonly channels: readonly Plane[];
  /** Input of the network, in the order B02, B03, B04, B08; undefined without the visible bands. */
  readonly networkInput: readonly Plane[] | undefined;
  readonly hasNir: boolean;
}

/** Values are limited to `from`…`to`, then `shift` is added. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly shift: number;
}

/** A band and the two of its values that the stretch maps to 0 and 1. */
interface Band {
  readonly plane: Plane;
  readonly low: number;
  readonly high: number;
}

const stretchPercents = [2, 98];
const channelRange: Range = { from: -0.2, to: 1.5, shift: 0 };
const networkRange: Range = { from: -0.5, to: 1.5, shift: -0.5 };

/** Channels and network input of one date; hidden pixels are 0 in both. */
export function normalised({ scene: { bands }, clear }: ClearScene): NormalisedDate {
  const [red, nir] = [bands.B04, bands.B08];
  const roots = boundaryBands.map((name) => {
    const pixels = bands[name];
    return pixels && bandOf(clear, (k) => sqrt(max(0, pixels[k] ?? 0) / 10_000));
  });
  const ndvi = red && nir && bandOf(clear, (k) => ndviOf(max(0, red[k] ?? 0), max(0, nir[k] ?? 0)));
  const channels = [...roots, ndvi].flatMap((band) =>
    band === undefined ? [] : [stretched(band, clear, channelRange)],
  );
  const hasVisible = roots.slice(0, 3).every((root) => root !== undefined);
  const nothing = { ...clear, data: new Float32Array(clear.data.length) };
  const networkInput = hasVisible
    ? roots.map((root) => (root === undefined ? nothing : stretched(root, clear, networkRange)))
    : undefined;
  return { clear, channels, networkInput, hasNir: ndvi !== undefined };
}

const ndviOf = (red: number, nir: number): number => (nir - red) / (nir + red + 1);

/** The stretch goes from the 2nd to the 98th percentile of the clear pixels, from 0 to 1 when there are none. */
function bandOf(clear: Bitmap, valueAt: (k: number) => number): Band {
  const data = new Float32Array(clear.data.length);
  for (let k = 0; k < data.length; k += 1) data[k] = valueAt(k);
  const seen = data.filter((_, k) => clear.data[k] === 1);
  const [low = 0, high = 1] = seen.length === 0 ? [] : percentilesInPlace(seen, stretchPercents);
  return { plane: { ...clear, data }, low, high };
}

function stretched({ plane, low, high }: Band, clear: Bitmap, range: Range): Plane {
  const data = new Float32Array(plane.data.length);
  const scale = 1 / (high - low + 1e-6);
  for (let k = 0; k < data.length; k += 1) {
    if (clear.data[k] !== 1) continue;
    const value = ((plane.data[k] ?? 0) - low) * scale;
    data[k] = min(range.to, max(range.from, value)) + range.shift;
  }
  return { ...plane, data };
}

/** The channels of all dates, which have the same bands. A hidden pixel takes the mean of the dates that see the pixel, else 0. */
export function stackedChannels(dates: readonly NormalisedDate[]): Plane[] {
  return dates.flatMap(({ channels, clear }) =>
    channels.map((channel, index) => {
      const data = channel.data.slice();
      for (let k = 0; k < data.length; k += 1) {
        if (clear.data[k] !== 1) data[k] = meanOfSeen(dates, index, k);
      }
      return { ...channel, data };
    }),
  );
}

function meanOfSeen(dates: readonly NormalisedDate[], channel: number, pixel: number): number {
  let sum = 0;
  let count = 0;
  for (const { channels, clear } of dates) {
    if (clear.data[pixel] !== 1) continue;
    sum += channels[channel]?.data[pixel] ?? 0;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
