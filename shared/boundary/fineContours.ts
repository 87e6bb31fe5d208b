import { cutOut } from '../raster/pixels.js';
import { tightened, type CandidateMask } from './candidateMask.js';
import { blurred, type Plane } from './gaussian.js';
import { maskContours } from './maskContours.js';
import { countOf, dilatedBySquare, erodedBySquare, type Bitmap } from './morphology.js';
import type { PlanePoint } from '../geo/rings.js';
import { subPixelFineness, type FineEvidence } from './subPixel.js';
import { flood } from './superpixels.js';
import { upsampled } from './upsample.js';

const { floor } = Math;

/** Fine pixels along a pixel: they are 2.5 m wide. */
const fineness = 4;
/** Room round the mask, in pixels. */
const roomPixels = 6;
const edgeSigma = 2;
/** The level is above one half, because the unworked margin of a field is no part of the field. */
const softening = { sigma: 2.5, level: 0.6 };
/** A mask whose eroded form has no more pixels than this is its own core. */
const leastCorePixels = 3;

/**
 * The lines round a mask at a quarter of a pixel: where the probability of a boundary is highest, within a band along the
 * mask's rim.
 *
 * @param probability of a boundary in the whole window, 0–1
 * @returns open rings in pixels of the window (a pixel's centre is at + 0.5); holes are rings too
 */
export function fineContours(mask: CandidateMask, probability: Plane): PlanePoint[][] {
  const { top, left, bitmap } = tightened(mask, probability, roomPixels);
  const { width, height } = bitmap;
  const data = cutOut(probability.data, probability.width, { column: left, row: top, width, height });
  const inside = insideOnFineGrid(bitmap, { width, height, data });
  return maskContours(inside, softening).map((ring) => ring.map(([x, y]) => [left + x / fineness, top + y / fineness]));
}

/** The fine pixels inside: the fine probability is flooded from the mask's core and from beyond its rim. */
function insideOnFineGrid(bitmap: Bitmap, probability: Plane): Bitmap {
  const edges = blurred(upsampled(probability, fineness), edgeSigma);
  return floodedInside(bitmap, edges, fineness);
}

function floodedInside(bitmap: Bitmap, edges: Plane, times: number): Bitmap {
  const labels = markers(bitmap, times);
  flood(edges, labels);
  return { width: edges.width, height: edges.height, data: Uint8Array.from(labels) };
}

/** A mask's place among the sub-pixel head's planes. */
export interface FinePlace {
  readonly evidence: FineEvidence;
  /** Row and column in the window of the first pixel of the mask's own grid. */
  readonly top: number;
  readonly left: number;
  /** Pixels of the mask's grid along a pixel of the window. */
  readonly fineness: number;
}

const leastExtent = 0.5;
const fineSoftening = { sigma: 1.2, level: 0.5 };

/**
 * The lines round a mask where the sub-pixel head sees edges, without what it takes for no field.
 *
 * @returns as of `fineContours`; none where the mask goes beyond what the head saw
 */
export function subPixelContours(
  mask: CandidateMask,
  { evidence, fineness: own, ...place }: FinePlace,
): PlanePoint[][] {
  const { part, extent, edge, distance } = evidence;
  const times = subPixelFineness / own;
  const row = (place.top - part.row) * subPixelFineness;
  const column = (place.left - part.column) * subPixelFineness;
  const seen = { width: floor((edge.width - column) / times), height: floor((edge.height - row) / times) };
  const isSeen = mask.top * times + row >= 0 && mask.left * times + column >= 0;
  if (!isSeen || mask.top + mask.bitmap.height > seen.height || mask.left + mask.bitmap.width > seen.width) return [];
  const { top, left, bitmap } = tightened(mask, seen, roomPixels);
  const box = {
    column: column + left * times,
    row: row + top * times,
    width: bitmap.width * times,
    height: bitmap.height * times,
  };
  if (box.column < 0 || box.row < 0) return [];
  const cut = (plane: Plane): Plane => ({
    width: box.width,
    height: box.height,
    data: cutOut(plane.data, plane.width, box),
  });
  const [far, inField, line] = [cut(distance), cut(extent), cut(edge)];
  const surface = { ...line, data: line.data.map((value, k) => (value + 1 - (far.data[k] ?? 0)) / 2) };
  const inside = floodedInside(bitmap, surface, times);
  const data = inside.data.map((value, k) => ((inField.data[k] ?? 0) >= leastExtent ? value : 0));
  return maskContours({ ...inside, data }, fineSoftening).map((ring) =>
    ring.map(([x, y]) => [left + x / times, top + y / times]),
  );
}

/** 1 for fine pixels of the core, 0 for those beyond the rim, -1 for the band between. */
function markers(bitmap: Bitmap, times: number): Int32Array {
  const eroded = erodedBySquare(bitmap);
  const core = countOf(eroded) > leastCorePixels ? eroded : bitmap;
  const reach = dilatedBySquare(bitmap);
  const [width, height] = [bitmap.width * times, bitmap.height * times];
  const hasOutside = reach.data.includes(0);
  return Int32Array.from({ length: width * height }, (_, at) => {
    const row = floor(at / width);
    const k = floor(row / times) * bitmap.width + floor((at % width) / times);
    if (!hasOutside && (row === 0 || row === height - 1)) return 0;
    if (core.data[k] === 1) return 1;
    return reach.data[k] === 1 ? -1 : 0;
  });
}
