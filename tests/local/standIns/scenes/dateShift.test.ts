import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shiftedInto } from '../../../../infra/local/standIns/dataManager/scenes/dateShift.js';
import { addDays, dayOf, daysBetween } from '../../../../shared/kit/validation/calendar.js';

const shown = (dates: readonly string[], from: string, to: string): string[] =>
  shiftedInto(dates, from, to).map((scene) => scene.shown);

describe('days of real scenes moved into the asked period', () => {
  test.each([
    {
      why: 'days inside stay',
      dates: ['2021-06-03', '2021-06-08'],
      period: ['2021-06-01', '2021-06-14'],
      expected: ['2021-06-03', '2021-06-08'],
    },
    {
      why: 'earlier days move to its beginning, gaps kept',
      dates: ['2021-06-03', '2021-06-08', '2021-06-13'],
      period: ['2026-11-01', '2026-11-14'],
      expected: ['2026-11-01', '2026-11-06', '2026-11-11'],
    },
    {
      why: 'later days move to its end, gaps kept',
      dates: ['2021-06-03', '2021-06-08', '2021-06-13'],
      period: ['2020-01-01', '2020-01-14'],
      expected: ['2020-01-04', '2020-01-09', '2020-01-14'],
    },
    {
      why: 'all move together when one is outside',
      dates: ['2021-06-03', '2021-06-08'],
      period: ['2021-06-05', '2021-06-18'],
      expected: ['2021-06-05', '2021-06-10'],
    },
    {
      why: 'a span that is too long shrinks',
      dates: ['2021-05-01', '2021-06-01', '2021-07-01'],
      period: ['2026-06-01', '2026-06-14'],
      expected: ['2026-06-01', '2026-06-08', '2026-06-14'],
    },
    {
      why: 'more days than the period has lose the earliest',
      dates: ['2021-06-01', '2021-06-02', '2021-06-03'],
      period: ['2026-06-01', '2026-06-02'],
      expected: ['2026-06-01', '2026-06-02'],
    },
  ])('$why', ({ dates, period, expected }) => {
    expect(shown(dates, period[0]!, period[1]!)).toEqual(expected);
  });

  test('all lie in the period, each on a day of its own, in their order', () => {
    const days = fc.uniqueArray(fc.integer({ min: 18_000, max: 18_400 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 17_000, max: 19_500 }),
        fc.integer({ min: 0, max: 20 }),
        (numbers, start, n) => {
          const [from, to] = [dayOf(start), dayOf(start + n)];
          const result = shown([...numbers].sort((a, b) => a - b).map(dayOf), from, to);
          expect(new Set(result).size).toBe(result.length);
          expect([...result].sort()).toEqual(result);
          expect(result.every((day) => day >= from && day <= to)).toBe(true);
          expect(result).toHaveLength(Math.min(numbers.length, n + 1));
        },
      ),
    );
  });

  test('keep their gaps whenever they fit', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 0, maxLength: 4 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 17_000, max: 19_500 }), (steps, start) => {
        let date = '2021-06-03';
        const dates = [date, ...steps.map((step) => (date = addDays(date, step)))];
        const result = shown(dates, dayOf(start), dayOf(start + 14));
        const gapsOf = (days: readonly string[]): number[] => days.slice(1).map((day, k) => daysBetween(days[k]!, day));
        expect(gapsOf(result)).toEqual(steps);
      }),
    );
  });
});
