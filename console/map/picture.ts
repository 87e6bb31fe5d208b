import type { Grid } from '../../shared/geo/grid/grid.js';
import type { LayerPixels } from '../cog/readLayer.js';
import type { MapLayer, ValueRange } from './mapScene.js';
import type { MercatorBox } from './warp.js';

/** A picture that the view needs. */
export interface WantedPicture {
  /** Names it for good. */
  readonly path: string;
  readonly name: MapLayer;
  /** What the ends of the colours stand for; the layer's own when absent. */
  readonly range?: ValueRange | undefined;
  /** Metres on the ground of a pixel of the screen; nothing need be finer. */
  readonly pixelSizeM: number;
}

/** A layer's pixels in their colours, on the map's grid. */
export interface DrawnLayer {
  readonly image: ImageBitmap;
  /** Where the image lies. */
  readonly box: MercatorBox;
  /** Pixels of the image along a side of one of the layer's. */
  readonly parts: number;
  /** What it was coloured by. */
  readonly range?: ValueRange | undefined;
}

/** A picture that was read: its values, and what is drawn of it. */
export interface Picture extends DrawnLayer {
  readonly layer: LayerPixels;
}

/**
 * Finest last, each about half as large again as the one before: an image has hardly more pixels than the screen shows
 * of it, and a map that comes a little nearer goes on with the one it has.
 */
const PARTS = [1, 1.4, 2, 2.8, 4, 5.6, 8, 16] as const;

/** Pixels of an image along a side of a layer's pixel: as few as keep an edge within a pixel of the screen. */
export const partsFor = ({ pixelWidth }: Grid, pixelSizeM: number): number =>
  PARTS.find((parts) => pixelWidth / parts <= pixelSizeM) ?? PARTS[PARTS.length - 1] ?? 1;

/** Whether a layer's values are as fine as is wanted: those of the file, or of an overview that fits. */
export const isLayerGood = ({ isFullSize, grid }: LayerPixels, { pixelSizeM }: WantedPicture): boolean =>
  isFullSize || grid.pixelWidth <= pixelSizeM;

const isSameRange = (one: ValueRange | undefined, other: ValueRange | undefined): boolean =>
  one?.[0] === other?.[0] && one?.[1] === other?.[1];

/** Whether a picture needn't be read or drawn again. */
export const isGoodFor = ({ layer, parts, range }: Picture, wanted: WantedPicture): boolean =>
  isLayerGood(layer, wanted) && parts >= partsFor(layer.grid, wanted.pixelSizeM) && isSameRange(range, wanted.range);

/** Between the two paths of a difference: no path has a line break. */
const AND = '\n';

/** Names the difference of two pictures: what the later has more than the earlier. */
export const differencePath = (later: string, earlier: string): string => `${later}${AND}${earlier}`;

/** The files of a picture: one, or the later and the earlier of a difference. */
export const filesOf = (path: string): readonly string[] => path.split(AND);

/** What a picture takes of the browser's memory. */
export const bytesOf = ({ layer, image }: Picture): number =>
  layer.pixels.data.byteLength + 4 * image.width * image.height;
