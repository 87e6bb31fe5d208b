import { describe, expect, test } from '@jest/globals';
import type { Interest } from '../../../shared/imagery/interest/interest.js';
import { slicesOf } from '../../../shared/imagery/units/slices.js';

const fieldsNamed = (...names: readonly string[]): Interest['fields'] =>
  names.map((fieldId) => ({ fieldId, geometryHash: fieldId, bbox: [13, 48, 13.01, 48.01] }));

const entryOf = (customer: string, fields: Interest['fields'], more: Partial<Interest> = {}): Interest => ({
  tile: '33UUP',
  cell: 7,
  customer,
  enrollmentId: 'e',
  part: 0,
  layers: ['ndvi'],
  firstDate: '2026-04-01',
  lastDate: '2026-10-31',
  bbox: [13, 48, 13.01, 48.01],
  fields,
  ...more,
});

describe('the slices of a unit', () => {
  test('are of one customer each, the one with the fewest fields first', () => {
    const slices = slicesOf([
      entryOf('large', fieldsNamed('a', 'b')),
      entryOf('large', fieldsNamed('c'), { part: 1 }),
      entryOf('middle', fieldsNamed('a', 'b')),
      entryOf('small', fieldsNamed('a')),
    ]);
    expect(slices.map(({ key, fields }) => [key, fields.length])).toEqual([
      ['small|e|0|0', 1],
      ['middle|e|0|0', 2],
      ['large|e|0|0', 2],
      ['large|e|1|0', 1],
    ]);
  });

  test('hold a field that several enrollments of a customer monitor once, and again in another shape', () => {
    const [again] = fieldsNamed('a');
    const slices = slicesOf([
      entryOf('c', fieldsNamed('a', 'b')),
      entryOf('c', [...fieldsNamed('b', 'd'), { ...again!, geometryHash: 'other' }], { enrollmentId: 'f' }),
      entryOf('c', fieldsNamed('d'), { enrollmentId: 'g' }),
    ]);
    expect(slices.map(({ fields }) => fields.map(({ geometryHash }) => geometryHash))).toEqual([
      ['a', 'b'],
      ['d', 'other'],
    ]);
  });

  test('hold four million pixels at most, a single larger field aside', () => {
    // 0.1° × 0.1° at 48° north are 745 × 1,114 pixels.
    const large = (fieldId: string): Interest['fields'][number] => ({
      fieldId,
      geometryHash: fieldId,
      bbox: [13, 48, 13.1, 48.1],
    });
    const slices = slicesOf([entryOf('c', ['a', 'b', 'c', 'd', 'e'].map(large))]);
    expect(slices.map(({ key, fields }) => [key, fields.length])).toEqual([
      ['c|e|0|0', 4],
      ['c|e|0|1', 1],
    ]);
    const [huge] = slicesOf([entryOf('c', [{ fieldId: 'x', geometryHash: 'x', bbox: [13, 48, 14, 49] }])]);
    expect(huge?.fields).toHaveLength(1);
  });
});
