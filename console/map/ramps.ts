import type { LayerName } from '../../shared/imagery/layers/layers.js';
import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../shared/imagery/layers/palette.js';
import type { Rgb } from '../../shared/raster/cogInput.js';
import type { LayerPixels } from '../cog/readLayer.js';

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

function ndviColour(value: number): Rgb {
  const next = NDVI_STOPS.findIndex(([stop]) => stop >= value);
  const [to, above] = NDVI_STOPS[next] ?? [1, [0, 0, 0]];
  const [from, below] = NDVI_STOPS[next - 1] ?? [to, above];
  const share = to === from ? 0 : (value - from) / (to - from);
  const mixed = (channel: 0 | 1 | 2): number => Math.round(below[channel] + (above[channel] - below[channel]) * share);
  return [mixed(0), mixed(1), mixed(2)];
}

const NDVI_STEPS = 255;
/** Colours of NDVI 0 to 1 in 256 steps: the files of this layer hold none. */
export const NDVI_RAMP: readonly Rgb[] = Array.from({ length: NDVI_STEPS + 1 }, (_, step) =>
  ndviColour(step / NDVI_STEPS),
);

/** A colour as canvases hold it: red in the lowest byte, opaque. */
const packed = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
const packedTable = (colours: readonly Rgb[]): Uint32Array => Uint32Array.from(colours, packed);

const NDVI_TABLE = packedTable(NDVI_RAMP);
const TABLES = { vegetation: packedTable(VEGETATION_PALETTE), scouting: packedTable(SCOUTING_PALETTE) };

function paintNdvi({ pixels, nodata = NaN }: LayerPixels): Uint32Array {
  const { data, width, height } = pixels;
  const painted = new Uint32Array(width * height);
  for (let at = 0; at < painted.length; at += 1) {
    const value = data[at] ?? nodata;
    if (value === nodata || Number.isNaN(value)) continue;
    painted[at] = NDVI_TABLE[Math.round(Math.min(1, Math.max(0, value)) * NDVI_STEPS)] ?? 0;
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

/** A layer's pixels in its colours, [row][column] as canvases hold them; 0 (transparent) where there are no data. */
export function paintLayer(name: LayerName, layer: LayerPixels): Uint32Array {
  if (name === 'ndvi') return paintNdvi(layer);
  return name === 'true-color' ? paintTrueColour(layer) : paintClasses(layer, TABLES[name]);
}
