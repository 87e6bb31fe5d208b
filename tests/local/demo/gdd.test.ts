import { describe, expect, test } from '@jest/globals';
import { CROP_SEASONS, rowOf, type GddInsight } from '../../../infra/local/demo/gdd.js';
import { spanOf } from '../../../infra/local/demo/weatherCases.js';

const SUMS = { observedTotal: 900, provisionalTotal: 0, forecastTotal: 0, normalTotal: 0, total: 900 };

const aSeason = (given: Partial<GddInsight>): GddInsight => ({
  ...{ crop: 'CORN', ...SUMS, asOfDate: '2026-11-28', location: {}, uncertainty: { place: 20 } },
  ...{ warnings: [], stages: [{ code: 'R6', date: '2027-01-05', earliest: null, latest: null }] },
  ...given,
});

describe('a season in the table of the demo', () => {
  const next = (given: Partial<GddInsight>) => rowOf(aSeason(given)).slice(-2);

  test('tells the next stage and when', () => {
    expect(next({})).toEqual(['R6', '2027-01-05']);
  });

  test('that frost ended is shown as ended', () => {
    const rest = 'it ends the growth stages here; a stage beyond it is reached only if the crop survived.';
    const warnings = ['Another.', `A killing frost of −5.3 °C came on 2026-11-13: ${rest}`];
    const stages = [{ code: 'R6', date: null, earliest: null, latest: null }];
    expect(next({ warnings, stages })).toEqual(['ended by frost', '2026-11-13']);
  });

  test('is over before winter, but for what is sown in autumn', () => {
    const ends = Object.entries(CROP_SEASONS).map(([crop, season]) => [crop, spanOf(season, '2026-11-28').gddEndDate]);
    const late = ends.filter(([, last = '']) => last > '2026-11-28').map(([crop]) => crop);
    expect(late).toEqual(['WINTER_WHEAT']);
  });
});
