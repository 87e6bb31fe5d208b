import type { CandidateMask } from './candidateMask.js';
import { blurred } from './gaussian.js';
import type { Plane } from './gaussian.js';
import { maskContours } from './maskContours.js';
import { countOf, dilatedBySquare, erodedBySquare } from './morphology.js';
import type { Bitmap } from './morphology.js';
import type { PlanePoint } from '../geo/rings.js';
import { flood } from './superpixels.js';
import { upsampled } from './upsample.js';

const { floor, max, min } = Math;

/** Fine pixels along a pixel: 2.5 m. */
const fineness = 4;
/** Room round the mask, in pixels. */
const roomPixels = 6;
const edgeSigma = 2;
/** Above one half, for the unworked margin of a field is no part of it. */
const softening = { sigma: 2.5, level: 0.6 };
/** A mask whose eroded form has no more pixels than this is its own core. */
const leastCorePixels = 3;

/**
 * The lines round a mask at a quarter of a pixel: in a band along its rim, where the probability of a boundary is
 * highest between what is surely inside and what is surely outside.
 *
 * @param probability of a boundary in the whole window, 0–1
 * @returns open rings in pixels of the window (a pixel's centre is at + 0.5); holes are rings too
 */
export function fineContours(mask: CandidateMask, probability: Plane): PlanePoint[][] {
  const part = roomyPart(mask, probability);
  const inside = insideOnFineGrid(part);
  return maskContours(inside, softening).map((ring) =>
    ring.map(([x, y]) => [part.left + x / fineness, part.top + y / fineness]),
  );
}

/** A mask and the probability in its part of the window. */
interface Part {
  readonly top: number;
  readonly left: number;
  readonly bitmap: Bitmap;
  readonly probability: Plane;
}

/** The mask's box and six pixels round it, less at the window's edge. */
function roomyPart({ top, left, bitmap }: CandidateMask, window: Plane): Part {
  let [first, last, west, east] = [bitmap.height, 0, bitmap.width, 0];
  bitmap.data.forEach((value, k) => {
    if (value === 0) return;
    [first, last] = [min(first, floor(k / bitmap.width)), max(last, floor(k / bitmap.width))];
    [west, east] = [min(west, k % bitmap.width), max(east, k % bitmap.width)];
  });
  const [fromRow, fromColumn] = [max(0, top + first - roomPixels), max(0, left + west - roomPixels)];
  const height = min(window.height, top + last + roomPixels + 1) - fromRow;
  const width = min(window.width, left + east + roomPixels + 1) - fromColumn;
  const data = new Uint8Array(width * height);
  const values = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const from = (fromRow + row) * window.width + fromColumn;
    values.set(window.data.subarray(from, from + width), row * width);
    const own = fromRow + row - top;
    if (own < first || own > last) continue;
    const line = bitmap.data.subarray(own * bitmap.width + west, own * bitmap.width + east + 1);
    data.set(line, row * width + left + west - fromColumn);
  }
  return {
    top: fromRow,
    left: fromColumn,
    bitmap: { width, height, data },
    probability: { width, height, data: values },
  };
}

/** Floods the fine probability from the mask's core and from what lies beyond its rim. */
function insideOnFineGrid({ bitmap, probability }: Part): Bitmap {
  const edges = blurred(upsampled(probability, fineness), edgeSigma);
  const labels = markers(bitmap);
  flood(edges, labels);
  return { width: edges.width, height: edges.height, data: Uint8Array.from(labels) };
}

/** Fine pixels of which it is known that they lie inside (1) or outside (0); -1 for the band between. */
function markers(bitmap: Bitmap): Int32Array {
  // Beyond the window the field may go on.
  const eroded = erodedBySquare(bitmap, 1);
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
