import { describe, expect, test } from '@jest/globals';
import { countDays, dayAtOffset, dayInZone, daysOf } from '../../../shared/gdd/weather/fieldDays.js';

describe('spans of days', () => {
  test('hold both ends', () => {
    const span = { from: '2024-02-28', to: '2024-03-01' };
    expect(daysOf(span)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect(countDays(span)).toBe(3);
  });

  test('are empty when they end before they begin', () => {
    expect(daysOf({ from: '2024-03-02', to: '2024-03-01' })).toEqual([]);
  });
});

describe('the day it is at a place', () => {
  const instant = Date.parse('2026-03-08T07:30:00Z');
  test.each([
    { zone: 'America/Los_Angeles', day: '2026-03-07' },
    { zone: 'America/Chicago', day: '2026-03-08' },
    { zone: 'Pacific/Kiritimati', day: '2026-03-08' },
  ])('is $day in $zone', ({ zone, day }) => {
    expect(dayInZone(instant, zone)).toBe(day);
  });

  test('follows daylight saving time, which a fixed offset does not', () => {
    const winter = Date.parse('2026-01-15T05:30:00Z');
    const summer = Date.parse('2026-07-15T05:30:00Z');
    expect(dayInZone(winter, 'America/Chicago')).toBe('2026-01-14');
    expect(dayInZone(summer, 'America/Chicago')).toBe('2026-07-15');
    expect(dayAtOffset(summer, -6 * 3600)).toBe('2026-07-14');
  });

  test('is not known in a zone nobody knows', () => {
    expect(dayInZone(instant, 'Mars/Olympus')).toBeUndefined();
  });
});
