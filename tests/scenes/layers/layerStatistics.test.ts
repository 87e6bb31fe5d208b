import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  percentile,
  sortedWhere,
  speakingPixels,
  bandStatistics,
} from '../../../shared/scenes/layers/layerStatistics.js';

describe('a percentile', () => {
  test.each([
    { why: 'between two ranks: 0.02 · 4 = 0.08 of the way from 10 to 20', fraction: 0.02, expected: 10.8 },
    { why: 'on a rank', fraction: 0.25, expected: 20 },
    { why: 'the median', fraction: 0.5, expected: 30 },
    { why: '0.98 · 4 = 3.92: from 40 to 100', fraction: 0.98, expected: 95.2 },
    { why: 'the largest', fraction: 1, expected: 100 },
  ])('of 10, 20, 30, 40, 100 at $fraction is $expected ($why)', ({ fraction, expected }) => {
    expect(percentile([10, 20, 30, 40, 100], fraction)).toBeCloseTo(expected, 12);
  });

  test('of one value is that value', () => {
    expect(percentile([7], 0.98)).toBe(7);
  });
});

describe('statistics of a band', () => {
  test('worked by hand for 2, 4, 4, 4, 5, 5, 7, 9', () => {
    const found = bandStatistics(Uint8Array.of(2, 4, 4, 4, 5, 5, 7, 9), [0, 10]);
    expect(found).toMatchObject({ min: 2, max: 9, mean: 5, std: 2, median: 4.5, count: 8, p25: 4, p75: 5.5 });
    expect(found.p2).toBeCloseTo(2.28, 12);
    expect(found.p98).toBeCloseTo(8.72, 12);
    expect(found.histogram.counts).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  test('both ends of the range are inside the histogram', () => {
    const { histogram } = bandStatistics(Float32Array.of(-1, 1), [-1, 1]);
    expect(histogram).toMatchObject({ min: -1, max: 1 });
    expect([histogram.counts[0], histogram.counts[19]]).toEqual([1, 1]);
  });

  test('every value is counted once and the numbers are in order', () => {
    const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, (list) => {
        const found = bandStatistics(Float32Array.from(list).sort(), [-1, 1]);
        const order = [found.min, found.p2, found.p25, found.median, found.p75, found.p98, found.max];
        expect(order).toEqual([...order].sort((a, b) => a - b));
        expect(found.histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(list.length);
      }),
    );
  });
});

describe('the pixels that speak for a field', () => {
  const full = (size: number): Uint8Array => new Uint8Array(size * size).fill(1);

  test('are the inner ones when 100 remain: 12 × 12 without its edge', () => {
    const speaking = speakingPixels(full(12), full(12), { width: 12, height: 12 });
    expect(speaking.reduce((sum, value) => sum + value, 0)).toBe(100);
    expect(speaking[0]).toBe(0);
  });

  test('are all valid ones when 99 would remain', () => {
    const valid = full(12);
    valid[13] = 0;
    expect(speakingPixels(full(12), valid, { width: 12, height: 12 })).toEqual(valid);
  });

  test('are valid in any case', () => {
    const valid = full(14);
    valid[14 * 7 + 7] = 0;
    const speaking = speakingPixels(full(14), valid, { width: 14, height: 14 });
    expect(speaking.reduce((sum, value) => sum + value, 0)).toBe(143);
    expect(
      sortedWhere(
        Float32Array.from({ length: 196 }, (_, index) => index),
        speaking,
      ),
    ).not.toContain(14 * 7 + 7);
  });
});

describe('the values of chosen pixels', () => {
  test('come in ascending order, bytes and floats alike', () => {
    const mask = Uint8Array.of(1, 0, 1, 1, 1);
    expect(sortedWhere(Uint8Array.of(200, 1, 7, 0, 7), mask)).toEqual(Uint8Array.of(0, 7, 7, 200));
    expect(sortedWhere(Float32Array.of(0.5, 9, -0.25, 0, 2), mask)).toEqual(Float32Array.of(-0.25, 0, 0.5, 2));
  });
});
