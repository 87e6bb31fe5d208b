import { cutOut } from '../../raster/tiff/pixels.js';
import { tightened, type CandidateMask } from '../candidates/candidateMask.js';
import { blurred, type Plane } from '../window/gaussian.js';
import { maskContours } from '../outline/maskContours.js';
import { countOf, dilatedBySquare, erodedBySquare, type Bitmap } from '../window/morphology.js';
import type { PlanePoint } from '../../geo/shapes/rings.js';
import { flood } from '../regions/superpixels.js';
import { upsampled } from '../window/upsample.js';

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
  const labels = markers(bitmap);
  flood(edges, labels);
  return { width: edges.width, height: edges.height, data: Uint8Array.from(labels) };
}

/** 1 for fine pixels of the core, 0 for those beyond the rim, -1 for the band between. */
function markers(bitmap: Bitmap): Int32Array {
  const eroded = erodedBySquare(bitmap);
  const core = countOf(eroded) > leastCorePixels ? eroded : bitmap;
  const reach = dilatedBySquare(bitmap);
  const [width, height] = [bitmap.width * fineness, bitmap.height * fineness];
  const hasOutside = reach.data.includes(0);
  return Int32Array.from({ length: width * height }, (_, at) => {
    const row = floor(at / width);
    const k = floor(row / fineness) * bitmap.width + floor((at % width) / fineness);
    if (!hasOutside && (row === 0 || row === height - 1)) return 0;
    if (core.data[k] === 1) return 1;
    return reach.data[k] === 1 ? -1 : 0;
  });
}
