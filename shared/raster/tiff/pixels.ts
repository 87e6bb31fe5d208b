import type { PixelWindow } from '../../geo/grid/grid.js';

/** Data type of a raster's pixels. */
export type SampleType = 'uint8' | 'uint16' | 'int16' | 'float32';

/** Values of one of the data types. */
export type SampleArray = Uint8Array | Uint16Array | Int16Array | Float32Array;

/** Bytes of one value of each data type. */
export const SAMPLE_BYTES: Readonly<Record<SampleType, 1 | 2 | 4>> = { uint8: 1, uint16: 2, int16: 2, float32: 4 };

/** Pixels of a rectangle. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** [band][row][column] */
  readonly data: SampleArray;
}

/** The data type of an array. */
export function sampleTypeOf(data: SampleArray): SampleType {
  if (data instanceof Uint8Array) return 'uint8';
  if (data instanceof Float32Array) return 'float32';
  return data instanceof Uint16Array ? 'uint16' : 'int16';
}

/** An array of zeros. @param length number of values */
export function sampleArray(type: SampleType, length: number): SampleArray {
  if (type === 'uint8') return new Uint8Array(length);
  if (type === 'float32') return new Float32Array(length);
  return type === 'uint16' ? new Uint16Array(length) : new Int16Array(length);
}

/**
 * A copy of the values of a window.
 *
 * @param data [row][column], `columns` to a row
 * @param window lies wholly inside
 */
export function cutOut<T extends SampleArray | Float64Array>(data: T, columns: number, window: PixelWindow): T {
  const { column, row, width, height } = window;
  const out = data.slice(0, width * height) as T;
  for (let line = 0; line < height; line += 1) {
    const from = (row + line) * columns + column;
    out.set(data.subarray(from, from + width), line * width);
  }
  return out;
}

/** The same bytes at a multiple of `size` in their buffer, as typed arrays need it; copied only when they are not. */
export function alignedTo(size: number, bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % size === 0 ? bytes : Uint8Array.from(bytes);
}

/** Bytes as values of a data type, little-endian; copied only when they don't lie on a multiple of its size. */
export function samplesOf(type: SampleType, bytes: Uint8Array): SampleArray {
  const size = SAMPLE_BYTES[type];
  const aligned = alignedTo(size, bytes);
  const [buffer, offset, length] = [aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / size)];
  if (type === 'uint8') return aligned;
  if (type === 'float32') return new Float32Array(buffer, offset, length);
  return type === 'uint16' ? new Uint16Array(buffer, offset, length) : new Int16Array(buffer, offset, length);
}
