import { describe, expect, test } from '@jest/globals';
import { corrected, elevationCorrectionC } from '../../shared/weather/elevation.js';

describe('the correction for height, 6.5 °C per km', () => {
  test.each([
    { why: 'the cell lies a kilometre above the field', cellM: 1200, fieldM: 200, correctionC: 6.5 },
    { why: 'the cell lies 200 m below the field', cellM: 100, fieldM: 300, correctionC: -1.3 },
    { why: '100 m are within the uncertainty', cellM: 300, fieldM: 200, correctionC: 0 },
    { why: 'more than 100 m are not', cellM: 301, fieldM: 200, correctionC: 0.6565 },
    { why: 'the height of the field is not known', cellM: 1200, fieldM: undefined, correctionC: 0 },
    { why: 'the height of the cell is not known', cellM: undefined, fieldM: 200, correctionC: 0 },
  ])('is $correctionC °C when $why', ({ cellM, fieldM, correctionC }) => {
    expect(elevationCorrectionC(cellM, fieldM)).toBeCloseTo(correctionC, 12);
  });

  test('is added to both temperatures', () => {
    expect(corrected({ date: '2026-05-01', minC: 4, maxC: 16 }, 1.5)).toEqual({
      date: '2026-05-01',
      minC: 5.5,
      maxC: 17.5,
    });
  });
});
