import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { areaOf, clipped, inset } from '../../../tools/scenes/convex.js';
import { Farmland } from '../../../tools/scenes/farmland.js';
import { glued } from '../../../tools/scenes/glued.js';
import { usualStyles } from '../../../tools/scenes/layout.js';
import { addNoiseAlong, noiseAt } from '../../../tools/scenes/noise.js';
import { regionOf } from '../../../tools/scenes/regions.js';
import { SceneRenderer } from '../../../tools/scenes/renderScene.js';
import { depthIn, poleOf, wholeFields } from '../../../tools/scenes/seenFields.js';
import { isSimple } from '../../../shared/geo/shapes/rings.js';

const square = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
] as const;

describe('the fields of a country', () => {
  const country = new Farmland(32632, { seed: 7 });
  const box = [600_000, 5_200_000, 603_000, 5_203_000] as const;
  const fields = country.fieldsIn(box);

  test('are many, of many sizes', () => {
    const hectares = fields.map(({ areaM2 }) => areaM2 / 10_000).sort((a, b) => a - b);
    expect(fields.length).toBeGreaterThan(150);
    expect(hectares[0]).toBeLessThan(1);
    expect(hectares.at(-1)).toBeGreaterThan(10);
  });

  test('have simple outlines, counter-clockwise, bends included', () => {
    for (const { outline, areaM2 } of fields) {
      expect(areaM2).toBeGreaterThan(0);
      expect(isSimple(outline)).toBe(true);
    }
  });

  test('do not overlap', () => {
    fields.slice(0, 150).forEach((field) => {
      const { place } = poleOf(field);
      const holders = fields.filter(({ box: [west, south, east, north], outline }) => {
        const isNear = place[0] >= west && place[0] <= east && place[1] >= south && place[1] <= north;
        return isNear && depthIn(outline, place) > 0;
      });
      expect(holders).toEqual([field]);
    });
  });

  test('differ between countries and not between two of the same seed', () => {
    expect(new Farmland(32632, { seed: 7 }).fieldsIn(box)).toEqual(fields);
    expect(new Farmland(32632, { seed: 8 }).fieldsIn(box)).not.toEqual(fields);
  });

  test('come in every style', () => {
    const wide = country.fieldsIn([600_000, 5_200_000, 624_000, 5_224_000]);
    expect(new Set(wide.map(({ style }) => style))).toEqual(new Set(usualStyles.map(([style]) => style)));
  });

  test('that lie wholly in sight cover just the samples in their outline', () => {
    const renderer = new SceneRenderer(32632, { seed: 7 });
    const window = { originX: 602_000, originY: 5_204_000, width: 128, height: 128 };
    const cover = renderer.coverOf(window);
    const whole = wholeFields(cover, [602_000, 5_202_720, 603_280, 5_204_000]);
    expect(whole.length).toBeGreaterThan(3);
    for (const field of whole) {
      const index = cover.fields.indexOf(field);
      const seenM2 = cover.samples.filter((code) => code === index).length * cover.grid.stepM ** 2;
      expect(Math.abs(seenM2 / field.areaM2 - 1)).toBeLessThan(0.03);
    }
  });
});

describe('regions', () => {
  test('share the land without gap or overlap: each place lies in one cell', () => {
    const regions = Array.from({ length: 49 }, (_, k) => regionOf(3, (k % 7) - 3, Math.floor(k / 7) - 3));
    fc.assert(
      fc.property(
        fc.double({ min: -3000, max: 3000, noNaN: true }),
        fc.double({ min: -3000, max: 3000, noNaN: true }),
        (x, y) => {
          const depths = regions.map(({ cell }) => depthIn(cell, [x, y]));
          fc.pre(Math.min(...depths.map(Math.abs)) > 1e-6);
          expect(depths.filter((depth) => depth > 0)).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('convex polygons', () => {
  test('a half-plane cuts off what lies beyond it', () => {
    expect(areaOf(clipped(square, { normal: [1, 0], offset: 30 }))).toBeCloseTo(3000, 9);
    expect(clipped(square, { normal: [1, 0], offset: -1 })).toEqual([]);
  });

  test.each([
    { widthM: 0, area: 10_000 },
    { widthM: 10, area: 6_400 },
    { widthM: 51, area: 0 },
  ])('a rim of $widthM m off a square of 100 m leaves $area m²', ({ widthM, area }) => {
    expect(areaOf(inset(square, widthM))).toBeCloseTo(area, 6);
  });

  test('two that meet along a side of the smaller become one of both areas', () => {
    const right = [
      [100, 20],
      [160, 20],
      [160, 70],
      [100, 70],
    ] as const;
    expect(areaOf(glued(square, right) ?? [])).toBeCloseTo(13_000, 6);
  });

  test('two that do not meet stay two', () => {
    expect(
      glued(
        square,
        square.map(([x, y]) => [x + 200, y] as const),
      ),
    ).toBeUndefined();
  });
});

describe('noise', () => {
  test('along a line is the noise at its places', () => {
    const noise = { seed: 5, scaleM: 37 };
    const values = addedAlong(noise);
    values.forEach((value, k) => {
      expect(value).toBeCloseTo(noiseAt(noise, 1003 + 2.5 * k, 77), 5);
    });
  });

  test('has mean 0 and standard deviation about 1', () => {
    const values = Array.from({ length: 10_000 }, (_, k) =>
      noiseAt({ seed: 9, scaleM: 10 }, (k % 100) * 13.7, Math.floor(k / 100) * 11.3),
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(deviation).toBeGreaterThan(0.8);
    expect(deviation).toBeLessThan(1.2);
  });
});

function addedAlong(noise: { readonly seed: number; readonly scaleM: number }): Float32Array {
  const values = new Float32Array(120);
  addNoiseAlong(noise, { startX: 1003, stepM: 2.5, y: 77 }, 1, values);
  return values;
}
