import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Colour type 2: red, green and blue, eight bits each. */
const TRUE_COLOUR = 2;
/** Each row is written as differences to the row above. */
const FILTER_UP = 2;

/**
 * A picture as PNG.
 *
 * @param rgb [row][column][red, green, blue], 0–255
 * @see PNG specification, third edition: https://www.w3.org/TR/png-3/
 */
export function pngImage(
  rgb: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filteredRows(rgb, width * 3, height), { level: 7 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filteredRows(rgb: Uint8Array, rowBytes: number, height: number): Buffer {
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const start = row * (rowBytes + 1);
    rows[start] = FILTER_UP;
    for (let at = 0; at < rowBytes; at += 1) {
      // There is none above the first.
      const above = rgb[(row - 1) * rowBytes + at] ?? 0;
      rows[start + 1 + at] = ((rgb[row * rowBytes + at] ?? 0) - above) & 0xff;
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
