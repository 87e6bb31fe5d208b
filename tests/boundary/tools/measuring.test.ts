import { describe, expect, test } from '@jest/globals';
import type { BoundaryScene } from '../../../shared/boundary/window/boundaryInput.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { withClouds } from '../../../tools/boundary-model/cloudMasks.js';
import { windowOf, type LabelledArea } from '../../../tools/boundary-model/labelledArea.js';
import { pointsOutsideFields, type SeedResult } from '../../../tools/boundary-model/measure.js';
import { distanceOutside, ringIou } from '../../../tools/boundary-model/ringOverlap.js';
import {
  bothCountsOf,
  calibrationOf,
  lossesOf,
  lowestFifthOf,
  medianOf,
  ofSize,
  refusedAsZero,
  summaryOf,
} from '../../../tools/boundary-model/statistics.js';

const square = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
] as const;
const moved = (x: number, y: number) => square.map(([px, py]) => [px + x, py + y] as const);
const aResult = (iou: number, confidence = iou, areaHa = 3): SeedResult => ({
  field: 'a',
  seed: 0,
  areaHa,
  iou,
  bestIou: iou,
  confidence,
  isEmpty: false,
  refused: confidence < 0.45,
});

describe('the overlap of two rings', () => {
  test.each([
    { why: 'itself', other: moved(0, 0), expected: 1 },
    { why: 'half of it moved away', other: moved(50, 0), expected: 1 / 3 },
    { why: 'a quarter shared', other: moved(50, 50), expected: 1 / 7 },
    { why: 'none shared', other: moved(200, 0), expected: 0 },
  ])('$why', ({ other, expected }) => {
    expect(ringIou(square, other)).toBeCloseTo(expected, 2);
  });

  test('nothing against nothing is 0', () => {
    expect(ringIou([], [])).toBe(0);
  });

  test('distance is positive outside and negative inside', () => {
    expect(distanceOutside(square, [130, 140])).toBeCloseTo(50, 9);
    expect(distanceOutside(square, [50, 10])).toBe(-10);
  });
});

describe('the tables', () => {
  test('a median of an even number of values lies between the middle two', () => {
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
    expect(medianOf([3, 1, 2])).toBe(2);
  });

  test('a summary counts shares above its limits', () => {
    expect(summaryOf([aResult(0.4), aResult(0.6), aResult(0.75), aResult(0.9)])).toBe(
      'n    4  mean .662  median .675  >.5/.7/.8 .750 .500 .250',
    );
  });

  test('a refused seed counts as it was drawn, and as 0 for those who get no polygon', () => {
    const results = [aResult(0.4), aResult(0.6), aResult(0.75), aResult(0.9)];
    expect(refusedAsZero(results).map(({ iou }) => iou)).toEqual([0, 0.6, 0.75, 0.9]);
    expect(bothCountsOf(results)).toBe('    4    .250    .662  .675  .500    .563  .675  .500');
  });

  test('the lowest fifth holds one of five values, and one of fewer', () => {
    expect(lowestFifthOf([0.9, 0.3, 0.8, 0.7, 0.6])).toBe(0.3);
    expect(lowestFifthOf([0.9, 0.3, 0.8, 0.7, 0.6, 0.5])).toBe(0.4);
    expect(lowestFifthOf([0.2])).toBe(0.2);
  });

  test('size classes hold their lower limit', () => {
    const results = [aResult(1, 1, 0.9), aResult(1, 1, 1), aResult(1, 1, 5)];
    expect(ofSize(results, [1, 5])).toEqual([results[1]]);
  });

  test('what was lost is told apart: no candidate, the choice, the outline', () => {
    const results = [
      { ...aResult(0.4), bestCandidateIou: 0.9 },
      { ...aResult(0.5), bestCandidateIou: 0.6 },
    ];
    expect(lossesOf(results)).toBe('lost .550  no candidate .200  choice .300  outline .050');
    expect(lossesOf([aResult(0.4)])).toBe('');
  });

  test('calibration compares fifths, the least confident first', () => {
    const results = [0.9, 0.1, 0.5, 0.3, 0.7].map((confidence) => aResult(confidence - 0.05, confidence));
    expect(calibrationOf(results)[0]).toBe('promised .100 came .050 (-0.050)');
    expect(calibrationOf(results)).toHaveLength(5);
  });
});

const projection = utmProjection(32632);
const grid = {
  epsg: 32632,
  originX: 500_000,
  originY: 5_400_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: 200,
  height: 150,
};
const scene: BoundaryScene = {
  date: '2025-06-01',
  sceneIds: ['a'],
  bands: { B04: Uint16Array.from({ length: 30_000 }, (_, k) => k + 1) },
};
const field = {
  id: '1',
  outline: moved(500_900, 5_399_200),
  areaHa: 1,
  seeds: [],
  isScored: true,
};
const area: LabelledArea = { name: 'here', grid, scenes: [scene], fields: [field] };

describe('windows of an area', () => {
  test('lie round the point, 256 pixels wide or less at the edge', () => {
    const { grid: window, scenes } = windowOf(area, projection.toPosition([500_505, 5_399_495]), 40);
    expect(window).toMatchObject({ originX: 500_300, originY: 5_399_700, width: 40, height: 40 });
    expect(scenes[0]!.bands.B04![0]).toBe(30 * 200 + 30 + 1);
    expect(scenes[0]!.bands.B04).toHaveLength(1600);
  });

  test('are cut at the edge of the area', () => {
    const { grid: window } = windowOf(area, projection.toPosition([500_005, 5_399_995]), 40);
    expect(window).toMatchObject({ originX: 500_000, originY: 5_400_000, width: 20, height: 20 });
  });
});

describe('points outside fields', () => {
  test('keep 20 m from every label and 400 m from the rim', () => {
    const points = pointsOutsideFields(area, 50).map((point) => projection.toMap(point));
    expect(points.length).toBeGreaterThan(10);
    for (const point of points) {
      expect(distanceOutside(field.outline, point)).toBeGreaterThanOrEqual(20 - 1e-6);
      expect(point[0]).toBeGreaterThanOrEqual(500_400 - 1e-6);
      expect(point[1]).toBeLessThanOrEqual(5_399_600 + 1e-6);
    }
  });
});

describe('clouds cut out of scenes', () => {
  test('are the same in every run and differ between dates', () => {
    const [first, second] = withClouds(grid, [scene, { ...scene, date: '2025-06-06' }], 0.5);
    expect(withClouds(grid, [scene], 0.5)[0]!.scl).toEqual(first!.scl);
    expect(first!.scl).not.toEqual(second!.scl);
  });

  test.each([0.1, 0.3, 0.6])('hide %d of every date', (fraction) => {
    for (const { scl } of withClouds(grid, [scene, { ...scene, date: '2025-06-06' }], fraction)) {
      expect(scl!.filter((value) => value === 9).length / scl!.length).toBeCloseTo(fraction, 2);
    }
  });
});
