import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cropModels } from '../../../shared/gdd/days/crops.js';
import { crops } from '../../../shared/gdd/days/crops.js';
import type { DegreeDayDefinition } from '../../../shared/gdd/days/degreeDays.js';
import { degreeDaysOf, limitsOf, nameOfDefinition } from '../../../shared/gdd/days/degreeDays.js';
import { celsiusOf, degreeDaysIn, roundHalfUp, temperatureIn } from '../../../shared/gdd/days/temperature.js';
import { doubleOf, sineArea, singleOf, triangleArea } from '../horizontalCutOff.js';

/** Degree-days of a day and limits given in °F, in °F·day. */
const inFahrenheit = (definition: DegreeDayDefinition, tmin: number, tmax: number): number =>
  degreeDaysIn('F', degreeDaysOf({ minC: celsiusOf(tmin), maxC: celsiusOf(tmax) }, limitsOf(definition)));

describe('McMaster & Wilhelm 1997, table 1 (doi 10.1016/S0168-1923(97)00027-0), °C, base 0, no upper limit', () => {
  test.each([
    { maxC: 20, minC: 10, average: 15, clip: 15 },
    { maxC: 10, minC: 1, average: 5.5, clip: 5.5 },
    { maxC: 8, minC: -2, average: 3, clip: 4 },
    { maxC: 6, minC: 0, average: 3, clip: 3 },
    { maxC: 10, minC: 5, average: 7.5, clip: 7.5 },
    { maxC: 5, minC: -5, average: 0, clip: 2.5 },
    { maxC: -2, minC: -7, average: 0, clip: 0 },
    { maxC: -5, minC: -10, average: 0, clip: 0 },
    { maxC: 10, minC: -2, average: 4, clip: 5 },
    { maxC: 15, minC: 2, average: 8.5, clip: 8.5 },
  ])('$minC to $maxC °C: AVERAGE $average, CLIP $clip', ({ minC, maxC, average, clip }) => {
    const limits = { lowerC: 0, upperC: Infinity };
    expect(degreeDaysOf({ minC, maxC }, { method: 'AVERAGE', ...limits })).toBe(average);
    expect(degreeDaysOf({ minC, maxC }, { method: 'CLIP', ...limits })).toBe(clip);
  });
});

describe('single days in °F, from libraries and extension pages', () => {
  const corn = { method: 'CLIP', lowerF: 50, upperF: 86 } as const;
  const average = (lowerF: number): DegreeDayDefinition => ({ method: 'AVERAGE', lowerF });
  test.each([
    { source: 'pyIEM tests', definition: corn, tmin: 50, tmax: 86, expected: 18 },
    { source: 'pyIEM tests', definition: corn, tmin: 49, tmax: 51, expected: 0.5 },
    { source: 'pyIEM tests', definition: corn, tmin: 40, tmax: 49, expected: 0 },
    { source: 'pyIEM tests (290 K and 5 °C)', definition: corn, tmin: 41, tmax: 62.33, expected: 6.165 },
    { source: 'pyIEM issue 1165: both temperatures are capped', definition: corn, tmin: 88, tmax: 92, expected: 36 },
    { source: 'UW Extension, 25 April 2018', definition: corn, tmin: 65, tmax: 90, expected: 25.5 },
    { source: 'UW Extension, 25 April 2018', definition: corn, tmin: 46, tmax: 72, expected: 11 },
    { source: 'UW Extension, 25 April 2018', definition: corn, tmin: 42, tmax: 63, expected: 6.5 },
    { source: 'OSU Extension, 12 June 2023', definition: corn, tmin: 63, tmax: 87, expected: 24.5 },
    { source: 'Iowa State Agron 541', definition: corn, tmin: 50, tmax: 70, expected: 10 },
    { source: 'darylritchison.com', definition: corn, tmin: 70, tmax: 90, expected: 28 },
    { source: 'darylritchison.com', definition: average(50), tmin: 70, tmax: 90, expected: 30 },
    { source: 'CPAN Temperature::Calculate::DegreeDays', definition: corn, tmin: 60, tmax: 80, expected: 20 },
    { source: 'mdairyconsulting.com', definition: average(50), tmin: 61, tmax: 83, expected: 22 },
    { source: 'WRCC cliGCStG note', definition: average(60), tmin: 51, tmax: 95, expected: 13 },
    { source: 'growing-degree-days-js tests', definition: average(40), tmin: 34, tmax: 60, expected: 7 },
    {
      source: 'Montana Mesonet page, sum derived from its formula',
      definition: { method: 'CLIP', lowerF: 35, upperF: 80 } as const,
      tmin: 32,
      tmax: 82,
      expected: 22.5,
    },
  ])('$source: $tmin to $tmax °F gives $expected', ({ definition, tmin, tmax, expected }) => {
    expect(inFahrenheit(definition, tmin, tmax)).toBeCloseTo(expected, 9);
  });
});

describe('single days in °C, from libraries and extension pages', () => {
  test.each([
    { source: 'RTGS-Lab tools tests', method: 'AVERAGE', limits: [8, 30], minC: 10, maxC: 20, expected: 7 },
    { source: 'RTGS-Lab tools tests', method: 'AVERAGE', limits: [8, 30], minC: 2, maxC: 6, expected: 0 },
    { source: 'RTGS-Lab tools tests', method: 'AVERAGE', limits: [8, 30], minC: 25, maxC: 35, expected: 22 },
    { source: 'RTGS-Lab tools tests', method: 'AVERAGE', limits: [8, 30], minC: 6, maxC: 10, expected: 0 },
    { source: 'RTGS-Lab tools tests', method: 'AVERAGE', limits: [8, 30], minC: 28, maxC: 32, expected: 22 },
    { source: 'RTGS-Lab tools tests', method: 'CLIP', limits: [8, 30], minC: 10, maxC: 20, expected: 7 },
    { source: 'RTGS-Lab tools tests', method: 'CLIP', limits: [8, 30], minC: 5, maxC: 20, expected: 6 },
    { source: 'RTGS-Lab tools tests', method: 'CLIP', limits: [8, 30], minC: 10, maxC: 35, expected: 12 },
    { source: 'RTGS-Lab tools tests', method: 'CLIP', limits: [8, 30], minC: 5, maxC: 35, expected: 11 },
    { source: 'RTGS-Lab tools tests', method: 'CLIP', limits: [8, 30], minC: 2, maxC: 6, expected: 0 },
    { source: 'growing-degree-days-js tests', method: 'AVERAGE', limits: [15], minC: 10, maxC: 20, expected: 0 },
    { source: 'growing-degree-days-js tests', method: 'AVERAGE', limits: [20], minC: 10, maxC: 20, expected: 0 },
    { source: 'growing-degree-days-js tests', method: 'AVERAGE', limits: [12], minC: 10, maxC: 20, expected: 3 },
    { source: 'SAGE atlas, Wisconsin', method: 'AVERAGE', limits: [10, 30], minC: 15, maxC: 21, expected: 8 },
    { source: 'SAGE atlas, Wisconsin', method: 'AVERAGE', limits: [5], minC: 15, maxC: 21, expected: 13 },
    { source: 'Canola Council, 22 May 2014', method: 'AVERAGE', limits: [0], minC: 10, maxC: 20, expected: 15 },
  ] as const)('$source, $method $limits: $minC to $maxC °C gives $expected', (row) => {
    const [lowerC, upperC = Infinity] = row.limits;
    expect(degreeDaysOf(row, { method: row.method, lowerC, upperC })).toBe(row.expected);
  });

  test.each([
    { minC: 11.0, maxC: 27.4, expected: 1.2 },
    { minC: 13.1, maxC: 29.5, expected: 3.3 },
    { minC: 11.0, maxC: 31.3, expected: 3.2 },
    { minC: 14.3, maxC: 33.1, expected: 5.7 },
    { minC: 14.3, maxC: 25.7, expected: 2.0 },
  ])(
    'official cooling degree-days of Calgary (ECCC, base 18 °C, mean rounded to 0.1 there): $expected',
    ({ minC, maxC, expected }) => {
      const gdd = degreeDaysOf({ minC, maxC }, { method: 'AVERAGE', lowerC: 18, upperC: Infinity });
      expect(Math.abs(gdd - expected)).toBeLessThanOrEqual(0.051);
    },
  );
});

/**
 * Independent check of our reading of the limits: the horizontal cut-off of the published integral methods uses the
 * same limits as CLIP, so on days that stay inside them all methods agree.
 */
describe('Zalom et al. 1983, table 7 (UC Leaflet 21373), °F, 55 to 90, horizontal cut-off', () => {
  const misprint = NaN; // double triangle of case 5, first day: 24.88 in print, 27.125 by the formula
  test.each([
    { tmin: 96, tmax: 110, next: 91, triangles: [35, 35], sines: [35, 35] },
    { tmin: 91, tmax: 105, next: 96, triangles: [35, 35], sines: [35, 35] },
    { tmin: 45, tmax: 54, next: 38, triangles: [0, 0], sines: [0, 0] },
    { tmin: 38, tmax: 50, next: 45, triangles: [0, 0], sines: [0, 0] },
    { tmin: 60, tmax: 80, next: 75, triangles: [15, 18.75], sines: [15, 18.75] },
    { tmin: 75, tmax: 88, next: 60, triangles: [26.5, 22.75], sines: [26.5, 22.75] },
    { tmin: 50, tmax: 82, next: 45, triangles: [11.39, 10.62], sines: [11.85, 11.31] },
    { tmin: 45, tmax: 70, next: 50, triangles: [4.5, 5.06], sines: [5.31, 5.7] },
    { tmin: 60, tmax: 100, next: 75, triangles: [23.75, misprint], sines: [22.82, 26.26] },
    { tmin: 75, tmax: 95, next: 60, triangles: [29.38, 25.76], sines: [28.91, 25.3] },
    { tmin: 50, tmax: 101, next: 48, triangles: [19.56, 19.19], sines: [18.95, 18.69] },
    { tmin: 48, tmax: 95, next: 50, triangles: [16.76, 17.13], sines: [16.96, 17.23] },
  ])('$tmin to $tmax, then $next °F', ({ tmin, tmax, next, triangles, sines }) => {
    const limits = { lower: 55, upper: 90 };
    const day = { tmin, tmax, next };
    const figures = [triangleArea, sineArea].flatMap((area) => [
      singleOf(area, day, limits),
      doubleOf(area, day, limits),
    ]);
    for (const [index, published] of [...triangles, ...sines].entries()) {
      if (!Number.isNaN(published)) expect(Math.abs(figures[index]! - published)).toBeLessThan(0.011);
    }
  });

  test('single sine without upper limit: 34 to 60 °F above 50 gives 2.749 (growing-degree-days-js tests)', () => {
    const gdd = singleOf(sineArea, { tmin: 34, tmax: 60, next: 34 }, { lower: 50, upper: 1000 });
    expect(gdd).toBeCloseTo(2.749, 3);
  });

  test('CLIP and the integral methods agree on days that stay inside the limits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 55, max: 90, noNaN: true }),
        fc.double({ min: 0, max: 35, noNaN: true }),
        (tmin, width) => {
          const tmax = Math.min(90, tmin + width);
          const day = { tmin, tmax, next: tmin };
          const clip = inFahrenheit({ method: 'CLIP', lowerF: 55, upperF: 90 }, tmin, tmax);
          expect(clip).toBeCloseTo(singleOf(triangleArea, day, { lower: 55, upper: 90 }), 6);
        },
      ),
    );
  });
});

describe('laws of degree-days, for every crop', () => {
  const temperature = fc.double({ min: -60, max: 60, noNaN: true });
  const day = fc.tuple(temperature, temperature).map(([a, b]) => ({ minC: Math.min(a, b), maxC: Math.max(a, b) }));

  test.each(crops)('%s: never negative, and never more than the upper limit allows', (crop) => {
    const limits = limitsOf(cropModels[crop]);
    fc.assert(
      fc.property(day, (temperatures) => {
        const gdd = degreeDaysOf(temperatures, limits);
        expect(gdd).toBeGreaterThanOrEqual(0);
        expect(gdd).toBeLessThanOrEqual(limits.upperC - limits.lowerC + 1e-12);
      }),
    );
  });

  test.each(crops)('%s: a warmer day never has less', (crop) => {
    const limits = limitsOf(cropModels[crop]);
    const rise = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(day, rise, rise, ({ minC, maxC }, low, high) => {
        const warmer = { minC: minC + Math.min(low, high), maxC: maxC + Math.max(low, high) };
        expect(degreeDaysOf(warmer, limits)).toBeGreaterThanOrEqual(degreeDaysOf({ minC, maxC }, limits) - 1e-12);
      }),
    );
  });

  test.each(crops)('%s: calculated in °F from °F the sum is 1.8 times that in °C', (crop) => {
    const { method, lowerF, upperF = Infinity } = cropModels[crop];
    fc.assert(
      fc.property(day, ({ minC, maxC }) => {
        const [low, high] = [temperatureIn('F', minC), temperatureIn('F', maxC)];
        const directly = degreeDaysOf({ minC: low, maxC: high }, { method, lowerC: lowerF, upperC: upperF });
        const converted = degreeDaysIn('F', degreeDaysOf({ minC, maxC }, limitsOf(cropModels[crop])));
        expect(Math.abs(directly - converted)).toBeLessThan(1e-9);
      }),
    );
  });

  test('CLIP is never below AVERAGE under the same limits while neither temperature is above the upper one', () => {
    fc.assert(
      fc.property(day, (temperatures) => {
        const limits = { lowerC: 5, upperC: Infinity };
        const clip = degreeDaysOf(temperatures, { method: 'CLIP', ...limits });
        expect(clip).toBeGreaterThanOrEqual(degreeDaysOf(temperatures, { method: 'AVERAGE', ...limits }) - 1e-12);
      }),
    );
  });
});

describe('limits', () => {
  test.each([
    { crop: 'CANOLA', inF: 'CLIP 41 °F', inC: 'CLIP 5 °C', lowerC: 5, upperC: Infinity },
    { crop: 'CORN', inF: 'CLIP 50/86 °F', inC: 'CLIP 10/30 °C', lowerC: 10, upperC: 30 },
    { crop: 'COTTON', inF: 'AVERAGE 60 °F', inC: 'AVERAGE 15.56 °C', lowerC: 140 / 9, upperC: Infinity },
    { crop: 'SUGAR_BEET', inF: 'CLIP 34/86 °F', inC: 'CLIP 1.11/30 °C', lowerC: 10 / 9, upperC: 30 },
    { crop: 'SOYBEAN', inF: 'CLIP 50/86 °F', inC: 'CLIP 10/30 °C', lowerC: 10, upperC: 30 },
    { crop: 'WINTER_WHEAT', inF: 'CLIP 32/95 °F', inC: 'CLIP 0/35 °C', lowerC: 0, upperC: 35 },
  ] as const)('$crop is $inF, which is $inC', ({ crop, inF, inC, lowerC, upperC }) => {
    expect(nameOfDefinition(cropModels[crop], 'F')).toBe(inF);
    expect(nameOfDefinition(cropModels[crop], 'C')).toBe(inC);
    expect(limitsOf(cropModels[crop])).toMatchObject({ lowerC, upperC });
  });
});

describe('rounding', () => {
  test.each([
    { value: 2.675, rounded: 2.68, why: 'half goes up although the binary number lies below' },
    { value: 1.005, rounded: 1.01, why: 'half goes up although the binary number lies below' },
    { value: 292.04999999999995, rounded: 292.05, why: 'noise of a long sum is none' },
    { value: 6.164999999, rounded: 6.16, why: 'what is below half goes down' },
    { value: -0.001, rounded: 0, why: 'no negative zero' },
    { value: -1.5051, rounded: -1.51, why: 'departures may be negative' },
  ])('$value becomes $rounded: $why', ({ value, rounded }) => {
    expect(roundHalfUp(value)).toBe(rounded);
  });
});
