import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { measuredOffset, type AskedBands } from '../../../shared/scenes/pixels/offsetMeasure.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import type { Pixels } from '../../../shared/raster/tiff/pixels.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';

const PRESENT = { offsetDn: -1000, basis: 'metadata' };
const REMOVED = { offsetDn: 0, basis: 'measured' };
const NAMES = ['blue', 'red', 'nir'] as const;
type Dns = AskedBands<Uint16Array>;

const pictureOf = (data: Uint16Array): Pixels => ({ width: data.length, height: 1, bands: 1, data });
const measured = ({ blue, red, nir }: Dns) =>
  measuredOffset({ blue: pictureOf(blue), red: pictureOf(red), nir: pictureOf(nir) });

/** Reflectance × 10,000 of ground, from spectra as they are commonly published: [blue, red, nir]. */
const GROUND = {
  wheat: [250, 300, 4_200],
  stubble: [600, 1_100, 2_400],
  darkSoil: [450, 800, 1_700],
  forest: [120, 160, 2_300],
  water: [350, 200, 90],
  cloud: [6_500, 6_600, 7_000],
  snow: [8_800, 8_700, 7_900],
} as const;
type Ground = keyof typeof GROUND;

/** Shadow has slightly negative reflectance in places: that is what the offset is for. */
const SHADOW = [-20, -35, -5] as const;

/** 4,000 pixels of grounds by weight, a share of them in deep shadow, as a file holds them. */
function sceneOf(weights: Partial<Record<Ground, number>>, shadowFraction: number, addedDn: number): Dns {
  const grounds = Object.entries(weights).flatMap(([name, weight]) => Array<Ground>(weight).fill(name as Ground));
  const dns = NAMES.map((_, band) =>
    Uint16Array.from({ length: 4_000 }, (__, index) => {
      const noise = (Math.imul(index * 3 + band, 0x9e3779b1) >>> 26) - 32;
      const isShadow = (Math.imul(index, 0x85ebca6b) >>> 8) / 0x1000000 < shadowFraction;
      const spectrum = isShadow ? SHADOW : GROUND[grounds[index % grounds.length] ?? 'wheat'];
      return Math.max(1, (spectrum[band] ?? 0) + noise + addedDn);
    }),
  );
  return { blue: dns[0]!, red: dns[1]!, nir: dns[2]! };
}

const shadows = fc.double({ min: 0, max: 0.3, noNaN: true });
const weight = (min: number) => fc.integer({ min, max: 8 });
const anyGround = fc.record({
  wheat: weight(0),
  stubble: weight(0),
  darkSoil: weight(0),
  forest: weight(0),
  water: weight(0),
  cloud: weight(0),
  snow: weight(1),
});

describe('the offset that pixels are asked for', () => {
  test('is never taken for removed while it is there, whatever lies on the ground and up to 30 % in deep shadow', () => {
    fc.assert(
      fc.property(anyGround, shadows, (weights, shadowFraction) => {
        expect(measured(sceneOf(weights, shadowFraction, 1_000))).toEqual(PRESENT);
      }),
    );
  });

  test('is known to be removed over farmland and forest, up to 30 % in deep shadow and a half under clouds', () => {
    const land = fc.record({
      wheat: weight(1),
      stubble: weight(0),
      darkSoil: weight(1),
      forest: weight(1),
      cloud: fc.constant(3),
    });
    fc.assert(
      fc.property(land, shadows, (weights, shadowFraction) => {
        expect(measured(sceneOf(weights, shadowFraction, 0))).toEqual(REMOVED);
      }),
    );
  });

  test.each<{ why: string; weights: Partial<Record<Ground, number>>; addedDn: number; expected: object }>([
    { why: 'bare dark soil shows by its blue alone', weights: { darkSoil: 1 }, addedDn: 0, expected: REMOVED },
    { why: 'bare dark soil with the offset', weights: { darkSoil: 1 }, addedDn: 1_000, expected: PRESENT },
    { why: 'water and snow prove nothing', weights: { water: 1, snow: 1 }, addedDn: 0, expected: PRESENT },
    { why: 'numbers without contrast prove nothing', weights: { water: 1 }, addedDn: -5_000, expected: PRESENT },
  ])('$why', ({ weights, addedDn, expected }) => {
    expect(measured(sceneOf(weights, 0, addedDn))).toEqual(expected);
  });

  test('needs 500 pixels of lit ground, a fifth of them too dark in one band', () => {
    const scene = (lit: number, dark: number): Dns => ({
      blue: new Uint16Array(1_000).fill(1_500).fill(799, 0, dark),
      red: new Uint16Array(1_000).fill(1_500),
      nir: new Uint16Array(1_000).fill(1_500).fill(2_500, 0, lit),
    });
    expect(measured(scene(500, 100))).toEqual(REMOVED);
    expect(measured(scene(500, 99))).toEqual(PRESENT);
    expect(measured(scene(499, 499))).toEqual(PRESENT);
  });

  test('is believed to be there without a picture to ask', () => {
    expect(measuredOffset(undefined)).toEqual(PRESENT);
  });
});

const REAL = '../shared/data/imagery';
const DAYS = ['demo_33UUP_2021-06-17', 'demo_33UUP_2021-09-25'];

(existsSync(REAL) ? describe.each(DAYS) : describe.skip.each(DAYS))('the real scene %s', (day) => {
  let real: Dns;
  beforeAll(async () => {
    const read = async (band: string): Promise<Uint16Array> => {
      const raster = await openRaster(memorySource(readFileSync(`${REAL}/${day}/${band}.tif`), band));
      const [pixels] = await readWindows(raster, [{ column: 0, row: 0, ...raster.image }]);
      return Uint16Array.from(pixels!.data);
    };
    real = { blue: await read('blue'), red: await read('red'), nir: await read('nir') };
  });

  /** As a file with the offset or without it holds the scene, every so many pixels in deep shadow. */
  const changed = (addedDn: number, shadowFraction: number): Dns => {
    const change = (data: Uint16Array, band: number): Uint16Array =>
      data.map((dn, index) => {
        const isShadow = (Math.imul(index, 0x85ebca6b) >>> 8) / 0x1000000 < shadowFraction;
        return dn === 0 ? 0 : Math.max(1, (isShadow ? (SHADOW[band] ?? 0) : dn) + addedDn);
      });
    return { blue: change(real.blue, 0), red: change(real.red, 1), nir: change(real.nir, 2) };
  };

  test.each([0, 0.06, 0.15, 0.3])('with %f of it in deep shadow is told with its offset and without', (fraction) => {
    expect(measured(changed(1_000, fraction))).toEqual(PRESENT);
    expect(measured(changed(0, fraction))).toEqual(REMOVED);
  });
});
