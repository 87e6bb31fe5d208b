/** Columns and rows of a mask. */
export interface MaskSize {
  readonly width: number;
  readonly height: number;
}

/** For each pixel whether one within `radius` along a line of pixels is set; lines begin at `starts`, `step` apart. */
function spread(
  mask: Uint8Array,
  starts: readonly number[],
  line: { length: number; step: number; radius: number },
): Uint8Array {
  const { length, step, radius } = line;
  const out = new Uint8Array(mask.length);
  for (const start of starts) {
    let lastSet = -Infinity;
    let ahead = 0;
    for (let at = 0; at < length; at += 1) {
      for (; ahead < length && ahead <= at + radius; ahead += 1) {
        if (mask[start + ahead * step] === 1) lastSet = ahead;
      }
      out[start + at * step] = lastSet >= at - radius ? 1 : 0;
    }
  }
  return out;
}

/**
 * Grows a mask by `radius` pixels in all eight directions: a square of 2 · radius + 1 pixels around each.
 *
 * @param mask [row][column], 0 or 1
 */
export function dilate(mask: Uint8Array, { width, height }: MaskSize, radius: number): Uint8Array {
  const rows = Array.from({ length: height }, (_, row) => row * width);
  const columns = Array.from({ length: width }, (_, column) => column);
  const across = spread(mask, rows, { length: width, step: 1, radius });
  return spread(across, columns, { length: height, step: width, radius });
}

/**
 * Shrinks a mask by one pixel: what keeps all eight neighbours. Outside of the mask nothing is set.
 *
 * @param mask [row][column], 0 or 1
 */
export function erode(mask: Uint8Array, { width, height }: MaskSize): Uint8Array {
  const out = new Uint8Array(mask.length);
  const isSetAcross = (at: number): boolean => mask[at - 1] === 1 && mask[at] === 1 && mask[at + 1] === 1;
  for (let row = 1; row < height - 1; row += 1) {
    for (let column = 1; column < width - 1; column += 1) {
      const at = row * width + column;
      if (isSetAcross(at) && isSetAcross(at - width) && isSetAcross(at + width)) out[at] = 1;
    }
  }
  return out;
}
