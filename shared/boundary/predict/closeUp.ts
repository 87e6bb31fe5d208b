import type { Position } from '../../geo/shapes/geoJson.js';
import { toPixel, windowGrid, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { cutOut } from '../../raster/tiff/pixels.js';
import { projectionOf } from '../../geo/grid/utm.js';
import { maskOfWindow, type CandidateMask, type WindowSize } from '../candidates/candidateMask.js';
import type { Pixel } from '../window/chooseDates.js';
import type { Plane } from '../window/gaussian.js';
import type { Bitmap } from '../window/morphology.js';
import type { NormalisedDate } from '../window/normalise.js';
import { upsampled } from '../window/upsample.js';

const { floor, max, min } = Math;

/** Pixels of a close-up along a pixel of the window: 5 m instead of 10. */
export const closeUpFineness = 2;

/** Side of a close-up in pixels of the window: 640 m, enough round any small field. */
const partSide = 64;

/** At most so many dates, to save time: those that show most of the close-up, of equal ones the newest. */
const mostDates = 3;

/** Least inside fine pixels in a pixel of the window for that pixel to be inside. */
const leastFinePixels = closeUpFineness ** 2 / 2;

/** Reach of the cubic interpolation, in pixels. */
const reachPixels = 2;

/** The surroundings of a point at twice the scale, where a field is too small for the window's pixels. */
export interface CloseUp {
  readonly dates: readonly NormalisedDate[];
  readonly grid: Grid;
  /** The fine pixel that holds the point. */
  readonly pixel: Pixel;
  /** Row and column of the close-up's first pixel in the window. */
  readonly top: number;
  readonly left: number;
}

/**
 * The surroundings of a point, interpolated to pixels of 5 m. The network's lines are one pixel wide: here they are half
 * as wide on the ground, and regions can be a quarter as large.
 *
 * The contrast of the bands stays that of the whole window.
 */
export function closeUpOf(
  { dates, grid }: { readonly dates: readonly NormalisedDate[]; readonly grid: Grid },
  point: Position,
): CloseUp {
  const [x, y] = toPixel(grid, projectionOf(grid.epsg).toMap(point));
  const [left, width] = partAround(floor(x), grid.width);
  const [top, height] = partAround(floor(y), grid.height);
  const part = { column: left, row: top, width, height };
  return {
    dates: clearest(dates, part).map((date) => magnifiedDate(date, part)),
    grid: {
      ...windowGrid(grid, part),
      pixelWidth: grid.pixelWidth / closeUpFineness,
      pixelHeight: grid.pixelHeight / closeUpFineness,
      width: width * closeUpFineness,
      height: height * closeUpFineness,
    },
    pixel: { row: floor((y - top) * closeUpFineness), column: floor((x - left) * closeUpFineness) },
    top,
    left,
  };
}

/** A close-up's mask in pixels of the window. A pixel that is half covered is inside, so the mask grows by some percent. */
export function inWindow(
  { top, left, bitmap }: CandidateMask,
  closeUp: Pick<CloseUp, 'top' | 'left'>,
  { width, height }: WindowSize,
): CandidateMask {
  const counts = new Uint8Array(width * height);
  bitmap.data.forEach((value, k) => {
    if (value === 0) return;
    const row = closeUp.top + floor((top + floor(k / bitmap.width)) / closeUpFineness);
    const column = closeUp.left + floor((left + (k % bitmap.width)) / closeUpFineness);
    const at = row * width + column;
    counts[at] = (counts[at] ?? 0) + 1;
  });
  const data = counts.map((count) => (count >= leastFinePixels ? 1 : 0));
  return maskOfWindow({ width, height, data });
}

/** First pixel and length of the part round a pixel, along one side of the window. */
function partAround(pixel: number, side: number): readonly [first: number, length: number] {
  const length = min(partSide, side);
  return [min(side - length, max(0, pixel - length / 2)), length];
}

function clearest(dates: readonly NormalisedDate[], part: PixelWindow): readonly NormalisedDate[] {
  if (dates.length <= mostDates) return dates;
  const shown = dates.map(({ clear }) => cutOut(clear.data, clear.width, part).reduce((a, b) => a + b, 0));
  const best = [...dates.keys()].sort((a, b) => (shown[b] ?? 0) - (shown[a] ?? 0) || b - a).slice(0, mostDates);
  return dates.filter((_, k) => best.includes(k));
}

function magnifiedDate({ clear, channels, networkInput, hasNir }: NormalisedDate, part: PixelWindow): NormalisedDate {
  const { width, height } = part;
  const seen = { width, height, data: cutOut(clear.data, clear.width, part) };
  const fine = repeated(seen);
  const magnified = (plane: Plane): Plane => {
    const bridged = bridgedOver({ width, height, data: cutOut(plane.data, plane.width, part) }, seen);
    const { data, ...size } = upsampled(bridged, closeUpFineness);
    return { ...size, data: data.map((value, k) => (fine.data[k] === 1 ? value : 0)) };
  };
  return { clear: fine, channels: channels.map(magnified), networkInput: networkInput?.map(magnified), hasNir };
}

/** Hidden pixels, which are 0, take the mean of the clear pixels near them, so that no 0 is interpolated into those. */
function bridgedOver({ width, height, data }: Plane, clear: Bitmap): Plane {
  const meanRound = (row: number, column: number): number => {
    let [sum, count] = [0, 0];
    for (let y = max(0, row - reachPixels); y <= min(height - 1, row + reachPixels); y += 1) {
      for (let x = max(0, column - reachPixels); x <= min(width - 1, column + reachPixels); x += 1) {
        const k = y * width + x;
        if (clear.data[k] !== 1) continue;
        sum += data[k] ?? 0;
        count += 1;
      }
    }
    return count === 0 ? 0 : sum / count;
  };
  const out = data.map((value, k) => (clear.data[k] === 1 ? value : meanRound(floor(k / width), k % width)));
  return { width, height, data: out };
}

function repeated({ width, height, data }: Bitmap): Bitmap {
  const fine = width * closeUpFineness;
  const out = new Uint8Array(fine * height * closeUpFineness);
  for (let k = 0; k < out.length; k += 1) {
    const row = floor(floor(k / fine) / closeUpFineness);
    out[k] = data[row * width + floor((k % fine) / closeUpFineness)] ?? 0;
  }
  return { width: fine, height: height * closeUpFineness, data: out };
}
