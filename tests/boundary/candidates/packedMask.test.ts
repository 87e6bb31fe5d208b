import { describe, expect, test } from '@jest/globals';
import { sharedPixels, type CandidateMask } from '../../../shared/boundary/candidates/candidateMask.js';
import { packedMask, sharedBits } from '../../../shared/boundary/candidates/packedMask.js';

type Part = readonly [top: number, left: number, height: number, width: number];

/** A part of a window whose pixels are inside where `isInside` says so. */
function maskOf([top, left, height, width]: Part, isInside: (k: number) => boolean): CandidateMask {
  const data = Uint8Array.from({ length: height * width }, (_, k) => (isInside(k) ? 1 : 0));
  return { top, left, bitmap: { width, height, data }, size: data.reduce((sum, value) => sum + value, 0) };
}

describe('the pixels that two packed masks share', () => {
  const speckled = maskOf([3, 5, 40, 100], (k) => (k * 7919) % 5 < 2);
  test.each([
    { why: 'lie in words that both parts begin with', part: [3, 5, 40, 100] },
    { why: 'lie in words that only one part begins with', part: [10, 70, 20, 90] },
    { why: 'fill whole words, the sign bit included', part: [0, 0, 60, 128] },
    { why: 'lie in one column', part: [20, 31, 4, 1] },
    { why: 'lie at the last column of a word and the first of the next', part: [20, 63, 4, 2] },
    { why: 'are none beside the part', part: [3, 110, 40, 30] },
    { why: 'are none below the part', part: [43, 5, 10, 100] },
  ] as const)('$why', ({ part }) => {
    const other = maskOf(part, (k) => k % 11 !== 3);
    expect(sharedBits(packedMask(speckled), packedMask(other))).toBe(sharedPixels(speckled, other));
    expect(sharedBits(packedMask(other), packedMask(speckled))).toBe(sharedPixels(speckled, other));
  });

  test('with the mask itself are all of its pixels', () => {
    expect(sharedBits(packedMask(speckled), packedMask(speckled))).toBe(speckled.size);
  });
});
