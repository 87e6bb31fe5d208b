import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../shared/scenes/layers/palette.js';
import type { Rgb } from '../../shared/raster/write/cogInput.js';
import type { LayerPixels } from '../cog/readLayer.js';
import type { MapLayer, ValueRange } from './mapScene.js';

/** From bare sand to dense green, lightness falling all the way, so that it reads in grey as well. */
const NDVI_STOPS: readonly (readonly [value: number, colour: Rgb])[] = [
  [0, [247, 232, 205]],
  [0.2, [230, 202, 147]],
  [0.4, [203, 198, 104]],
  [0.55, [146, 180, 80]],
  [0.7, [75, 149, 68]],
  [0.85, [27, 110, 56]],
  [1, [4, 62, 41]],
];

function colourAt(stops: typeof NDVI_STOPS, value: number): Rgb {
  const next = stops.findIndex(([stop]) => stop >= value);
  const [to, above] = stops[next] ?? [1, [0, 0, 0]];
  const [from, below] = stops[next - 1] ?? [to, above];
  const share = to === from ? 0 : (value - from) / (to - from);
  const mixed = (channel: 0 | 1 | 2): number => Math.round(below[channel] + (above[channel] - below[channel]) * share);
  return [mixed(0), mixed(1), mixed(2)];
}

const NDVI_STEPS = 255;
/** Colours of NDVI 0 to 1 in 256 steps: the files of this layer hold none. */
export const NDVI_RAMP: readonly Rgb[] = Array.from({ length: NDVI_STEPS + 1 }, (_, step) =>
  colourAt(NDVI_STOPS, step / NDVI_STEPS),
);

/** From a loss of 0.4 to a gain of 0.4: brown, pale, green. The middle is no change. */
const DIFFERENCE_STOPS: readonly (readonly [value: number, colour: Rgb])[] = [
  [0, [140, 81, 10]],
  [0.25, [216, 179, 101]],
  [0.5, [246, 245, 240]],
  [0.75, [120, 190, 130]],
  [1, [0, 90, 50]],
];
/** Colours of a difference of NDVI. */
export const DIFFERENCE_RAMP: readonly Rgb[] = Array.from({ length: NDVI_STEPS + 1 }, (_, step) =>
  colourAt(DIFFERENCE_STOPS, step / NDVI_STEPS),
);
/** What the ends of its colours stand for. */
export const DIFFERENCE_RANGE: ValueRange = [-0.4, 0.4];

/** A colour as canvases hold it: red in the lowest byte, opaque. */
const packed = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
const packedTable = (colours: readonly Rgb[]): Uint32Array => Uint32Array.from(colours, packed);

const NDVI_TABLE = packedTable(NDVI_RAMP);
const DIFFERENCE_TABLE = packedTable(DIFFERENCE_RAMP);
const PERCENT = 100;
const TABLES = { vegetation: packedTable(VEGETATION_PALETTE), scouting: packedTable(SCOUTING_PALETTE) };

/** Colours of values between two ends; beyond them, those of the ends. */
function paintValues(
  { pixels, nodata = NaN }: LayerPixels,
  { table, range: [lowest, highest] }: { readonly table: Uint32Array; readonly range: ValueRange },
): Uint32Array {
  const last = table.length - 1;
  const factor = last / Math.max(highest - lowest, Number.EPSILON);
  const { data, width, height } = pixels;
  const painted = new Uint32Array(width * height);
  for (let at = 0; at < painted.length; at += 1) {
    const value = data[at] ?? nodata;
    if (value === nodata || Number.isNaN(value)) continue;
    painted[at] = table[Math.round(Math.min(last, Math.max(0, (value - lowest) * factor)))] ?? 0;
  }
  return painted;
}

function paintClasses({ pixels, nodata }: LayerPixels, table: Uint32Array): Uint32Array {
  const { data, width, height } = pixels;
  const painted = new Uint32Array(width * height);
  for (let at = 0; at < painted.length; at += 1) {
    const value = data[at] ?? 0;
    if (value !== nodata) painted[at] = table[value] ?? 0;
  }
  return painted;
}

/** A pixel of a true colour picture is without data when all its bands are. */
function paintTrueColour({ pixels, nodata = 0 }: LayerPixels): Uint32Array {
  const { data, width, height } = pixels;
  const size = width * height;
  const painted = new Uint32Array(size);
  for (let at = 0; at < size; at += 1) {
    const [red, green, blue] = [data[at] ?? 0, data[at + size] ?? 0, data[at + 2 * size] ?? 0];
    if (red !== nodata || green !== nodata || blue !== nodata) painted[at] = packed([red, green, blue]);
  }
  return painted;
}

/**
 * A layer's pixels in its colours, [row][column] as canvases hold them; 0 (transparent) where there are no data.
 *
 * @param range what the ends of the colours stand for, of a layer of values; by default what they do in every picture
 */
export function paintLayer(name: MapLayer, layer: LayerPixels, range?: ValueRange): Uint32Array {
  switch (name) {
    case 'ndvi':
      return paintValues(layer, { table: NDVI_TABLE, range: range ?? [0, 1] });
    case 'difference':
      return paintValues(layer, { table: DIFFERENCE_TABLE, range: DIFFERENCE_RANGE });
    case 'true-color':
      return paintTrueColour(layer);
    case 'vegetation':
      if (range !== undefined) return paintValues(layer, { table: TABLES.vegetation.subarray(0, PERCENT + 1), range });
      return paintClasses(layer, TABLES.vegetation);
    case 'scouting':
      return paintClasses(layer, TABLES.scouting);
  }
}
