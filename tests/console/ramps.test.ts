import { describe, expect, test } from '@jest/globals';
import { NDVI_RAMP, paintLayer } from '../../console/map/ramps.js';
import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../shared/scenes/layers/palette.js';
import type { Rgb } from '../../shared/raster/write/cogInput.js';
import type { SampleArray } from '../../shared/raster/tiff/pixels.js';
import { aGrid } from '../raster/samples.js';

/** Values in a row, as a layer of one band or of three. */
function aLayer(data: SampleArray, nodata: number, bands = 1) {
  const width = data.length / bands;
  return { pixels: { width, height: 1, bands, data }, grid: aGrid(width, 1), nodata, isFullSize: true };
}

const rgba = (colour: number | undefined): readonly number[] => [...new Uint8Array(Uint32Array.of(colour ?? 0).buffer)];

/** Lightness of CIE L*a*b*, 0 to 100. */
function lightness([red, green, blue]: Rgb): number {
  const linear = (value: number): number =>
    value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance <= 0.008856 ? 903.3 * luminance : 116 * Math.cbrt(luminance) - 16;
}

describe('the colours of a layer', () => {
  test.each([
    { name: 'vegetation', palette: VEGETATION_PALETTE },
    { name: 'scouting', palette: SCOUTING_PALETTE },
  ] as const)('are those written into the files of $name, for each value', ({ name, palette }) => {
    const painted = paintLayer(
      name,
      aLayer(
        Uint8Array.from({ length: 101 }, (_, value) => value),
        255,
      ),
    );
    expect([...painted].map(rgba)).toEqual(palette.slice(0, 101).map((rgb) => [...rgb, 255]));
  });

  test('are those of the picture itself for true colour', () => {
    const painted = paintLayer('true-color', aLayer(Uint8Array.of(10, 0, 20, 0, 30, 1), 0, 3));
    expect([...painted].map(rgba)).toEqual([
      [10, 20, 30, 255],
      [0, 0, 1, 255],
    ]);
  });

  test.each([
    { name: 'ndvi', layer: aLayer(Float32Array.of(-9999, NaN), -9999) },
    { name: 'vegetation', layer: aLayer(Uint8Array.of(255, 255), 255) },
    { name: 'scouting', layer: aLayer(Uint8Array.of(255, 255), 255) },
    { name: 'true-color', layer: aLayer(new Uint8Array(6), 0, 3) },
  ] as const)('are none where $name has no data', ({ name, layer }) => {
    expect([...paintLayer(name, layer)]).toEqual([0, 0]);
  });

  test('end where NDVI leaves 0 to 1', () => {
    const painted = paintLayer('ndvi', aLayer(Float32Array.of(-0.4, 0, 1, 1.2), -9999));
    expect(rgba(painted[0])).toEqual([...NDVI_RAMP[0]!, 255]);
    expect(rgba(painted[3])).toEqual([...NDVI_RAMP[255]!, 255]);
    expect([painted[0], painted[2]]).toEqual([painted[1], painted[3]]);
  });

  test('get darker with NDVI at every step, so that they read without colour vision', () => {
    const steps = NDVI_RAMP.map(lightness);
    const rising = steps.filter((step, index) => index > 0 && step > steps[index - 1]! + 0.2);
    expect(rising).toEqual([]);
    expect(steps[0]! - steps[255]!).toBeGreaterThan(60);
  });
});
