import { describe, expect, test } from '@jest/globals';
import { parseSchedule } from '../../../infra/local/functionsHost/schedule.js';

const after = new Date('2026-05-01T12:00:30Z');

describe('the schedule of a timer', () => {
  test.each([
    { text: '0 * * * * *', next: '2026-05-01T12:01:00.000Z', why: 'every minute, six fields' },
    { text: '*/5 * * * *', next: '2026-05-01T12:05:00.000Z', why: 'every five minutes, five fields' },
    { text: '0 20 3 * * *', next: '2026-05-02T03:20:00.000Z', why: 'a time of the day is UTC' },
    { text: '0 0 0 13 * 5', next: '2026-11-13T00:00:00.000Z', why: 'both day fields must fit: Friday the 13th' },
    { text: '00:00:10', next: '2026-05-01T12:00:40.000Z', why: 'a time span' },
  ])('$text: $why', ({ text, next }) => {
    expect(parseSchedule(text)(after)?.toISOString()).toBe(next);
  });

  test.each(['', 'soon', '* * * *', '0 0 0 1 1 * 2030'])('"%s" is refused', (text) => {
    expect(() => parseSchedule(text)).toThrow();
  });
});
