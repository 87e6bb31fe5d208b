import type { CogInput } from '../../shared/raster/write/cogInput.js';
import type { Grid } from '../../shared/geo/grid/grid.js';
import { sampleArray, type Pixels, type SampleArray, type SampleType } from '../../shared/raster/tiff/pixels.js';

/** A 10 m grid in upper Austria. */
export const aGrid = (width: number, height: number): Grid => ({
  epsg: 32633,
  originX: 359_140,
  originY: 5_352_340,
  pixelWidth: 10,
  pixelHeight: 10,
  width,
  height,
});

/** Smooth hills with some noise, the same for the same size: repeatable, packs like a real picture. */
export function somePixels(sampleType: SampleType, width: number, height: number, bands = 1): Pixels {
  const data: SampleArray = sampleArray(sampleType, width * height * bands);
  let state = 12345;
  const top = { uint8: 200, uint16: 9000, int16: 9000, float32: 0.9 }[sampleType];
  for (let index = 0; index < data.length; index += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const [column, row] = [index % width, Math.floor(index / width)];
    const hills = 0.5 + 0.4 * Math.sin(column / 17) * Math.cos(row / 23) + (0.1 * (state >>> 16)) / 65536;
    data[index] = hills * top - (sampleType === 'int16' ? 4000 : 0);
  }
  return { width, height, bands, data };
}

/** A picture ready to be written, with the parts a test cares about replaced. */
export function aCog(changes: Partial<CogInput> = {}): CogInput {
  const pixels = changes.pixels ?? somePixels('uint16', 40, 30);
  return { pixels, grid: aGrid(pixels.width, pixels.height), nodata: 0, ...changes };
}
