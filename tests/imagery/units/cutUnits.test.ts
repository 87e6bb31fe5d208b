import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { InterestSummary } from '../../../shared/imagery/interest/interest.js';
import { cutUnits, MOST_UNIT_FIELDS, MOST_UNIT_PIXELS } from '../../../shared/imagery/units/cutUnits.js';

const entryOf = (key: string, fields: number, pixels: number): InterestSummary => ({
  key,
  cell: Number(key.slice(0, 2)),
  firstDate: '2026-04-01',
  lastDate: '2026-10-31',
  bbox: [13, 48, 13.2, 48.1],
  fields,
  pixels,
});

const entries = fc.uniqueArray(
  fc
    .tuple(
      fc.integer({ min: 0, max: 35 }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 3_000_000 }),
    )
    .map(([cell, customer, fields, pixels]) =>
      entryOf([String(cell).padStart(2, '0'), `c${customer}`, 'e', '00'].join('|'), fields, pixels),
    ),
  { selector: ({ key }) => key, maxLength: 200 },
);

describe('the units of a tile on a day', () => {
  test('hold each entry exactly once, of one cell, and no more than one worker bears', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const units = cutUnits(all);
        const held = units.map((unit) => all.filter(({ key }) => key >= unit.from && key <= unit.to));
        expect(held.flat().length).toBe(all.length);
        expect(new Set(held.flat()).size).toBe(all.length);
        for (const [index, { cell, fields }] of units.entries()) {
          const inUnit = held[index] ?? [];
          expect(new Set(inUnit.map((entry) => entry.cell))).toEqual(new Set([cell]));
          expect(inUnit.reduce((sum, entry) => sum + entry.fields, 0)).toBe(fields);
          expect(fields).toBeLessThanOrEqual(MOST_UNIT_FIELDS);
          expect(inUnit.reduce((sum, entry) => sum + entry.pixels, 0)).toBeLessThanOrEqual(MOST_UNIT_PIXELS);
        }
        expect(new Set(units.map(({ cell, part }) => `${cell} ${part}`)).size).toBe(units.length);
      }),
      { numRuns: 60 },
    );
  });

  test('are the same in whatever order the entries come', () => {
    fc.assert(
      fc.property(entries, (all) => {
        expect(cutUnits(all.toReversed())).toEqual(cutUnits(all));
      }),
      { numRuns: 20 },
    );
  });

  test('are as few as the limits allow: a cell of 2,050 fields is two', () => {
    const all = Array.from({ length: 41 }, (_, index) => entryOf(`07|c${100 + index}|e|00`, 50, 1));
    expect(cutUnits(all).map(({ part, fields }) => [part, fields])).toEqual([
      ['0', 2_000],
      ['1', 50],
    ]);
  });

  test('hold an entry that is too large by itself', () => {
    const all = [entryOf('07|a|e|00', 1, 1), entryOf('07|b|e|00', 1, 20_000_000), entryOf('07|c|e|00', 1, 1)];
    expect(cutUnits(all).map(({ from, to }) => [from, to])).toEqual(all.map(({ key }) => [key, key]));
  });
});
