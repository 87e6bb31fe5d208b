import { sampleArray, sampleTypeOf, type Pixels } from '../tiff/pixels.js';

/** How a picture is halved. */
export interface HalvingRules {
  readonly nodata: number;
  readonly by: 'average' | 'nearest';
}

interface RowRules extends HalvingRules {
  /** Whether the pixels are whole numbers. */
  readonly isWhole: boolean;
}

/** The mean of the pixels with data among up to four; nodata when none has any. */
function meanOf(sum: number, count: number, { nodata, isWhole }: RowRules): number {
  if (count === 0) return nodata;
  return isWhole ? Math.round(sum / count) : sum / count;
}

function averageRow(pixels: Pixels, rules: RowRules, line: { band: number; row: number }): number[] {
  const { width, height, data } = pixels;
  const top = (line.band * height + 2 * line.row) * width;
  const rows = 2 * line.row + 1 < height ? [top, top + width] : [top];
  return Array.from({ length: Math.ceil(width / 2) }, (_, column) => {
    let [sum, count] = [0, 0];
    for (const start of rows) {
      for (let at = 2 * column; at < Math.min(width, 2 * column + 2); at += 1) {
        const value = data[start + at] ?? 0;
        if (value !== rules.nodata && !Number.isNaN(value)) {
          sum += value;
          count += 1;
        }
      }
    }
    return meanOf(sum, count, rules);
  });
}

function nearestRow({ width, height, data }: Pixels, line: { band: number; row: number }): number[] {
  const start = (line.band * height + 2 * line.row) * width;
  return Array.from({ length: Math.ceil(width / 2) }, (_, column) => data[start + 2 * column] ?? 0);
}

/** The same picture at half the size, odd sides rounded up; `nearest` takes the upper left of four pixels. */
export function halved(pixels: Pixels, rules: HalvingRules): Pixels {
  const [width, height] = [Math.ceil(pixels.width / 2), Math.ceil(pixels.height / 2)];
  const sampleType = sampleTypeOf(pixels.data);
  const rowRules = { ...rules, isWhole: sampleType !== 'float32' };
  const data = sampleArray(sampleType, width * height * pixels.bands);
  for (let band = 0; band < pixels.bands; band += 1) {
    for (let row = 0; row < height; row += 1) {
      const line = { band, row };
      data.set(
        rules.by === 'average' ? averageRow(pixels, rowRules, line) : nearestRow(pixels, line),
        (band * height + row) * width,
      );
    }
  }
  return { width, height, bands: pixels.bands, data };
}

/** The full picture and its smaller versions, largest first, down to one that fits into a tile. */
export function pyramid(pixels: Pixels, tileSize: number, rules: HalvingRules): readonly Pixels[] {
  const levels = [pixels];
  for (let level = pixels; Math.max(level.width, level.height) > tileSize;) {
    level = halved(level, rules);
    levels.push(level);
  }
  return levels;
}
