import { describe, expect, test } from '@jest/globals';
import { fifthsOf, gainsOf, refusalOf } from '../../../tools/boundary-model/calibration.js';
import type { HeldOutPoint, HeldOutScene } from '../../../tools/boundary-model/calibration.js';
import { fittedLine } from '../../../tools/boundary-model/leastSquares.js';

const aPoint = (point: Partial<HeldOutPoint> = {}): HeldOutPoint => ({
  dates: 1,
  hasNir: true,
  areaHa: 3,
  score: 0.7,
  judge: 'usual',
  fieldProbability: 1,
  iou: 0.7,
  ...point,
});
const aScene = (seed: number, ...points: readonly HeldOutPoint[]): HeldOutScene => ({ seed, roughness: 1, points });

/** Scenes of one to three dates, with near infrared and without, whose overlap follows from the score exactly. */
const scenes = Array.from({ length: 24 }, (_, seed) => {
  const [dates, hasNir] = [1 + (seed % 3), seed % 2 === 0];
  const gain = [0, 0, 0.03, 0.02][dates]! + (hasNir ? 0.01 : 0);
  const points = [0.3, 0.5, 0.8].map((score) => aPoint({ dates, hasNir, score, iou: 0.1 + 0.8 * score + gain }));
  return aScene(seed, ...points, aPoint({ areaHa: 0, iou: 0, score: 0.9 }));
});

describe('the numbers that rows are multiplied by', () => {
  test('are found again where the values follow from them', () => {
    const rows = [
      [1, 2, 0],
      [1, -1, 3],
      [1, 5, 1],
      [1, 0, 2],
    ];
    const values = rows.map(([one, two, three]) => 0.5 * one! - 2 * two! + 3 * three!);
    fittedLine(rows, values).forEach((number, k) => {
      expect(number).toBeCloseTo([0.5, -2, 3][k]!, 9);
    });
  });

  test('are means where rows are alike', () => {
    expect(fittedLine([[1], [1], [1]], [1, 2, 6])).toEqual([3]);
  });
});

describe('the calibration on held-out scenes', () => {
  test('tells slope and gains of the fields, not of points outside', () => {
    const gains = gainsOf(scenes);
    expect(gains.map(({ name }) => name)).toEqual([
      'slope over the score',
      'two dates',
      'three dates',
      'near infrared',
    ]);
    gains.forEach(({ value, range: [low, high] }, k) => {
      const expected = [0.8, 0.03, 0.02, 0.01][k]!;
      for (const found of [value, low, high]) expect(found).toBeCloseTo(expected, 6);
    });
  });

  test('ranges are wider where scenes differ', () => {
    const differing = scenes.map((scene) => ({
      ...scene,
      points: scene.points.map((point) => ({
        ...point,
        iou: point.iou + (scene.seed % 5 === 0 ? 0.3 * point.score : 0),
      })),
    }));
    const [slope] = gainsOf(differing);
    expect(slope!.range[1] - slope!.range[0]).toBeGreaterThan(0.001);
  });

  test('compares what the confidence promises with what came, by fifths of the fields', () => {
    const points = [0.5, 0.6, 0.7, 0.8, 0.9].map((score) => aPoint({ score, iou: 0.5 }));
    const lines = fifthsOf([aScene(1, ...points, aPoint({ areaHa: 0, score: 0.1, iou: 0 }))]);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe('promised .555 came .500 (-0.055)');
  });

  test('a point is refused for a low confidence or a low field probability', () => {
    const fields = [aPoint({ score: 0.3, iou: 0.2 }), aPoint({ fieldProbability: 0.9, iou: 0.6 }), aPoint(), aPoint()];
    const outside = [aPoint({ areaHa: 0, fieldProbability: 0.1 }), aPoint({ areaHa: 0 })];
    const refused = refusalOf([aScene(1, ...fields), aScene(2, ...outside)], {
      confidence: 0.45,
      fieldProbability: 0.95,
    });
    expect(refused).toEqual({ outside: 0.5, inFields: 0.5, lostIou: 0.4 });
  });
});
