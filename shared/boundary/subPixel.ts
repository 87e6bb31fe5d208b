import type { PixelWindow } from '../raster/grid.js';
import { cutOut } from '../raster/pixels.js';
import { convolutionOf, convolved, type Convolution } from './convolution.js';
import { cutMaps, mapsOf, shuffled, type FeatureMaps } from './featureMaps.js';
import type { Plane } from './gaussian.js';
import { headLogits, numbersOf, type Head } from './network.js';
import type { NormalisedDate } from './normalise.js';
import type { Opinion } from './opinion.js';

const { exp } = Math;

/** The sizes of a sub-pixel head: three convolutions at 10 m, two at 5 m, one at 2.5 m. */
export interface SubPixelShape {
  /** Bands and the network's finest maps. */
  readonly inputs: number;
  readonly trunk: number;
  /** Channels at 5 m and at 2.5 m. */
  readonly shuffled: readonly [number, number];
  /** Logits of a fine pixel: in a field, on an edge, distance from the nearest edge. */
  readonly outputs: number;
}

/** A sub-pixel head ready to run. */
export interface SubPixelHead {
  readonly trunk: readonly Convolution[];
  readonly middle: readonly Convolution[];
  readonly fine: readonly Convolution[];
  readonly head: Head;
}

/** Fine pixels along a pixel. */
export const subPixelFineness = 4;

/** What a part of a window shows at 2.5 m, all 0–1. */
export interface FineEvidence {
  /** The part, in pixels of the window. */
  readonly part: PixelWindow;
  readonly extent: Plane;
  readonly edge: Plane;
  /** Distance from the nearest edge within a field, as a share of 40 m. */
  readonly distance: Plane;
}

const layerShapes = ({ inputs, trunk, shuffled: [five, fine] }: SubPixelShape): (readonly [number, number])[][] => [
  [
    [inputs, trunk],
    [trunk, trunk],
    [trunk, 4 * five],
  ],
  [
    [five, five],
    [five, 4 * fine],
  ],
  [[fine, fine]],
];

/** Numbers of a head of this shape. */
export function subPixelCount(shape: SubPixelShape): number {
  const layers = layerShapes(shape).flat();
  const convolutions = layers.reduce((sum, [from, to]) => sum + to * from * 9 + to, 0);
  return convolutions + shape.outputs * (shape.shuffled[1] + 1);
}

/**
 * Builds a head from its numbers, in the order of a network's.
 *
 * @throws RangeError when there are not exactly `subPixelCount` numbers
 */
export function subPixelHeadOf(shape: SubPixelShape, numbers: Float32Array): SubPixelHead {
  if (numbers.length !== subPixelCount(shape)) {
    throw new RangeError(`A head of this shape has ${subPixelCount(shape)} numbers, not ${numbers.length}.`);
  }
  const take = numbersOf(numbers);
  const [trunk = [], middle = [], fine = []] = layerShapes(shape).map((layers) =>
    layers.map(([from, to]) => convolutionOf(take(to * from * 9), take(to))),
  );
  const head = { weights: take(shape.outputs * shape.shuffled[1]), bias: take(shape.outputs) };
  return { trunk, middle, fine, head };
}

const through = (maps: readonly FeatureMaps[], layers: readonly Convolution[]): FeatureMaps[] =>
  layers.reduce((seen: readonly FeatureMaps[], layer) => [convolved(seen, layer)], maps) as FeatureMaps[];

/** What the head sees in a part of a window whose sides are whole pixels, averaged over dates. */
export function fineEvidence(
  head: SubPixelHead,
  dates: readonly { readonly date: NormalisedDate; readonly opinion: Opinion }[],
  part: PixelWindow,
): FineEvidence {
  const size = { width: part.width * subPixelFineness, height: part.height * subPixelFineness };
  const sums = [0, 1, 2].map(() => new Float32Array(size.width * size.height));
  for (const { date, opinion } of dates) {
    if (opinion.maps === undefined) continue;
    fineLogits(head, date.networkInput ?? [], opinion.maps, part).forEach((plane, output) => {
      const sum = sums[output] ?? new Float32Array(0);
      for (let k = 0; k < sum.length; k += 1) {
        sum[k] = (sum[k] ?? 0) + 1 / dates.length / (1 + exp(-(plane.data[k] ?? 0)));
      }
    });
  }
  const [extent, edge, distance] = sums.map((data) => ({ ...size, data })) as [Plane, Plane, Plane];
  return { part, extent, edge, distance };
}

function fineLogits(head: SubPixelHead, bands: readonly Plane[], maps: FeatureMaps, part: PixelWindow): Plane[] {
  const { width, height } = part;
  const seen = bands.map((plane) => ({ width, height, data: cutOut(plane.data, plane.width, part) }));
  const five = through([mapsOf(seen, 1), cutMaps(maps, part)], head.trunk).map(shuffled);
  const fine = through(five, head.middle).map(shuffled);
  const [last] = through(fine, head.fine);
  return last === undefined ? [] : headLogits(head.head, last, { width: 4 * width, height: 4 * height });
}
