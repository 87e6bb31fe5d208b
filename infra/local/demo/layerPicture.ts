import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../../shared/scenes/layers/palette.js';
import type { Rgb } from '../../../shared/raster/write/cogInput.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import type { Pixels } from '../../../shared/raster/tiff/pixels.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { pngImage } from '../../../shared/boundary/stack/pngImage.js';

/** Layers of eight bits, which have a look of their own. */
export const PICTURED_LAYERS = ['true-color', 'vegetation', 'scouting'] as const;
export type PicturedLayer = (typeof PICTURED_LAYERS)[number];

/** Pixels of a picture's longer side at least; small fields are magnified. */
const LEAST_SIDE = 640;
/** No layer has this grey blue: it is where there is no data. */
const PAPER: Rgb = [212, 219, 226];

type ColourAt = (pixels: Pixels, index: number) => Rgb;

const byPalette =
  (palette: readonly Rgb[]): ColourAt =>
  ({ data }, index) =>
    data[index] === 255 ? PAPER : (palette[data[index] ?? 255] ?? PAPER);

/** 0 in every band is no data. */
const trueColour: ColourAt = ({ data, width, height }, index) => {
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((band) => data[band * width * height + index]);
  return red + green + blue === 0 ? PAPER : [red, green, blue];
};

const COLOUR_AT: Readonly<Record<PicturedLayer, ColourAt>> = {
  'true-color': trueColour,
  vegetation: byPalette(VEGETATION_PALETTE),
  scouting: byPalette(SCOUTING_PALETTE),
};

/** A layer's GeoTIFF as PNG, which browsers can show: each pixel a square, grey where there is no data. */
export async function layerPicture(layer: PicturedLayer, tiff: Uint8Array): Promise<Buffer> {
  const raster = await openRaster(memorySource(tiff, layer));
  const { width, height } = raster.image;
  const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width, height }]);
  if (pixels === undefined) throw new Error(`${layer} has no pixels.`);
  const times = Math.max(1, Math.ceil(LEAST_SIDE / Math.max(width, height)));
  return pngImage(magnified(pixels, times, COLOUR_AT[layer]), { width: width * times, height: height * times });
}

function magnified(pixels: Pixels, times: number, colourAt: ColourAt): Uint8Array {
  const columns = pixels.width * times;
  const rgb = new Uint8Array(columns * pixels.height * times * 3);
  for (let at = 0; at < rgb.length / 3; at += 1) {
    const column = Math.floor((at % columns) / times);
    const row = Math.floor(at / columns / times);
    rgb.set(colourAt(pixels, row * pixels.width + column), at * 3);
  }
  return rgb;
}
