import type { LayerName } from '../../shared/imagery/layers/layers.js';
import type { LayerPixels } from '../cog/readLayer.js';
import { paintLayer } from './ramps.js';
import { warp, type MercatorBox } from './warp.js';

/** A picture ready to be drawn. */
export interface PictureCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly box: MercatorBox;
}

interface Made extends PictureCanvas {
  readonly from: LayerPixels;
  readonly parts: number;
}

/** Target pixels along a source pixel's side: as few as keep an edge within half a pixel of the screen. */
const PARTS = [1, 2, 5] as const;
/** All canvases together, 4 bytes each. */
const MOST_PIXELS = 24_000_000;

function partsFor({ grid }: LayerPixels, metresPerDevicePixel: number): number {
  return PARTS.find((parts) => grid.pixelWidth / parts <= metresPerDevicePixel / 2) ?? 5;
}

/** A layer that has been read. */
export interface PaintedLayer {
  readonly path: string;
  readonly name: LayerName;
  readonly layer: LayerPixels;
}

/** Warped pictures, made when they are first drawn and again when the map comes nearer. */
export interface PictureCanvases {
  /** @param metresPerDevicePixel on the ground @param mayMake false: only one that is there already */
  find(wanted: PaintedLayer, metresPerDevicePixel: number, mayMake: boolean): PictureCanvas | undefined;
}

function make(name: LayerName, layer: LayerPixels, parts: number): Made | undefined {
  const { width, height, box, colours } = warp(layer.grid, paintLayer(name, layer), parts);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.putImageData(new ImageData(new Uint8ClampedArray(colours.buffer), width, height), 0, 0);
  return { canvas, box, from: layer, parts };
}

/** An empty store of canvases. */
export function pictureCanvases(): PictureCanvases {
  const made = new Map<string, Made>();
  let pixels = 0;
  const drop = (path: string): void => {
    const { canvas } = made.get(path) ?? {};
    if (canvas !== undefined) pixels -= canvas.width * canvas.height;
    made.delete(path);
  };
  const keep = (path: string, picture: Made): void => {
    drop(path);
    made.set(path, picture);
    pixels += picture.canvas.width * picture.canvas.height;
    for (const oldest of made.keys()) {
      if (pixels <= MOST_PIXELS || oldest === path) break;
      drop(oldest);
    }
  };
  return {
    find: ({ path, name, layer }, metresPerDevicePixel, mayMake) => {
      const known = made.get(path);
      const parts = partsFor(layer, metresPerDevicePixel);
      const isGood = known?.from === layer && known.parts >= parts;
      const picture = isGood || !mayMake ? known : make(name, layer, parts);
      if (picture !== undefined) keep(path, picture);
      return picture;
    },
  };
}
