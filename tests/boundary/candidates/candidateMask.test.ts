import { describe, expect, test } from '@jest/globals';
import { candidateFeatures, featureNames } from '../../../shared/boundary/candidates/candidateFeatures.js';
import {
  cleaned,
  isSameMask,
  maskIou,
  sharedPixels,
  tightened,
  touchesEdge,
  type CandidateMask,
} from '../../../shared/boundary/candidates/candidateMask.js';
import type { ClearScene } from '../../../shared/boundary/window/chooseDates.js';
import type { Plane } from '../../../shared/boundary/window/gaussian.js';
import { farmlandFraction } from '../../../shared/boundary/predict/landCover.js';

const window = { width: 20, height: 16 };

type Part = readonly [row: number, column: number, height: number, width: number];

/** Rectangles of pixels as a mask of the whole window. */
function maskOf(...parts: readonly Part[]): CandidateMask {
  const data = new Uint8Array(window.width * window.height);
  for (const [row, column, height, width] of parts)
    for (let y = row; y < row + height; y += 1)
      data.fill(1, y * window.width + column, y * window.width + column + width);
  const size = data.reduce((sum, value) => sum + value, 0);
  return { top: 0, left: 0, bitmap: { ...window, data }, size };
}
const tight = (...parts: readonly Part[]): CandidateMask => tightened(maskOf(...parts), window);
/** The pixels of the window that a mask holds, as `row column`. */
const pixelsOf = ({ top, left, bitmap: { width, data } }: CandidateMask): string[] =>
  [...data].flatMap((value, k) => (value === 1 ? [`${top + Math.floor(k / width)} ${left + (k % width)}`] : []));

describe('the smallest part of a window that holds a mask', () => {
  test.each([
    { why: 'has four free pixels on each side', part: [6, 8, 2, 3], expected: [2, 4, 10, 11] },
    { why: 'has fewer at the upper left edge', part: [1, 2, 2, 3], expected: [0, 0, 7, 9] },
    { why: 'has fewer at the lower right edge', part: [13, 15, 2, 3], expected: [9, 11, 7, 9] },
    { why: 'has none where the mask touches them', part: [0, 0, 16, 20], expected: [0, 0, 16, 20] },
  ] as const)('$why', ({ part, expected: [top, left, height, width] }) => {
    const mask = tight(part);
    expect(mask).toMatchObject({ top, left, bitmap: { height, width }, size: part[2] * part[3] });
    expect(pixelsOf(mask)).toEqual(pixelsOf(maskOf(part)));
  });

  test('of a part is that of the window', () => {
    const loose: CandidateMask = { ...tight([6, 8, 2, 3]) };
    expect(tightened(loose, window)).toEqual(loose);
  });
});

describe('two masks', () => {
  const [block, same, lower, wider, apart] = [
    tight([6, 8, 3, 4]),
    tight([6, 8, 3, 4]),
    tight([7, 8, 3, 4]),
    tight([6, 8, 3, 5]),
    tight([12, 1, 3, 4]),
  ];

  test('are the same when they hold the same pixels', () => {
    expect(isSameMask(block, same)).toBe(true);
    for (const other of [lower, wider, apart, tight([6, 9, 3, 4])]) expect(isSameMask(block, other)).toBe(false);
    // As many pixels in the same part, but others.
    const [one, two] = [tight([6, 6, 1, 1], [8, 8, 1, 1]), tight([6, 8, 1, 1], [8, 6, 1, 1])];
    expect([one.top, one.left, one.size]).toEqual([two.top, two.left, two.size]);
    expect(isSameMask(one, two)).toBe(false);
  });

  test.each([
    { why: 'all of the same', other: same, shared: 12, iou: 1 },
    { why: 'two of three rows of one a row below', other: lower, shared: 8, iou: 8 / 16 },
    { why: 'all of one that is wider', other: wider, shared: 12, iou: 12 / 15 },
    { why: 'none of one elsewhere', other: apart, shared: 0, iou: 0 },
  ])('share $why', ({ other, shared, iou }) => {
    expect([sharedPixels(block, other), sharedPixels(other, block)]).toEqual([shared, shared]);
    expect([maskIou(block, other), maskIou(other, block)]).toEqual([iou, iou]);
  });

  test.each([
    { where: 'first row', part: [0, 8, 2, 2], touches: true },
    { where: 'first column', part: [6, 0, 2, 2], touches: true },
    { where: 'last row', part: [14, 8, 2, 2], touches: true },
    { where: 'last column', part: [6, 18, 2, 2], touches: true },
    { where: 'next to them', part: [1, 1, 14, 18], touches: false },
  ] as const)('touch the window’s edge or do not: in the $where: $touches', ({ part, touches }) => {
    expect(touchesEdge(tight(part), window)).toBe(touches);
  });
});

describe('a cleaned mask', () => {
  const at = (row: number, column: number) => ({ row, column });

  test('of more than 60 pixels has lost what is narrower than three; of fewer it is kept', () => {
    const thread = [5, 14, 1, 5] as const;
    const large = cleaned(tight([3, 4, 7, 10], thread), at(5, 6), window);
    expect(pixelsOf(large)).toEqual(pixelsOf(maskOf([3, 4, 7, 10])));
    // 56 and 4 are 60.
    const small = tight([3, 6, 7, 8], [5, 14, 1, 4]);
    expect(small.size).toBe(60);
    expect(pixelsOf(cleaned(small, at(5, 6), window))).toEqual(pixelsOf(small));
  });

  test('keeps the thread that the point lies in', () => {
    const mask = tight([3, 4, 7, 10], [5, 14, 1, 5]);
    expect(pixelsOf(cleaned(mask, at(5, 17), window))).toEqual(pixelsOf(mask));
  });

  test('is the part with the point: corners do not connect', () => {
    const mask = tight([2, 2, 4, 4], [6, 6, 4, 4]);
    expect(pixelsOf(cleaned(mask, at(7, 7), window))).toEqual(pixelsOf(maskOf([6, 6, 4, 4])));
  });

  test('has no holes', () => {
    const ring = tight([4, 4, 1, 5], [8, 4, 1, 5], [5, 4, 3, 1], [5, 8, 3, 1]);
    const whole = cleaned(ring, at(4, 4), window);
    expect(whole.size).toBe(25);
    expect(pixelsOf(whole)).toEqual(pixelsOf(maskOf([4, 4, 5, 5])));
  });

  test('keeps its corners at the window’s edge', () => {
    const corner = tight([0, 0, 8, 10]);
    expect(pixelsOf(cleaned(corner, at(2, 2), window))).toEqual(pixelsOf(corner));
  });
});

describe('the share of farmland in a mask', () => {
  const scene = (scl: (k: number) => number, clear: (k: number) => number = () => 1): ClearScene => {
    const length = window.width * window.height;
    return {
      scene: { date: 'd', sceneIds: ['s'], bands: {}, scl: Uint8Array.from({ length }, (_, k) => scl(k)) },
      clear: { ...window, data: Uint8Array.from({ length }, (_, k) => clear(k)) },
    } as unknown as ClearScene;
  };
  const mask = tight([6, 8, 2, 4]);
  const pixel = { row: 6, column: 8 };
  const inFirstRow = (k: number): boolean => Math.floor(k / window.width) === 6;

  test.each([
    { why: 'vegetation', scenes: [scene(() => 4)], share: 1 },
    { why: 'bare ground', scenes: [scene(() => 5)], share: 1 },
    { why: 'water', scenes: [scene(() => 6)], share: 0 },
    { why: 'what says nothing', scenes: [scene(() => 7)], share: 1 },
    { why: 'half water', scenes: [scene((k) => (inFirstRow(k) ? 4 : 6))], share: 0.5 },
    { why: 'a pond at the point itself', scenes: [scene((k) => (k === 6 * 20 + 8 ? 6 : 4))], share: 0 },
    { why: 'water beside it', scenes: [scene((k) => (k % 20 < 8 || k % 20 > 11 ? 6 : 4))], share: 1 },
    {
      why: 'water under a cloud',
      scenes: [
        scene(
          (k) => (inFirstRow(k) ? 4 : 6),
          (k) => (inFirstRow(k) ? 1 : 0),
        ),
      ],
      share: 1,
    },
    { why: 'water on one of two days', scenes: [scene(() => 4), scene(() => 6)], share: 0.5 },
  ])('is $share where there is $why', ({ scenes, share }) => {
    expect(farmlandFraction(mask, { scenes, pixel })).toBe(share);
  });
});

describe('what the ranker sees of a candidate', () => {
  const planeOf = (value: (row: number, column: number) => number): Plane => ({
    ...window,
    data: Float32Array.from({ length: window.width * window.height }, (_, k) =>
      value(Math.floor(k / window.width), k % window.width),
    ),
  });
  const isIn = (row: number, column: number, margin = 0): boolean =>
    row >= 5 - margin && row <= 10 + margin && column >= 6 - margin && column <= 11 + margin;
  const field = tight([5, 6, 6, 6]);
  /** Edges of 0.8 on the outermost pixels of the field; a field of 3 in surroundings of 5. */
  const evidence = {
    edges: planeOf((row, column) => (isIn(row, column) && !isIn(row, column, -1) ? 0.8 : 0)),
    channels: [planeOf((row, column) => (isIn(row, column) ? 3 : 5))],
    hasNir: true,
    point: { row: 7, column: 8 },
  };
  const rowsOf = (masks: readonly CandidateMask[], changes: Partial<typeof evidence> = {}) =>
    candidateFeatures(
      masks.map((mask) => ({ mask, persistence: 2 })),
      { ...evidence, ...changes },
    ).map((row) => Object.fromEntries(featureNames.map((name, k) => [name, row[k]!])));
  const close = (features: Record<string, number> | undefined, expected: Record<string, number>): void => {
    for (const [name, value] of Object.entries(expected))
      expect([name, features?.[name]]).toEqual([name, expect.closeTo(value, 5)]);
  };

  test('of a square of 36 pixels, alone in the window', () => {
    const [features] = rowsOf([field]);
    close(features, {
      log_area: Math.log(36),
      // 24 pixel sides.
      compactness: (1.6 * 4 * Math.PI * 36) / 24 ** 2,
      // The hull of the centres has 25, its contour 20 points.
      solidity: 36 / (25 + 10 + 1),
      rectangularity: 1,
      edge_mean: 0.8,
      edge_p20: 0.8,
      edge_strong_share: 1,
      // Within its outermost pixels there is no edge and no change.
      inner_edge_mean: 0,
      inner_edge_p90: 0,
      inner_edge_p95: 0,
      inner_std: 0,
      contrast: 2,
      contrast_share: 1,
      edge_ratio: 0.8 / 0.05,
      touches_window: 0,
      // Three steps of 0.955 from the outside, in radii of a circle of 36.
      seed_depth: (3 * 0.955) / Math.sqrt(36 / Math.PI),
      log_persistence: Math.log(2),
      has_nir: 1,
      support: 0,
      agreement_share: 0,
      nested_above: 0,
      nested_below: 0,
      vertices: 4,
    });
  });

  test.each([
    { edge: 0.59, share: 0 },
    { edge: 0.61, share: 1 },
  ])('calls edges above 0.6 strong: $edge: $share', ({ edge, share }) => {
    const edges = planeOf((row, column) => (isIn(row, column) && !isIn(row, column, -1) ? edge : 0));
    close(rowsOf([field], { edges })[0], { edge_strong_share: share, edge_mean: edge });
  });

  test('looks for its edges two pixels within, where enough is left of it', () => {
    // 12 by 10 pixels: without two rows 8 by 6, with an edge through the middle of it.
    const wide = tight([3, 4, 10, 12]);
    const edges = planeOf((_row, column) => (column === 9 ? 1 : 0));
    // Three quarters of that have a 3, the others a 5.
    close(rowsOf([wide], { edges })[0], { inner_edge_mean: 1 / 8, inner_edge_p90: 1, inner_std: Math.sqrt(3) / 2 });
  });

  test('knows the window’s edge, four pixels away, and bands of near infrared', () => {
    for (const part of [
      [4, 8, 6, 6],
      [5, 4, 6, 6],
      [6, 8, 6, 6],
      [5, 10, 6, 6],
    ] as const)
      close(rowsOf([tight(part)])[0], { touches_window: 1 });
    close(rowsOf([field], { hasNir: false })[0], { has_nir: 0 });
  });

  test('knows how the candidates bear each other out', () => {
    const larger = tight([4, 5, 8, 8]);
    const [inner, outer] = rowsOf([field, larger]);
    const iou = 36 / 64;
    close(inner, { support: iou, agreement_share: 0, nested_above: iou, nested_below: 0 });
    close(outer, { support: iou, agreement_share: 0, nested_above: 0, nested_below: iou });
    // 54 of 60 pixels: nine tenths, and nested.
    const [ten, nine] = rowsOf([tight([4, 5, 6, 10]), tight([4, 5, 6, 9])]);
    close(ten, { support: 0.9, agreement_share: 1, nested_above: 0, nested_below: 0.9 });
    close(nine, { support: 0.9, agreement_share: 1, nested_above: 0.9, nested_below: 0 });
  });
});
