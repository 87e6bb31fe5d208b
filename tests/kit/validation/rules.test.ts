import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  addYears,
  monthDayOf,
  dayNumber,
  dayOf,
  daysBetween,
  isDay,
  latestToday,
} from '../../../shared/kit/validation/calendar.js';
import { gddDateFaults } from '../../../shared/gdd/form/gddRules.js';

describe('calendar days', () => {
  test.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2024-02-29', true],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['0000-01-01', true],
    ['2026-05-01T00:00:00Z', false],
    [20260501, false],
  ])('%j exists: %j', (text, exists) => {
    expect(isDay(text)).toBe(exists);
  });

  test('keep their number through text and back', () => {
    fc.assert(fc.property(fc.integer({ min: -20_000, max: 60_000 }), (number) => dayNumber(dayOf(number)) === number));
  });

  test('lie as far apart as they were moved', () => {
    const day = fc.integer({ min: 0, max: 40_000 }).map(dayOf);
    fc.assert(
      fc.property(day, fc.integer({ min: -1000, max: 1000 }), (from, n) => daysBetween(from, addDays(from, n)) === n),
    );
  });

  test('a year after 29 February is 28 February', () => {
    expect(addYears('2024-02-29', 1)).toBe('2025-02-28');
    expect(addYears('2026-05-01', 1)).toBe('2027-05-01');
  });

  test('29 February has the month and day of the 28th, which every year has', () => {
    expect(['2024-02-28', '2024-02-29', '2024-03-01'].map(monthDayOf)).toEqual(['02-28', '02-28', '03-01']);
  });

  test('today has begun at UTC+14 ten hours before UTC midnight', () => {
    expect(latestToday(new Date('2026-05-01T09:59:59Z'))).toBe('2026-05-01');
    expect(latestToday(new Date('2026-05-01T10:00:00Z'))).toBe('2026-05-02');
  });
});

describe('the dates of a GDD job', () => {
  const now = new Date('2026-06-15T12:00:00Z');
  const faultsOf = (gddStartDate: unknown, gddEndDate: unknown): string[] =>
    gddDateFaults({ partnerRequestBody: { gddStartDate, gddEndDate } }, now).map(({ msg }) => msg);

  test.each([
    ['one day', '2026-05-01', '2026-05-01'],
    ['400 days', '2025-01-01', '2026-02-04'],
    ['the earliest start', '1950-01-01', '1950-06-01'],
    ['a start one year ahead', '2027-06-16', '2027-09-01'],
    ['dates the schema refuses', '2026-02-30', 7],
  ])('%s is taken', (_what, start, end) => {
    expect(faultsOf(start, end)).toEqual([]);
  });

  test.each([
    ['an end before the start', '2026-05-02', '2026-05-01', /gddEndDate is before gddStartDate/],
    ['401 days', '2025-01-01', '2026-02-05', /period of 401 days; at most 400/],
    ['a start before 1950', '1949-12-31', '1950-01-01', /before 1950-01-01/],
    ['a start more than a year ahead', '2027-06-17', '2027-07-01', /more than one year ahead; 2027-06-16/],
  ])('%s is refused', (_what, start, end, message) => {
    expect(faultsOf(start, end).join(' ')).toMatch(message);
  });

  test('a body that is no object is the business of the schema', () => {
    for (const body of [null, 7, 'x', [], {}]) expect(gddDateFaults(body, now)).toEqual([]);
  });
});
