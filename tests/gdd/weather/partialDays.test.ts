import { describe, expect, test } from '@jest/globals';
import { contradicts, wholeDays } from '../../../shared/gdd/weather/partialDays.js';

const today = '2026-06-15';
const day = (date: string, minC = 10, maxC = 20) => ({ date, minC, maxC });
const datesOf = (days: readonly { readonly date: string }[]): string[] => days.map(({ date }) => date);

describe('whole days of an archive’s answer', () => {
  test.each([
    { why: 'one hour is left of it', maxC: 10, isWhole: false },
    { why: 'a few hours are left of it', maxC: 10.2, isWhole: false },
    { why: 'even days are 0.5 °C wide', maxC: 10.5, isWhole: true },
  ])('a day of 10 to $maxC °C is one: $isWhole, for $why', ({ maxC, isWhole }) => {
    const days = [day('2020-01-01', 10, maxC), day('2020-01-02')];
    expect(wholeDays(days, { today, newestIsPartial: true })).toHaveLength(isWhole ? 2 : 1);
  });

  test.each([
    { newest: '2026-06-09', kept: false, why: 'it may have its first hours only' },
    { newest: '2026-06-06', kept: false, why: 'nine days are too young' },
    { newest: '2026-06-05', kept: true, why: 'ten days are old enough' },
  ])('the newest of them, $newest, stays: $kept; $why', ({ newest, kept }) => {
    const days = [day('2026-06-01'), day(newest)];
    expect(datesOf(wholeDays(days, { today, newestIsPartial: true }))).toEqual(
      kept ? ['2026-06-01', newest] : ['2026-06-01'],
    );
  });

  test('the newest stays where a source tells whole days alone', () => {
    expect(wholeDays([day('2026-06-13')], { today, newestIsPartial: false })).toHaveLength(1);
  });
});

describe('a day of the archive and what the forecast interface says of it', () => {
  test.each([
    { expected: day(today, 10, 28), isContradicted: false },
    { expected: day(today, 10, 28.1), isContradicted: true },
    { expected: day(today, 18.1, 20), isContradicted: true },
    { expected: undefined, isContradicted: false },
  ])('10 to 20 °C against $expected: contradicted $isContradicted', ({ expected, isContradicted }) => {
    expect(contradicts(day(today), expected)).toBe(isContradicted);
  });
});
