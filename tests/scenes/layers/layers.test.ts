import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bandsOfLayers, LAYER_NAMES, type BandName, type FieldScene } from '../../../shared/scenes/layers/layers.js';
import { renderLayer } from '../../../shared/scenes/layers/renderLayer.js';
import {
  colorValue,
  evi2Of,
  ndviOf,
  scoutingLimits,
  vegetationPercent,
} from '../../../shared/scenes/layers/formulas.js';
import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../../shared/scenes/layers/palette.js';

/** A row of pixels, all inside the field and clear, with no offset; bands by name. */
function aScene(bands: Partial<Record<BandName, readonly number[]>>, changes: Partial<FieldScene> = {}): FieldScene {
  const width = Object.values(bands)[0]!.length;
  const entries = Object.entries(bands).map(([name, values]) => [name, Uint16Array.from(values)] as const);
  return {
    width,
    height: 1,
    field: new Uint8Array(width).fill(1),
    clear: new Uint8Array(width).fill(1),
    bands: Object.fromEntries(entries),
    offsetDn: 0,
    ...changes,
  };
}
const valuesOf = (name: (typeof LAYER_NAMES)[number], scene: FieldScene): readonly number[] => [
  ...renderLayer(name, scene)!.pixels.data,
];

describe('the formulas', () => {
  test.each([
    { red: 0.05, nir: 0.4, expected: 0.35 / 0.45, why: 'a dense crop: 0.78' },
    { red: 0.2, nir: 0.25, expected: 0.05 / 0.45, why: 'bare soil: 0.11' },
    { red: 0.06, nir: 0.02, expected: -0.5, why: 'water is negative' },
  ])('NDVI of $red and $nir: $why', ({ red, nir, expected }) => {
    expect(ndviOf(red, nir)).toBeCloseTo(expected, 12);
  });

  test.each([
    { red: 0.05, nir: 0.4, expected: 0.875 / 1.52, why: '2.5 · 0.35 over 0.4 + 0.12 + 1' },
    { red: 0.2, nir: 0.25, expected: 0.125 / 1.73, why: '2.5 · 0.05 over 0.25 + 0.48 + 1' },
  ])('EVI2 of $red and $nir: $why', ({ red, nir, expected }) => {
    expect(evi2Of(red, nir)).toBeCloseTo(expected, 12);
  });

  test.each([
    { evi2: -0.2, expected: 0, why: 'water' },
    { evi2: 0.05, expected: 0, why: 'bare soil' },
    { evi2: 0.875 / 1.52, expected: 66, why: '(0.57566 − 0.05) / 0.8 = 0.6571' },
    { evi2: 0.85, expected: 100, why: 'dense' },
    { evi2: 1.1, expected: 100, why: 'denser' },
  ])('vegetation of EVI2 $evi2 is $expected ($why)', ({ evi2, expected }) => {
    expect(vegetationPercent(evi2)).toBe(expected);
  });

  test.each([
    { reflectance: 0.0001, expected: 2, why: '254 · (1/3000)^(1/1.4) = 0.83' },
    { reflectance: 0.15, expected: 156, why: '254 · 0.5^0.714 = 154.8' },
    { reflectance: 0.3, expected: 255, why: 'white' },
    { reflectance: 0.9, expected: 255, why: 'a cloud' },
  ])('reflectance $reflectance is drawn as $expected ($why)', ({ reflectance, expected }) => {
    expect(colorValue(reflectance)).toBe(expected);
  });

  test('scouting spreads from the 2nd to the 98th percentile', () => {
    const ndvi = Float64Array.from({ length: 101 }, (_, index) => index / 100);
    expect(scoutingLimits(ndvi)).toEqual([0.02, 0.98]);
  });

  test('an even field is spread over 0.10 around its middle', () => {
    expect(scoutingLimits(Float64Array.of(0.7, 0.7, 0.7))).toEqual([0.65, 0.75]);
    const [lo, hi] = scoutingLimits(Float64Array.of(0.7, 0.72));
    expect(hi - lo).toBeCloseTo(0.1, 6);
    expect((hi + lo) / 2).toBeCloseTo(0.71, 6);
  });
});

describe('the ndvi layer', () => {
  test('is float32 with nodata −9999 outside of the field, under clouds and without data', () => {
    const scene = aScene(
      { red: [500, 500, 500, 0, 500], nir: [4000, 4000, 4000, 4000, 0] },
      { field: Uint8Array.of(1, 0, 1, 1, 1), clear: Uint8Array.of(1, 1, 0, 1, 1) },
    );
    const layer = renderLayer('ndvi', scene)!;
    expect([...layer.pixels.data]).toEqual([Math.fround(7 / 9), -9999, -9999, -9999, -9999]);
    expect(layer.pixels.data).toBeInstanceOf(Float32Array);
    expect(layer).toMatchObject({ nodata: -9999, pixels: { width: 5, height: 1, bands: 1 } });
    expect(layer.statistics[0]).toMatchObject({ count: 1, histogram: { min: -1, max: 1 } });
  });

  test('the offset is taken off first: 0.78, not 0.54', () => {
    expect(valuesOf('ndvi', aScene({ red: [1500], nir: [5000] }, { offsetDn: -1000 }))[0]).toBeCloseTo(0.7778, 4);
    expect(valuesOf('ndvi', aScene({ red: [1500], nir: [5000] }))[0]).toBeCloseTo(0.5385, 4);
  });

  test('lies between −1 and 1 whatever the pixels are', () => {
    const dn = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(dn, dn, fc.constantFrom(0 as const, -1000 as const), (red, nir, offsetDn) => {
        const [value] = valuesOf('ndvi', aScene({ red: [red], nir: [nir] }, { offsetDn }));
        expect(Math.abs(value!)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the vegetation layer', () => {
  test('is uint8 in percent, nodata 255, and inverts to EVI2', () => {
    const scene = aScene({ red: [500, 2000, 0], nir: [4000, 2500, 2500] });
    const layer = renderLayer('vegetation', scene)!;
    expect(layer.pixels.data).toEqual(Uint8Array.of(66, 3, 255));
    expect(layer).toMatchObject({ nodata: 255, scales: [{ scale: 0.008, offset: 0.05 }], palette: VEGETATION_PALETTE });
    const { EVI2_SCALE, EVI2_OFFSET } = layer.metadata;
    expect(66 * Number(EVI2_SCALE) + Number(EVI2_OFFSET)).toBeCloseTo(evi2Of(0.05, 0.4), 2);
  });
});

describe('the scouting layer', () => {
  test('is relative to the field: its worst pixels are 0, its best 100', () => {
    const nir = Array.from({ length: 101 }, (_, index) => 1000 + index * 40);
    const layer = renderLayer('scouting', aScene({ red: nir.map(() => 1000), nir }))!;
    expect(layer.pixels.data[0]).toBe(0);
    expect(layer.pixels.data[100]).toBe(100);
    expect(layer).toMatchObject({ nodata: 255, palette: SCOUTING_PALETTE });
  });

  test('its tags invert it', () => {
    const nir = Array.from({ length: 200 }, (_, index) => 2000 + index * 10);
    const scene = aScene({ red: nir.map(() => 800), nir });
    const layer = renderLayer('scouting', scene)!;
    const [lo, hi] = [Number(layer.metadata['SCOUTING_LO']), Number(layer.metadata['SCOUTING_HI'])];
    const ndvi = renderLayer('ndvi', scene)!.pixels.data;
    layer.pixels.data.forEach((value, index) => {
      const clamped = Math.min(hi, Math.max(lo, ndvi[index]!));
      expect(Math.abs(lo + (value / 100) * (hi - lo) - clamped)).toBeLessThanOrEqual((hi - lo) / 200 + 1e-7);
    });
  });

  test('an even field is drawn in one middle colour, not torn', () => {
    expect(valuesOf('scouting', aScene({ red: [800, 800], nir: [4000, 4000] }))).toEqual([50, 50]);
  });
});

describe('the true-color layer', () => {
  test('is three bands, clipped to the field but not to the clouds', () => {
    const scene = aScene(
      { red: [1500, 3000, 3000], green: [3000, 1500, 3000], blue: [9000, 1, 3000] },
      { field: Uint8Array.of(1, 1, 0), clear: Uint8Array.of(0, 0, 0) },
    );
    const layer = renderLayer('true-color', scene)!;
    expect(layer.pixels).toMatchObject({ bands: 3, data: Uint8Array.of(156, 255, 0, 255, 156, 0, 255, 2, 0) });
    expect(layer).toMatchObject({ nodata: 0 });
    expect(layer.statistics.map(({ count }) => count)).toEqual([2, 2, 2]);
  });

  test('a pixel without data in one band has none in any', () => {
    expect(valuesOf('true-color', aScene({ red: [0, 1500], green: [1500, 1500], blue: [1500, 1500] }))).toEqual([
      0, 156, 0, 156, 0, 156,
    ]);
  });

  test('data are never nodata, and the offset shifts the stretch', () => {
    expect(valuesOf('true-color', aScene({ red: [1000], green: [2500], blue: [4000] }, { offsetDn: -1000 }))).toEqual([
      2, 156, 255,
    ]);
  });

  test('brighter ground is never drawn darker', () => {
    const dns = Array.from({ length: 5000 }, (_, index) => index + 1);
    const values = valuesOf('true-color', aScene({ red: dns, green: dns, blue: dns }, { offsetDn: -1000 })).slice(
      0,
      5000,
    );
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(1);
  });
});

describe('any layer', () => {
  test.each(LAYER_NAMES)('%s of a field without a pixel of data does not exist', (name) => {
    expect(renderLayer(name, aScene({ red: [0], green: [0], blue: [0], nir: [0] }))).toBeUndefined();
  });

  test('a missing band is named', () => {
    expect(() => renderLayer('ndvi', aScene({ red: [1, 2] }))).toThrow('ndvi needs 2 pixels of nir');
  });

  test('needs only its own bands', () => {
    expect(bandsOfLayers(['true-color'])).toEqual(['red', 'green', 'blue']);
    expect(bandsOfLayers(['scouting', 'ndvi'])).toEqual(['red', 'nir']);
    expect(bandsOfLayers(LAYER_NAMES)).toEqual(['red', 'green', 'blue', 'nir']);
  });

  test('the same scene gives the same layer', () => {
    const scene = aScene({ red: [500, 900], green: [600, 800], blue: [400, 700], nir: [4000, 3000] });
    for (const name of LAYER_NAMES) expect(renderLayer(name, scene)).toEqual(renderLayer(name, scene));
  });
});

describe('the palettes', () => {
  test('have 256 colours of three bytes, white for nodata', () => {
    for (const palette of [VEGETATION_PALETTE, SCOUTING_PALETTE]) {
      expect(palette).toHaveLength(256);
      expect(palette.flat().every((value) => Number.isInteger(value) && value >= 0 && value <= 255)).toBe(true);
      expect(palette[255]).toEqual([255, 255, 255]);
    }
  });

  test('vegetation grows lighter with every percent', () => {
    const lightness = VEGETATION_PALETTE.slice(0, 101).map(
      ([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue,
    );
    expect(lightness).toEqual([...lightness].sort((a, b) => a - b));
    expect([VEGETATION_PALETTE[0], VEGETATION_PALETTE[100]]).toEqual([
      [0x44, 0x01, 0x54],
      [0xfd, 0xe7, 0x25],
    ]);
  });

  test('scouting has five equal steps', () => {
    const steps = SCOUTING_PALETTE.slice(0, 101).map(String);
    expect(new Set(steps).size).toBe(5);
    expect([0, 20, 40, 60, 80].map((first) => steps.indexOf(steps[first]!))).toEqual([0, 20, 40, 60, 80]);
  });
});
