import { SAMPLE_BYTES } from './pixels.js';
import type { TiffImage } from './tiffImage.js';

/** The part of an image's layout that a predictor depends on. */
export type PredictedLayout = Pick<TiffImage, 'bands' | 'isPlanar' | 'sampleType' | 'predictor' | 'blockWidth'>;

type Integers = Uint8Array | Uint16Array | Uint32Array;

/** Adds up the differences of `length` values from `start`; values of one band lie `stride` apart. */
function addUp(values: Integers, start: number, length: number, stride: number): void {
  const end = start + length;
  for (let band = 0; band < stride; band += 1) {
    let sum = 0;
    for (let at = start + band; at < end; at += stride) {
      sum += values[at] ?? 0;
      values[at] = sum;
    }
  }
}

/** The most frequent case, one band of 16-bit values: a loop over one array type runs twice as fast. */
function addUp16(values: Uint16Array, start: number, length: number): void {
  const end = start + length;
  let sum = 0;
  for (let at = start; at < end; at += 1) {
    sum = (sum + (values[at] ?? 0)) & 0xffff;
    values[at] = sum;
  }
}

function integersOf(bytes: Uint8Array, size: 1 | 2 | 4): Integers {
  if (size === 1) return bytes;
  const length = Math.floor(bytes.length / size);
  if (size === 2) return new Uint16Array(bytes.buffer, bytes.byteOffset, length);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
}

/** Predictor 2: each value was stored as the difference to its left neighbour of the same band. */
function undoHorizontal(bytes: Uint8Array, layout: PredictedLayout, columnEnds: Uint32Array): void {
  const stride = layout.isPlanar ? 1 : layout.bands;
  const values = integersOf(bytes, SAMPLE_BYTES[layout.sampleType]);
  const rowLength = layout.blockWidth * stride;
  columnEnds.forEach((columns, row) => {
    if (values instanceof Uint16Array && stride === 1) addUp16(values, row * rowLength, columns);
    else addUp(values, row * rowLength, columns * stride, stride);
  });
}

/**
 * Predictor 3: the bytes of a row were sorted into planes, most significant first, and then stored as differences.
 *
 * @see Adobe Photoshop TIFF Technical Note 3
 */
function undoFloatingPoint(bytes: Uint8Array, layout: PredictedLayout, columnEnds: Uint32Array): void {
  const stride = layout.isPlanar ? 1 : layout.bands;
  const length = layout.blockWidth * stride;
  const planes = new Uint8Array(length * 4);
  columnEnds.forEach((columns, row) => {
    if (columns === 0) return;
    const line = bytes.subarray(row * length * 4, (row + 1) * length * 4);
    addUp(line, 0, length * 4, stride);
    planes.set(line);
    for (let at = 0; at < length; at += 1) {
      line[at * 4 + 3] = planes[at] ?? 0;
      line[at * 4 + 2] = planes[length + at] ?? 0;
      line[at * 4 + 1] = planes[2 * length + at] ?? 0;
      line[at * 4] = planes[3 * length + at] ?? 0;
    }
  });
}

/**
 * Undoes a block's predictor in place, only where the values are needed; all other values are undefined.
 *
 * @param bytes the unpacked block, aligned to its values; may end after the last needed row
 * @param columnEnds per row the column after the last needed one, 0 for a row that is not needed
 */
export function undoPredictor(bytes: Uint8Array, layout: PredictedLayout, columnEnds: Uint32Array): void {
  if (layout.predictor === 2) undoHorizontal(bytes, layout, columnEnds);
  if (layout.predictor === 3) undoFloatingPoint(bytes, layout, columnEnds);
}

/**
 * Applies a predictor in place to a whole block, the inverse of `undoPredictor` with every column needed.
 *
 * @param bytes aligned to its values, a whole number of rows
 */
export function applyPredictor(bytes: Uint8Array, layout: PredictedLayout): void {
  const stride = layout.isPlanar ? 1 : layout.bands;
  const rowLength = layout.blockWidth * stride;
  if (layout.predictor === 2) {
    const values = integersOf(bytes, SAMPLE_BYTES[layout.sampleType]);
    for (let start = 0; start < values.length; start += rowLength) {
      takeDifferences(values.subarray(start, start + rowLength), stride);
    }
  }
  if (layout.predictor === 3) {
    for (let start = 0; start < bytes.length; start += rowLength * 4) {
      sortIntoPlanes(bytes.subarray(start, start + rowLength * 4), stride);
    }
  }
}

function takeDifferences(values: Integers, stride: number): void {
  for (let at = values.length - 1; at >= stride; at -= 1) values[at] = (values[at] ?? 0) - (values[at - stride] ?? 0);
}

function sortIntoPlanes(line: Uint8Array, stride: number): void {
  const length = line.length / 4;
  const values = Uint8Array.from(line);
  for (let at = 0; at < length; at += 1) {
    line[at] = values[at * 4 + 3] ?? 0;
    line[length + at] = values[at * 4 + 2] ?? 0;
    line[2 * length + at] = values[at * 4 + 1] ?? 0;
    line[3 * length + at] = values[at * 4] ?? 0;
  }
  takeDifferences(line, stride);
}
