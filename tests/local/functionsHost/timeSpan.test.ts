import { describe, expect, test } from '@jest/globals';
import { parseTimeSpan } from '../../../infra/local/functionsHost/timeSpan.js';

describe('a .NET TimeSpan text', () => {
  test.each([
    { text: '00:00:02', expected: 2_000 },
    { text: '00:30', expected: 30 * 60_000 },
    { text: '1.02:03:04', expected: ((26 * 60 + 3) * 60 + 4) * 1000 },
    { text: '00:00:00.25', expected: 250 },
    { text: '10675199.00:00:00', expected: 10_675_199 * 86_400_000 },
  ])('$text is $expected ms', ({ text, expected }) => {
    expect(parseTimeSpan(text)).toBe(expected);
  });

  test.each(['', '2', '24:00:00', '00:60:00', '00:00:60', '-00:00:01', '1:2:3:4', '0 */5 * * * *'])(
    '"%s" is none',
    (text) => {
      expect(parseTimeSpan(text)).toBeUndefined();
    },
  );
});
