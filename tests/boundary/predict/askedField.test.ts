import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { askedField, askedMask } from '../../../shared/boundary/predict/askedField.js';
import { askedFeatures } from '../../../shared/boundary/candidates/candidateFeatures.js';
import type { Plane } from '../../../shared/boundary/window/gaussian.js';
import { logits } from '../../../shared/boundary/network/network.js';
import { segmentedWindow } from '../../../shared/boundary/predict/rankedCandidates.js';
import { normalised } from '../../../shared/boundary/window/normalise.js';
import { clearMask } from '../../../shared/boundary/window/chooseDates.js';
import { toPixel } from '../../../shared/geo/grid/grid.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { fixtureFloats, largestDifference, planesOf, shippedModel } from './fixtures.js';
import { aPlace, inputAt } from './syntheticFields.js';

const model = shippedModel();

/** The waves of export_mask.py. */
const waves = Array.from({ length: 7 }, (_, k): Plane => ({
  width: 32,
  height: 32,
  data: Float32Array.from({ length: 32 * 32 }, (__, at) => {
    const [row, column] = [Math.floor(at / 32), at % 32];
    return 0.25 + 0.75 * Math.sin(row * (0.11 + 0.07 * k) + column * (0.31 - 0.04 * k) + k);
  }),
}));

test('the mask network gives what PyTorch gave for the same weights and input, to 1e-4', () => {
  const [expected] = planesOf(fixtureFloats('mask-logits.bin'), 32, 32);
  const [found, ...others] = logits(model.mask, waves);
  expect(others).toEqual([]);
  expect(largestDifference(found!.data, expected!.data)).toBeLessThan(1e-4);
});

describe('the field that was asked for', () => {
  const place = aPlace({});
  const largest = place.fields.toSorted((a, b) => b.areaM2 - a.areaM2)[0]!;
  const { grid, scenes, point } = inputAt(place, largest);
  const dates = scenes.map((scene) => normalised({ scene, clear: clearMask(scene, grid), clearFraction: 1 }));
  const { evidence } = segmentedWindow({ grid, dates }, model, { views: 1 });
  const pixelAt = (): { row: number; column: number } => {
    const [column, row] = toPixel(grid, utmProjection(grid.epsg).toMap(point));
    return { row: Math.floor(row), column: Math.floor(column) };
  };
  const pixel = pixelAt();
  const field = askedField(model.mask, evidence.seen, pixel)!;

  test('is told as a probability in the window, high at the point of a large field', () => {
    expect(field).toMatchObject({ width: grid.width, height: grid.height });
    expect(field.data.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(field.data[pixel.row * grid.width + pixel.column]).toBeGreaterThan(0.9);
  });

  test('is a mask that covers that field', () => {
    const mask = askedMask(field, pixel)!;
    expect((mask.size * 100) / largest.areaM2).toBeGreaterThan(0.8);
    expect((mask.size * 100) / largest.areaM2).toBeLessThan(1.25);
  });

  test('can be asked for wherever the point is, the window’s corners included', () => {
    const place_ = fc.integer({ min: 0, max: grid.width - 1 });
    fc.assert(
      fc.property(fc.constantFrom(0, grid.height - 1), place_, (row, column) => {
        const seen = askedField(model.mask, evidence.seen, { row, column })!;
        expect(seen.data.every((value) => value >= 0 && value <= 1)).toBe(true);
        const isFar = (k: number): boolean =>
          Math.abs(Math.floor(k / grid.width) - row) > 64 || Math.abs((k % grid.width) - column) > 64;
        expect(seen.data.every((value, k) => !isFar(k) || value === 0)).toBe(true);
      }),
      { numRuns: 3 },
    );
  });

  test('is unknown where the boundary network has not looked', () => {
    expect(askedField(model.mask, [], pixel)).toBeUndefined();
  });
});

describe('the mask of an answer', () => {
  const answerOf = (inside: (row: number, column: number) => boolean): Plane => ({
    width: 20,
    height: 20,
    data: Float32Array.from({ length: 400 }, (_, k) => (inside(Math.floor(k / 20), k % 20) ? 0.8 : 0.2)),
  });

  test('is the part that holds the asked pixel', () => {
    const twoParts = answerOf((row, column) => row > 2 && row < 10 && (column < 8 || column > 12));
    expect(askedMask(twoParts, { row: 5, column: 3 })!.size).toBe(7 * 8);
  });

  test.each([
    { why: 'the asked pixel lies outside', pixel: { row: 15, column: 15 }, rows: 10 },
    { why: 'it has fewer than 20 pixels', pixel: { row: 0, column: 0 }, rows: 1 },
  ])('is none where $why', ({ pixel, rows }) => {
    expect(
      askedMask(
        answerOf((row, column) => row < rows && column < 10),
        pixel,
      ),
    ).toBeUndefined();
  });
});

describe('how well a mask fits the answer', () => {
  const mask = { top: 1, left: 1, size: 4, bitmap: { width: 2, height: 2, data: Uint8Array.of(1, 1, 1, 1) } };

  test('is its soft overlap, the mean inside and the share of the answer inside', () => {
    const data = new Float32Array(16);
    data.set([0.5, 1], 5);
    data.set([1, 0.5], 9);
    data[15] = 1;
    expect(askedFeatures(mask, { width: 4, height: 4, data })).toEqual([3 / (4 + 4 - 3), 3 / 4, 3 / 4]);
  });
});
