import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { dayAfterKey, filledPart, monthsBetween, timelinePlaces } from '../../console/charts/timelinePlaces.js';
import { linear, ticksOf } from '../../console/charts/scales.js';
import { dateOf, dayNumber, dayText } from '../../console/parts/dateText.js';
import { zipParts } from '../../console/parts/zip.js';
import { hrefOf, placeOf } from '../../console/router.js';

test('an archive holds what was put in, as another program unpacks it', () => {
  const files = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, unit: 'grapheme' }), fc.uint8Array()), {
    selector: ([name]) => name,
    maxLength: 5,
  });
  fc.assert(
    fc.property(files, (entries) => {
      const kept = entries.filter(([name]) => !name.includes('/') && name !== '__proto__');
      const parts = zipParts(kept.map(([name, data]) => ({ name, data })));
      const unpacked = unzipSync(Buffer.concat(parts));
      expect(Object.keys(unpacked).sort()).toEqual(kept.map(([name]) => name).sort());
      for (const [name, data] of kept) expect(Buffer.from(unpacked[name] ?? []).equals(Buffer.from(data))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

describe('the address of a place', () => {
  test('leads back to it, whatever the name of a field', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 3 }), (parts) => {
        expect(placeOf(hrefOf('fields', ...parts))).toEqual({ view: 'fields', parts });
      }),
    );
  });

  test.each(['', '#', '#/', '#local=abc', '#code=a&state=b'])('%j shows the fields', (fragment) => {
    expect(placeOf(fragment)).toEqual({ view: 'fields', parts: [] });
  });

  test.each([
    ['#/nowhere/x', 'nowhere'],
    ['#/%E0%A4%A', '%E0%A4%A'],
  ])('%s is none of a view, and says of which', (fragment, unknown) => {
    expect(placeOf(fragment)).toMatchObject({ parts: [], unknown });
  });

  test('a part that is no escape is taken as it stands', () => {
    expect(placeOf('#/fields/50%')).toEqual({ view: 'fields', parts: ['50%'] });
  });
});

describe('the places of days', () => {
  const dates = ['2026-05-28', '2026-06-01', '2026-06-06', '2026-07-16'];

  test('are as far apart as the days are', () => {
    const { x } = timelinePlaces(dates, 800);
    const places = dates.map((date) => x(dayNumber(date)));
    expect((places[3]! - places[2]!) / (places[2]! - places[1]!)).toBeCloseTo(8, 6);
    expect(Math.round(x.back(places[2]!))).toBe(dayNumber('2026-06-06'));
  });

  test('leave discs apart from each other, and a disc of one day in the drawing', () => {
    const { x, radius } = timelinePlaces(dates, 400);
    expect(2 * radius).toBeLessThan(x(dayNumber('2026-06-06')) - x(dayNumber('2026-06-01')));
    const alone = timelinePlaces(['2026-06-01'], 400);
    expect(alone.x(dayNumber('2026-06-01'))).toBeGreaterThan(0);
    expect(alone.x(dayNumber('2026-06-01'))).toBeLessThan(400);
  });

  test('have the first days of the months between, a new year included', () => {
    expect(monthsBetween(dayNumber('2025-11-02'), dayNumber('2026-02-01'))).toEqual([
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ]);
  });

  test('fill a disc from below to its share: half of it reaches its middle', () => {
    expect(filledPart([10, 20], 5, 0.5)).toBe('M5.00 20.00A5 5 0 0 0 15.00 20.00Z');
  });

  test.each([
    { key: 'ArrowLeft', at: 0, to: 0 },
    { key: 'ArrowRight', at: 1, to: 2 },
    { key: 'Home', at: 3, to: 0 },
    { key: 'End', at: 0, to: 3 },
    { key: 'a', at: 1, to: undefined },
    { key: 'toString', at: 1, to: undefined },
  ])('$key leads from $at to $to', ({ key, at, to }) => {
    expect(dayAfterKey(key, at, 4)).toBe(to);
  });
});

describe('scales', () => {
  test.each([
    { top: 1741, ticks: [0, 500, 1000, 1500, 2000] },
    { top: 0.83, ticks: [0, 0.25, 0.5, 0.75, 1] },
    { top: 2000, ticks: [0, 500, 1000, 1500, 2000] },
  ])('have round steps up to $top', ({ top, ticks }) => {
    expect(ticksOf(0, top, 4)).toEqual(ticks);
  });

  test('lead back to the value they came from', () => {
    expect(linear([0, 10], [100, 0]).back(linear([0, 10], [100, 0])(3))).toBeCloseTo(3, 12);
  });
});

test('a day is written as people say it, and counted back to itself', () => {
  expect(dayText('2026-07-06')).toBe('6 July 2026');
  expect(dateOf(dayNumber('2024-02-29'))).toBe('2024-02-29');
});
