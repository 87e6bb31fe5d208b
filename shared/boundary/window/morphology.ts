import { cutOut } from '../../raster/tiff/pixels.js';

/** One byte per pixel, [row][column]: 1 inside, 0 outside. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

type Bit = 0 | 1;

/** Keeps the pixels whose 3×3 neighbourhood is all inside; beyond the bitmap counts as inside. */
export function erodedBySquare(bitmap: Bitmap): Bitmap {
  return alongColumns(alongRows(bitmap, 1, 0), 1, 0);
}

/** Adds the pixels with an inside pixel in their 3×3 neighbourhood; beyond the bitmap counts as outside. */
export function dilatedBySquare(bitmap: Bitmap): Bitmap {
  return alongColumns(alongRows(bitmap, 0, 1), 0, 1);
}

/** Gives `winner` to each pixel that has the value itself or in its left or right neighbour. */
function alongRows({ width, height, data }: Bitmap, beyond: Bit, winner: Bit): Bitmap {
  const out = new Uint8Array(data.length);
  for (let row = 0; row < height; row += 1) {
    const start = row * width;
    for (let column = 0; column < width; column += 1) {
      const left = column > 0 ? data[start + column - 1] : beyond;
      const right = column < width - 1 ? data[start + column + 1] : beyond;
      const wins = left === winner || right === winner || data[start + column] === winner;
      out[start + column] = wins ? winner : 1 - winner;
    }
  }
  return { width, height, data: out };
}

/** Gives `winner` to each pixel that has the value itself or in its upper or lower neighbour. */
function alongColumns({ width, height, data }: Bitmap, beyond: Bit, winner: Bit): Bitmap {
  const out = new Uint8Array(data.length);
  for (let row = 0; row < height; row += 1) {
    for (let k = row * width; k < (row + 1) * width; k += 1) {
      const upper = row > 0 ? data[k - width] : beyond;
      const lower = row < height - 1 ? data[k + width] : beyond;
      out[k] = upper === winner || lower === winner || data[k] === winner ? winner : 1 - winner;
    }
  }
  return { width, height, data: out };
}

/** Keeps the pixels that are inside together with their four neighbours. @param beyond value of pixels beyond the bitmap */
export function erodedByCross(bitmap: Bitmap, beyond: Bit): Bitmap {
  const down = alongColumns(bitmap, beyond, 0).data;
  const across = alongRows(bitmap, beyond, 0);
  return { ...across, data: across.data.map((value, k) => value & (down[k] ?? 0)) };
}

/** The 4-connected part of the pixels of `value` that holds pixel `start`, as a bitmap of the same size. */
export function connectedPart({ width, height, data }: Bitmap, start: number, value: Bit = 1): Bitmap {
  const part = new Uint8Array(data.length);
  const open = new Int32Array(data.length);
  let length = 0;
  const visit = (k: number): void => {
    if (data[k] !== value || part[k] === 1) return;
    part[k] = 1;
    open[length] = k;
    length += 1;
  };
  visit(start);
  while (length > 0) {
    length -= 1;
    const k = open[length] ?? 0;
    const column = k % width;
    if (column > 0) visit(k - 1);
    if (column < width - 1) visit(k + 1);
    if (k >= width) visit(k - width);
    if (k < width * (height - 1)) visit(k + width);
  }
  return { width, height, data: part };
}

/** Fills every hole: outside pixels that have no 4-connected way to the bitmap's edge. */
export function withoutHoles(bitmap: Bitmap): Bitmap {
  const framed = framedBy(bitmap, 1);
  const background = connectedPart(framed, 0, 0);
  const inside = cutOut(background.data, framed.width, { ...bitmap, column: 1, row: 1 });
  return { width: bitmap.width, height: bitmap.height, data: inside.map((value) => 1 - value) };
}

/** The bitmap with `margin` outside pixels added on every side. */
export function framedBy({ width, height, data }: Bitmap, margin: number): Bitmap {
  const wide = width + 2 * margin;
  const out = new Uint8Array(wide * (height + 2 * margin));
  for (let row = 0; row < height; row += 1) {
    out.set(data.subarray(row * width, (row + 1) * width), (row + margin) * wide + margin);
  }
  return { width: wide, height: height + 2 * margin, data: out };
}

/** Number of inside pixels. */
export function countOf({ data }: Bitmap): number {
  let count = 0;
  for (const value of data) count += value;
  return count;
}
