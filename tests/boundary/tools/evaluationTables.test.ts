import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  areaTablesOf,
  costOf,
  differenceTablesOf,
  setsOf,
  tableOf,
} from '../../../tools/boundary-model/evaluationTables.js';
import { appendResults, readResults, type MeasuredSeed } from '../../../tools/boundary-model/measuredSeeds.js';
import { interleaved } from '../../../tools/boundary-model/measuringThreads.js';

const aSeed = (seed: Partial<MeasuredSeed> = {}): MeasuredSeed => ({
  area: 'here',
  dates: 1,
  method: 'network',
  field: '1',
  seed: 0,
  areaHa: 3,
  iou: 0.8,
  bestIou: 0.9,
  confidence: 0.7,
  isEmpty: false,
  refused: false,
  ...seed,
});
const refusedSeed = aSeed({ seed: 1, iou: 0.4, confidence: 0.3, refused: true });

describe('the tables of an evaluation', () => {
  test('of one area have both counts and the refusals', () => {
    const table = tableOf([aSeed(), refusedSeed]);
    expect(table.slice(0, 3)).toEqual([
      'here, 1 date(s), network',
      '  all          n    2  mean .600  median .600  >.5/.7/.8 .500 .500 .000  ',
      '  refused as 0 n    2  mean .400  median .400  >.5/.7/.8 .500 .500 .000',
    ]);
    expect(table.at(-1)).toBe('  refused 50.0 % of the seeds; mean IoU of those 0.40');
    expect(tableOf([])).toEqual([]);
  });

  test('of several areas end with all of them, each way to see them apart', () => {
    const lines = areaTablesOf([aSeed(), refusedSeed, aSeed({ area: 'there', iou: 0.6 }), aSeed({ dates: 3 })]);
    expect(lines.map((line) => line.slice(0, 32).trim())).toEqual([
      'areas, 1 date(s), network',
      'here',
      'there',
      'all areas',
      'areas, 3 date(s), network',
      'here',
    ]);
    expect(lines[3]).toMatch(/ 3 {4}\.333 {4}\.600 {2}\.600 {2}\.333 {4}\.467 {2}\.600 {2}\.333$/);
  });

  test('clouds cost what the seeds lose that are still seen', () => {
    const hidden = aSeed({ seed: 1, clouds: 0.3, iou: 0, isEmpty: true, refused: true });
    const [clouded, clear] = costOf([aSeed(), aSeed({ seed: 1 })], [aSeed({ clouds: 0.3, iou: 0.7 }), hidden]);
    expect(clouded).toContain('n    1  mean .700');
    expect(clear).toContain('n    1  mean .800');
    expect(setsOf([aSeed(), hidden, refusedSeed])).toEqual([[aSeed(), refusedSeed], [hidden]]);
  });

  test('of differences hold seeds against those that were seen the same way, or by the method named', () => {
    const results = [aSeed({ iou: 0.7 }), aSeed({ method: 'gradient', iou: 0.5 }), aSeed({ dates: 3, iou: 0 })];
    const meanAgainst = (method: 'gradient' | undefined): string[] =>
      differenceTablesOf([aSeed()], { name: 'other.jsonl', results, method }).map((line) => line.slice(0, 70));
    expect(meanAgainst(undefined)).toEqual(
      [
        'here, 1 date(s), network, against other.jsonl: 1 seeds of 1 fields, bet',
        '  as delivered    mean +.100 [+.100, +.100]  median +.100 [+.100, +.100]',
        '  refused as 0    mean +.100 [+.100, +.100]  median +.100 [+.100, +.100]',
        '  1–5 ha          mean +.100 [+.100, +.100]  median +.100 [+.100, +.100]',
      ].map((line) => line.slice(0, 70)),
    );
    expect(meanAgainst('gradient')[1]).toContain('mean +.300 [+.300, +.300]');
  });
});

describe('a file of results', () => {
  test('gives back what was added; of one seed the last line counts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'results-'));
    try {
      const file = join(folder, 'results.jsonl');
      appendResults(file, [aSeed({ iou: 0.1 }), refusedSeed]);
      appendResults(file, [aSeed(), aSeed({ dates: 3 })]);
      expect(readResults(file)).toEqual([aSeed(), refusedSeed, aSeed({ dates: 3 })]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('parts that threads have measured', () => {
  test.each([
    {
      why: 'as many each',
      parts: [
        ['a', 'c'],
        ['b', 'd'],
      ],
    },
    { why: 'one more in the first', parts: [['a', 'd'], ['b'], ['c']] },
  ])('come in the order of the seeds: $why', ({ parts }) => {
    expect(interleaved(parts).join('')).toBe('abcd');
  });
});
