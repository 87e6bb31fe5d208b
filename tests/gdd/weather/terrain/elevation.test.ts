import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { corrected, heightCorrection } from '../../../../shared/gdd/weather/terrain/elevation.js';

describe('the correction for height: 6.5 °C per km by day, 4.5 by night', () => {
  test.each([
    { why: 'the cell lies a kilometre above the field', cellM: 1200, fieldM: 200, maxC: 6.5, minC: 4.5 },
    { why: 'the cell lies 200 m below the field', cellM: 100, fieldM: 300, maxC: -1.3, minC: -0.9 },
    { why: '100 m are as much as any others', cellM: 300, fieldM: 200, maxC: 0.65, minC: 0.45 },
    { why: 'the heights are the same', cellM: 200, fieldM: 200, maxC: 0, minC: 0 },
    { why: 'the height of the field is not known', cellM: 1200, fieldM: undefined, maxC: 0, minC: 0 },
    { why: 'the height of the cell is not known', cellM: undefined, fieldM: 200, maxC: 0, minC: 0 },
  ])('is $maxC and $minC °C when $why', ({ cellM, fieldM, maxC, minC }) => {
    const correction = heightCorrection(cellM, fieldM);
    expect(correction.maxC).toBeCloseTo(maxC, 12);
    expect(correction.minC).toBeCloseTo(minC, 12);
  });

  test('has no jump anywhere: a metre more is worth 6.5 thousandths', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 3000 }), (cellM) => {
        const step = heightCorrection(cellM + 1, 0).maxC - heightCorrection(cellM, 0).maxC;
        expect(step).toBeCloseTo(0.0065, 9);
      }),
    );
  });

  test('is added to both temperatures, and no night becomes as warm as its day', () => {
    const day = { date: '2026-05-01', minC: 4, maxC: 16 };
    expect(corrected(day, { maxC: 1.5, minC: 1 })).toEqual({ date: '2026-05-01', minC: 5, maxC: 17.5 });
    const narrow = corrected({ minC: 4, maxC: 6 }, heightCorrection(0, 2000));
    expect(narrow.maxC).toBeCloseTo(-7, 12);
    expect(narrow.minC).toBeCloseTo(-7.1, 12);
  });
});
