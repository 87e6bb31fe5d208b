import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byArea, comparisonOf, differencesOf, pairsOf } from '../../../tools/boundary-model/comparison.js';
import type { Pair, PlacedResult } from '../../../tools/boundary-model/comparison.js';

const aResult = (result: Partial<PlacedResult> = {}): PlacedResult => ({
  area: 'here',
  field: '1',
  seed: 0,
  areaHa: 3,
  iou: 0.7,
  refused: false,
  ...result,
});
const aPair = (field: string, ours: number, theirs: number, area = 'here'): Pair => ({ area, field, ours, theirs });

/** Two seeds of each of as many fields as there are overlaps. */
const resultsOf = (ious: readonly number[], area = 'here'): PlacedResult[] =>
  ious.flatMap((iou, k) => [0, 1].map((seed) => aResult({ area, field: String(k), seed, iou })));

const overlaps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });

describe('differences between two answers to the same seeds', () => {
  test('are those of mean, median and lowest fifth, worked by hand', () => {
    const pairs = [aPair('1', 0.9, 0.8), aPair('2', 0.5, 0.6), aPair('3', 0.7, 0.1), aPair('4', 0.3, 0.4)];
    const [mean, median, lowestFifth] = differencesOf(pairs);
    expect(mean!.value).toBeCloseTo(0.6 - 0.475, 12);
    expect(median!.value).toBeCloseTo(0.6 - 0.5, 12);
    expect(lowestFifth!.value).toBeCloseTo(0.3 - 0.1, 12);
  });

  test('that are the same at every seed have no width, however much the seeds differ', () => {
    const [mean] = differencesOf([0.1, 0.4, 0.8].map((iou, k) => aPair(String(k), iou + 0.1, iou)));
    for (const value of [mean!.value, ...mean!.range]) expect(value).toBeCloseTo(0.1, 12);
  });

  test('of two fields lie between what each of them says', () => {
    const [mean] = differencesOf([aPair('1', 0.6, 0.5), aPair('2', 0.8, 0.5)]);
    expect(mean!.value).toBeCloseTo(0.2, 12);
    expect(mean!.range.map((end) => end.toFixed(6))).toEqual(['0.100000', '0.300000']);
  });

  test('of twenty fields have the interval of their standard error', () => {
    const pairs = Array.from({ length: 20 }, (_, k) => aPair(String(k), k % 2 === 0 ? 0.6 : 0.4, 0.5));
    const [mean] = differencesOf(pairs);
    const expected = (1.96 * 0.1) / Math.sqrt(20);
    // A mean of twenty differences of ±0.1 moves in steps of 0.01: one of them is allowed.
    expect(Math.abs(mean!.range[0] + expected)).toBeLessThan(0.01);
    expect(Math.abs(mean!.range[1] - expected)).toBeLessThan(0.01);
  });

  test('seeds of one field are drawn together', () => {
    const pairs = [aPair('1', 0.6, 0.5), aPair('1', 0.9, 0.5)];
    const [mean] = differencesOf(pairs);
    for (const end of mean!.range) expect(end).toBeCloseTo(0.25, 12);
  });

  test('fields of one number in two areas are two fields; areas can be drawn instead', () => {
    const pairs = [aPair('1', 0.6, 0.5, 'here'), aPair('1', 0.8, 0.5, 'there'), aPair('2', 0.8, 0.5, 'there')];
    expect(differencesOf(pairs)[0]!.range[0]).toBeCloseTo(0.1, 12);
    const one = pairs.filter(({ area }) => area === 'there');
    for (const end of differencesOf([...one, aPair('3', 0.5, 0.5, 'there')], byArea)[0]!.range) {
      expect(end).toBeCloseTo(0.2, 12);
    }
  });

  test('between identical results are exactly 0, from 0 to 0', () => {
    fc.assert(
      fc.property(overlaps, (ious) => {
        const results = resultsOf(ious);
        for (const { value, range } of differencesOf(pairsOf(results, results))) {
          expect([value, ...range]).toEqual([0, 0, 0]);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('are the same in every run', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), {
          minLength: 1,
          maxLength: 8,
        }),
        (drawn) => {
          const pairs = drawn.map(([ours, theirs], k) => aPair(String(k), ours, theirs));
          expect(differencesOf(pairs)).toEqual(differencesOf(pairs));
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('pairs', () => {
  test('are found by area, field and seed, whatever their order; what one side lacks is left out', () => {
    const ours = [aResult({ seed: 1, iou: 0.2 }), aResult({ area: 'there', iou: 0.3 }), aResult({ field: '2' })];
    const theirs = [aResult({ area: 'there', iou: 0.5 }), aResult({ seed: 1, iou: 0.6 }), aResult()];
    expect(pairsOf(ours, theirs)).toEqual([aPair('1', 0.2, 0.6), aPair('1', 0.3, 0.5, 'there')]);
  });

  test('take the value that is asked for, where both sides have it', () => {
    const ours = [aResult({ bestCandidateIou: 0.9 }), aResult({ seed: 1 })];
    const theirs = [aResult({ bestCandidateIou: 0.8 }), aResult({ seed: 1, bestCandidateIou: 0.8 })];
    expect(pairsOf(ours, theirs, ({ bestCandidateIou }) => bestCandidateIou)).toEqual([aPair('1', 0.9, 0.8)]);
  });
});

describe('a comparison', () => {
  test('tells both counts: a refused seed as delivered and as 0', () => {
    const ours = [aResult({ iou: 0.5, refused: true })];
    const theirs = [aResult({ iou: 0.4 })];
    expect(comparisonOf(ours, theirs)).toEqual([
      '1 seeds of 1 fields, better at 100 %, worse at 0 %',
      'as delivered    mean +.100 [+.100, +.100]  median +.100 [+.100, +.100]  lowest fifth +.100 [+.100, +.100]',
      'refused as 0    mean −.400 [−.400, −.400]  median −.400 [−.400, −.400]  lowest fifth −.400 [−.400, −.400]',
      '1–5 ha          mean +.100 [+.100, +.100]  median +.100 [+.100, +.100]  lowest fifth +.100 [+.100, +.100]',
    ]);
  });

  test('resamples areas from five of them on', () => {
    const from = (areas: number): PlacedResult[] =>
      Array.from({ length: areas }, (_, k) => resultsOf([0.5, 0.6], String(k))).flat();
    const titles = (areas: number): string[] =>
      comparisonOf(from(areas), from(areas)).map((line) => line.slice(0, 16).trim());
    expect(titles(4)).not.toContain('by area');
    expect(titles(5).filter((title) => title.includes('by area'))).toHaveLength(2);
  });

  test('has a line of the best candidate where every seed has one', () => {
    const titlesOf = (...results: readonly PlacedResult[]): string[] =>
      comparisonOf(results, results).map((line) => line.slice(0, 14));
    const known = aResult({ bestCandidateIou: 0.9 });
    expect(titlesOf(known)).toContain('best candidate');
    expect(titlesOf(known, aResult({ seed: 1 }))).not.toContain('best candidate');
  });

  test('of results that share no seed says so', () => {
    expect(comparisonOf([aResult()], [])).toEqual(['0 seeds of 0 fields, better at 0 %, worse at 0 %']);
  });
});
