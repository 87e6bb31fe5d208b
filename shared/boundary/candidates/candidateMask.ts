import type { Pixel } from '../window/chooseDates.js';
import {
  connectedPart,
  countOf,
  dilatedBySquare,
  erodedBySquare,
  withoutHoles,
  type Bitmap,
} from '../window/morphology.js';

const { floor, max, min } = Math;

/** A set of pixels of a window: the part of the window it lies in, and which pixels of that part are inside. */
export interface CandidateMask {
  /** Row and column of the part's first pixel in the window. */
  readonly top: number;
  readonly left: number;
  readonly bitmap: Bitmap;
  /** Inside pixels. */
  readonly size: number;
}

/** Width and height of a window in pixels. */
export type WindowSize = Pick<Bitmap, 'width' | 'height'>;

/** Free pixels round a mask in its part, fewer at the window's edge: room for three dilations. */
const maskMargin = 4;

/** Larger masks lose threads and pimples narrower than three pixels. */
const openedAbove = 60;

/** The inside pixels of a whole window, at least one, as a mask. */
export function maskOfWindow(window: Bitmap): CandidateMask {
  return tightened({ top: 0, left: 0, bitmap: window, size: countOf(window) }, window);
}

/** The same pixels, at least one, in the smallest part that has `margin` free pixels round them. */
export function tightened(
  { top, left, bitmap, size }: CandidateMask,
  window: WindowSize,
  margin = maskMargin,
): CandidateMask {
  let [first, last, west, east] = [bitmap.height, 0, bitmap.width, 0];
  for (let k = 0; k < bitmap.data.length; k += 1) {
    if (bitmap.data[k] !== 1) continue;
    const row = floor(k / bitmap.width);
    const column = k - row * bitmap.width;
    first = min(first, row);
    last = row;
    west = min(west, column);
    east = max(east, column);
  }
  const part = { top: max(0, top + first - margin), left: max(0, left + west - margin) };
  const width = min(window.width, left + east + margin + 1) - part.left;
  const height = min(window.height, top + last + margin + 1) - part.top;
  const data = new Uint8Array(width * height);
  for (let row = first; row <= last; row += 1) {
    const line = bitmap.data.subarray(row * bitmap.width + west, row * bitmap.width + east + 1);
    data.set(line, (top + row - part.top) * width + left + west - part.left);
  }
  return { ...part, bitmap: { width, height, data }, size };
}

/** Index of a pixel of the window in the mask's part; the pixel has to lie there. */
export function indexIn({ top, left, bitmap }: CandidateMask, { row, column }: Pixel): number {
  return (row - top) * bitmap.width + column - left;
}

/**
 * Opened by a 3×3 square unless small or the point falls out, the 4-connected part with the point, holes filled.
 *
 * Pixels beyond the window's edge count as inside, so that a mask keeps its corners there.
 */
export function cleaned(mask: CandidateMask, point: Pixel, window: WindowSize): CandidateMask {
  const { top, left, bitmap } = mask;
  const seed = indexIn(mask, point);
  const opened = mask.size > openedAbove ? dilatedBySquare(erodedBySquare(bitmap)) : bitmap;
  const whole = withoutHoles(connectedPart(opened.data[seed] === 1 ? opened : bitmap, seed));
  return tightened({ top, left, bitmap: whole, size: countOf(whole) }, window);
}

/** Whether two tightened masks are the same set of pixels. */
export function isSameMask(a: CandidateMask, b: CandidateMask): boolean {
  if (a.size !== b.size || a.top !== b.top || a.left !== b.left || a.bitmap.width !== b.bitmap.width) return false;
  return a.bitmap.data.every((value, k) => value === b.bitmap.data[k]);
}

/** Number of pixels that two masks share. */
export function sharedPixels(a: CandidateMask, b: CandidateMask): number {
  const top = max(a.top, b.top);
  const left = max(a.left, b.left);
  const bottom = min(a.top + a.bitmap.height, b.top + b.bitmap.height);
  const right = min(a.left + a.bitmap.width, b.left + b.bitmap.width);
  let shared = 0;
  for (let row = top; row < bottom; row += 1) {
    const inA = (row - a.top) * a.bitmap.width - a.left;
    const inB = (row - b.top) * b.bitmap.width - b.left;
    for (let column = left; column < right; column += 1) {
      shared += (a.bitmap.data[inA + column] ?? 0) & (b.bitmap.data[inB + column] ?? 0);
    }
  }
  return shared;
}

/** Intersection over union of two masks, 0–1. */
export function maskIou(a: CandidateMask, b: CandidateMask): number {
  const shared = sharedPixels(a, b);
  return shared / (a.size + b.size - shared);
}

/** Whether a mask has a pixel in the outermost rows or columns of the window. */
export function touchesEdge({ top, left, bitmap }: CandidateMask, window: WindowSize): boolean {
  return bitmap.data.some((value, k) => {
    if (value === 0) return false;
    const row = top + floor(k / bitmap.width);
    const column = left + (k % bitmap.width);
    return row === 0 || column === 0 || row === window.height - 1 || column === window.width - 1;
  });
}
