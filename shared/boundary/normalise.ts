import { boundaryBands } from './boundaryInput.js';
import type { BandPixels } from './boundaryInput.js';
import type { ClearScene } from './clearPixels.js';
import type { Plane } from './gaussian.js';
import type { Bitmap } from './morphology.js';
import { percentilesInPlace } from './percentile.js';

const { max, min, sqrt } = Math;

/** One date, its contrast stretched within the window so that haze and brightness drop out. */
export interface NormalisedDate {
  readonly clear: Bitmap;
  /** Stretched square roots of the bands there are, then the stretched NDVI if red and near infrared are. */
  readonly channels: readonly Plane[];
  /** What the network sees, in the order B02, B03, B04, B08; undefined without the visible bands. */
  readonly networkInput: readonly Plane[] | undefined;
  readonly hasNir: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const stretchPercents = [2, 98];
const channelRange: Range = { from: -0.2, to: 1.5 };
const networkRange: Range = { from: -0.5, to: 1.5 };
const networkShift = -0.5;

/** Channels and network input of one date; hidden pixels are 0 in both. */
export function normalised({ scene: { bands }, clear }: ClearScene): NormalisedDate {
  const roots = boundaryBands.map((band) => mapped(bands[band], clear, (value) => sqrt(value / 10_000)));
  const stretches = roots.map((root) => root && stretchOf(root, clear));
  const channels = roots.flatMap((root, k) => stretchedPlane(root, stretches[k], { clear, range: channelRange }) ?? []);
  const ndvi = ndviOf(bands.B04, bands.B08, clear);
  if (ndvi !== undefined) {
    channels.push(stretchedPlane(ndvi, stretchOf(ndvi, clear), { clear, range: channelRange }) ?? ndvi);
  }
  const sees = roots.slice(0, 3).every((root) => root !== undefined);
  const networkInput = sees
    ? roots.map(
        (root, k) =>
          stretchedPlane(root, stretches[k], { clear, range: networkRange, shift: networkShift }) ?? zero(clear),
      )
    : undefined;
  return { clear, channels, networkInput, hasNir: ndvi !== undefined };
}

function zero({ width, height }: Bitmap): Plane {
  return { width, height, data: new Float32Array(width * height) };
}

function mapped(
  pixels: BandPixels | undefined,
  { width, height }: Bitmap,
  transform: (value: number) => number,
): Plane | undefined {
  if (pixels === undefined) return undefined;
  const data = new Float32Array(width * height);
  for (let k = 0; k < data.length; k += 1) data[k] = transform(max(0, pixels[k] ?? 0));
  return { width, height, data };
}

function ndviOf(
  red: BandPixels | undefined,
  nir: BandPixels | undefined,
  { width, height }: Bitmap,
): Plane | undefined {
  if (red === undefined || nir === undefined) return undefined;
  const data = new Float32Array(width * height);
  for (let k = 0; k < data.length; k += 1) {
    const [r, n] = [max(0, red[k] ?? 0), max(0, nir[k] ?? 0)];
    data[k] = (n - r) / (n + r + 1);
  }
  return { width, height, data };
}

/** The 2nd and 98th percentile of the clear pixels; 0 and 1 when there are none. */
function stretchOf({ data }: Plane, clear: Bitmap): Range {
  const seen = data.filter((_, k) => clear.data[k] === 1);
  if (seen.length === 0) return { from: 0, to: 1 };
  const [from = 0, to = 1] = percentilesInPlace(seen, stretchPercents);
  return { from, to };
}

function stretchedPlane(
  plane: Plane | undefined,
  stretch: Range | undefined,
  { clear, range, shift = 0 }: { readonly clear: Bitmap; readonly range: Range; readonly shift?: number },
): Plane | undefined {
  if (plane === undefined || stretch === undefined) return undefined;
  const data = new Float32Array(plane.data.length);
  const scale = 1 / (stretch.to - stretch.from + 1e-6);
  for (let k = 0; k < data.length; k += 1) {
    if (clear.data[k] !== 1) continue;
    const value = ((plane.data[k] ?? 0) - stretch.from) * scale;
    data[k] = min(range.to, max(range.from, value)) + shift;
  }
  return { width: plane.width, height: plane.height, data };
}

/** All dates' channels, the dates having the same bands; a hidden pixel takes the channel's mean over the dates that see it, else 0. */
export function stackedChannels(dates: readonly NormalisedDate[]): Plane[] {
  return dates.flatMap(({ channels, clear }) =>
    channels.map((channel, index) => {
      const data = channel.data.slice();
      for (let k = 0; k < data.length; k += 1) {
        if (clear.data[k] !== 1) data[k] = meanOverDates(dates, index, k);
      }
      return { ...channel, data };
    }),
  );
}

function meanOverDates(dates: readonly NormalisedDate[], channel: number, pixel: number): number {
  let sum = 0;
  let count = 0;
  for (const { channels, clear } of dates) {
    if (clear.data[pixel] !== 1) continue;
    sum += channels[channel]?.data[pixel] ?? 0;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}
