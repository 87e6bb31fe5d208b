import { describe, expect, test } from '@jest/globals';
import { retryDelayMs } from '../../shared/kit/retryDelay.js';

describe('the pause before the next attempt', () => {
  test.each([
    { attempt: 1, least: 7_500, most: 15_000 },
    { attempt: 2, least: 30_000, most: 60_000 },
    { attempt: 3, least: 120_000, most: 240_000 },
    { attempt: 4, least: 450_000, most: 900_000 },
    { attempt: 9, least: 450_000, most: 900_000 },
  ])('after attempt $attempt lies between $least and $most ms', ({ attempt, least, most }) => {
    expect(retryDelayMs(attempt, 0)).toBe(least);
    expect(retryDelayMs(attempt, 1)).toBe(most);
  });

  test('lets five attempts outlive an outage of ten minutes, however the dice fall', () => {
    const shortest = [1, 2, 3, 4].reduce((sum, attempt) => sum + retryDelayMs(attempt, 0), 0);
    expect(shortest).toBeGreaterThan(600_000);
  });
});
