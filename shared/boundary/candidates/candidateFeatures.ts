import { ringArea, type PlanePoint } from '../../geo/shapes/rings.js';
import { indexIn, type CandidateMask, type WindowSize } from './candidateMask.js';
import type { Candidate } from './candidates.js';
import type { Pixel } from '../window/chooseDates.js';
import { convexHull, outerContour, smallestRectangle } from '../outline/contour.js';
import { edgeDistance } from './edgeDistance.js';
import type { Plane } from '../window/gaussian.js';
import { countOf, dilatedBySquare, erodedBySquare, type Bitmap } from '../window/morphology.js';
import { packedMask, sharedBits } from './packedMask.js';
import { percentilesInPlace } from '../window/percentile.js';
import { simplifiedRing } from '../outline/simplify.js';

const { floor, log, max, min, sqrt } = Math;

/** The features of a candidate, in the order in which the ranker reads them. */
export const featureNames = [
  'log_area',
  'compactness',
  'solidity',
  'rectangularity',
  'edge_mean',
  'edge_p20',
  'edge_strong_share',
  'inner_edge_mean',
  'inner_edge_p90',
  'inner_edge_p95',
  'inner_std',
  'contrast',
  'contrast_share',
  'edge_ratio',
  'touches_window',
  'seed_depth',
  'log_persistence',
  'has_nir',
  'support',
  'agreement_share',
  'nested_above',
  'nested_below',
  'vertices',
] as const;

/** What the mask network adds to them (`askedFeatures`): the features that the ranker of small fields reads. */
export const askedFeatureNames = [...featureNames, 'asked_iou', 'asked_inside', 'asked_share'] as const;

/** The window or close-up in which the candidates were found. */
export interface Evidence {
  readonly channels: readonly Plane[];
  readonly edges: Plane;
  readonly hasNir: boolean;
  /** The pixel whose field is asked for. */
  readonly point: Pixel;
  /** Pixels along 10 m: 1, or more in a close-up; areas are counted in pixels of 10 m. */
  readonly fineness?: number;
}

const strongEdge = 0.6;
const vertexTolerancePixels = 1.6;

/**
 * One row of features for each candidate, in the order of `featureNames`.
 *
 * @param peers those that a candidate's agreement is measured with; the other candidates when absent
 */
export function candidateFeatures(
  candidates: readonly Candidate[],
  evidence: Evidence,
  peers?: readonly Candidate[],
): Float64Array[] {
  const agreements = agreementFeatures(candidates, peers);
  return candidates.map((candidate, index) => {
    const contour = outerContour(candidate.mask.bitmap);
    return Float64Array.from([
      ...ownFeatures(candidate, contour, evidence),
      ...(agreements[index] ?? []),
      simplifiedRing(contour, vertexTolerancePixels).length,
    ]);
  });
}

function ownFeatures({ mask, persistence }: Candidate, contour: readonly PlanePoint[], evidence: Evidence): number[] {
  const sides = sideStrengths(mask, evidence.edges);
  const inner = pixelsOf(mask, innerPart(mask.bitmap), evidence.edges);
  const edges = valuesAt(inner, evidence.edges);
  const edgeMean = meanOf(sides.strengths);
  const innerEdgeMean = meanOf(edges);
  const [p20 = 0] = percentilesInPlace(sides.strengths, [20]);
  const [p90 = 0, p95 = 0] = percentilesInPlace(edges, [90, 95]);
  return [
    ...shapeFeatures(mask, contour, { perimeter: sides.count, fineness: evidence.fineness ?? 1 }),
    edgeMean,
    p20,
    meanOf(sides.strengths.map((strength) => (strength > strongEdge ? 1 : 0))),
    innerEdgeMean,
    p90,
    p95,
    ...colourFeatures(mask, inner, evidence.channels),
    edgeMean / (innerEdgeMean + 0.05),
    isNearEdge(mask, evidence.edges) ? 1 : 0,
    (edgeDistance(mask.bitmap)[indexIn(mask, evidence.point)] ?? 0) / sqrt(mask.size / Math.PI),
    log(max(persistence, 1e-3)),
    evidence.hasNir ? 1 : 0,
  ];
}

/** log_area, compactness, solidity, rectangularity */
function shapeFeatures(
  { size }: CandidateMask,
  contour: readonly PlanePoint[],
  { perimeter, fineness }: { readonly perimeter: number; readonly fineness: number },
): number[] {
  const hull = convexHull(contour);
  const [along, across] = smallestRectangle(hull);
  return [
    log(size / fineness ** 2),
    (1.6 * 4 * Math.PI * size) / (perimeter + 1e-6) ** 2,
    size / (ringArea(hull) + contour.length / 2 + 1),
    size / ((along + 1) * (across + 1)),
  ];
}

/** Edge strength of each pixel side between inside and outside: the larger of the two pixels; [0] when there is none. */
function sideStrengths(
  mask: CandidateMask,
  edges: Plane,
): { readonly count: number; readonly strengths: Float64Array } {
  const { width, data } = mask.bitmap;
  const strengths: number[] = [];
  const look = (k: number, other: number): void => {
    if (data[k] === data[other]) return;
    const [a, b] = [edges.data[windowIndex(mask, edges, k)], edges.data[windowIndex(mask, edges, other)]];
    strengths.push(max(a ?? 0, b ?? 0));
  };
  for (let k = 0; k < data.length; k += 1) {
    if ((k + 1) % width !== 0) look(k, k + 1);
    if (k + width < data.length) look(k, k + width);
  }
  return { count: strengths.length, strengths: Float64Array.from(strengths.length === 0 ? [0] : strengths) };
}

/** Index in the window of a pixel of the mask's part. */
function windowIndex({ top, left, bitmap }: CandidateMask, window: Plane, k: number): number {
  const row = floor(k / bitmap.width);
  return (top + row) * window.width + left + k - row * bitmap.width;
}

/** The mask without its two outermost rings of pixels; without one or none where too little would be left. */
function innerPart(bitmap: Bitmap): Bitmap {
  const once = erodedBySquare(bitmap);
  const twice = erodedBySquare(once);
  if (countOf(twice) > 9) return twice;
  return countOf(once) > 4 ? once : bitmap;
}

/** Indexes in the window of the inside pixels of a bitmap that covers the mask's part. */
function pixelsOf({ top, left }: CandidateMask, { width, height, data }: Bitmap, window: WindowSize): Int32Array {
  const pixels = new Int32Array(countOf({ width, height, data }));
  let count = 0;
  for (let row = 0; row < height; row += 1) {
    const from = (top + row) * window.width + left;
    for (let column = 0; column < width; column += 1) {
      if (data[row * width + column] !== 1) continue;
      pixels[count] = from + column;
      count += 1;
    }
  }
  return pixels;
}

function valuesAt(pixels: Int32Array, { data }: Plane): Float64Array {
  const values = new Float64Array(pixels.length);
  for (let k = 0; k < pixels.length; k += 1) values[k] = data[pixels[k] ?? 0] ?? 0;
  return values;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

function spreadOf(values: Float64Array, mean: number): number {
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return values.length === 0 ? 0 : sum / values.length;
}

/** inner_std, contrast, contrast_share: the spread of the colours inside and how much the surroundings differ. */
function colourFeatures(mask: CandidateMask, inner: Int32Array, channels: readonly Plane[]): number[] {
  const { ring, layer } = surroundings(mask, channels[0] ?? mask.bitmap);
  const distances = new Float64Array(layer.length);
  let [variance, contrast] = [0, 0];
  for (const channel of channels) {
    const values = valuesAt(inner, channel);
    const mean = meanOf(values);
    variance += spreadOf(values, mean);
    if (ring.length > 0) contrast += (meanOf(valuesAt(ring, channel)) - mean) ** 2;
    for (let k = 0; k < layer.length; k += 1) {
      const value = channel.data[layer[k] ?? 0] ?? 0;
      distances[k] = (distances[k] ?? 0) + (value - mean) ** 2 / channels.length;
    }
  }
  const deviation = sqrt(variance / channels.length);
  const limit = max(0.05, 2 * deviation) ** 2;
  const share = meanOf(distances.map((squared) => (squared > limit ? 1 : 0)));
  return [deviation, sqrt(contrast / channels.length), share];
}

/** The pixels two and three steps outside the mask, and those of the second step alone. */
function surroundings(mask: CandidateMask, window: WindowSize): Record<'ring' | 'layer', Int32Array> {
  const once = dilatedBySquare(mask.bitmap);
  const twice = dilatedBySquare(once);
  const pixels = (bitmap: Bitmap): Int32Array => pixelsOf(mask, without(bitmap, once), window);
  return { ring: pixels(dilatedBySquare(twice)), layer: pixels(twice) };
}

function without({ width, height, data }: Bitmap, { data: removed }: Bitmap): Bitmap {
  return { width, height, data: data.map((value, k) => (removed[k] === 1 ? 0 : value)) };
}

/** Whether the mask comes within four pixels of the window's edge: its part has no full margin there. */
function isNearEdge({ top, left, bitmap }: CandidateMask, window: Plane): boolean {
  return top === 0 || left === 0 || top + bitmap.height === window.height || left + bitmap.width === window.width;
}

/** A candidate's mask beside the one that is looked at, and the pixels that both share. */
interface Neighbour {
  readonly mask: CandidateMask;
  readonly common: number;
}

/** How much each candidate agrees with its peers: by default with the other candidates. */
function agreementFeatures(candidates: readonly Candidate[], peers: readonly Candidate[] | undefined): number[][] {
  const packed = candidates.map(({ mask }) => packedMask(mask));
  if (peers !== undefined) {
    const others = peers.map(({ mask }) => ({ mask, bits: packedMask(mask) }));
    return candidates.map(({ mask }, i) => {
      const own = packed[i] ?? packedMask(mask);
      return agreementOf(
        mask,
        others.map(({ mask: other, bits }) => ({ mask: other, common: sharedBits(own, bits) })),
      );
    });
  }
  // Each pair once: counting shared pixels is what takes the time.
  const shared = packed.map((mask, i) => packed.slice(0, i).map((other) => sharedBits(mask, other)));
  return candidates.map(({ mask }, i) =>
    agreementOf(
      mask,
      candidates.flatMap(({ mask: other }, j) =>
        i === j ? [] : [{ mask: other, common: shared[max(i, j)]?.[min(i, j)] ?? 0 }],
      ),
    ),
  );
}

/** support, agreement_share, nested_above, nested_below */
function agreementOf({ size }: CandidateMask, neighbours: readonly Neighbour[]): number[] {
  const others = neighbours.map(({ mask: other, common }) => ({
    size: other.size,
    common,
    iou: common / (size + other.size - common),
  }));
  const best = others.map(({ iou }) => iou).sort((a, b) => b - a);
  const nested = (isNested: (candidate: (typeof others)[number]) => boolean): number =>
    max(0, ...others.filter(isNested).map(({ iou }) => iou));
  return [
    meanOf(Float64Array.from(best.slice(0, 5))),
    best.filter((iou) => iou > 0.85).length / max(1, best.length),
    nested((other) => other.size > size * 1.05 && other.common / size > 0.97),
    nested((other) => other.size < size * 0.95 && other.common / other.size > 0.97),
  ];
}

/** asked_iou, asked_inside, asked_share: how well a mask of the window fits the probability to lie in the asked field. */
export function askedFeatures({ top, left, bitmap, size }: CandidateMask, asked: Plane): number[] {
  let shared = 0;
  for (let row = 0; row < bitmap.height; row += 1) {
    const from = (top + row) * asked.width + left;
    for (let column = 0; column < bitmap.width; column += 1) {
      if (bitmap.data[row * bitmap.width + column] === 1) shared += asked.data[from + column] ?? 0;
    }
  }
  let total = 0;
  for (const value of asked.data) total += value;
  return [shared / (size + total - shared), shared / size, shared / max(1, total)];
}
