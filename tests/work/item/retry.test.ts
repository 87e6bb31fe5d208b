import { describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { failureOf, isExhausted, nextTry, type Failure, type RetryPolicies } from '../../../shared/work/item/retry.js';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const HOUR_MS = 3_600_000;
const pace = { initialMs: 1_000, coefficient: 2, maximumMs: 60_000 };
const retry: RetryPolicies = {
  fault: { ...pace, maximumAttempts: 3 },
  outage: { ...pace, maximumElapsedMs: HOUR_MS },
  refusal: { ...pace, maximumAttempts: 2, maximumMs: 4_000 },
};
const tryAgain = (
  item: Parameters<typeof nextTry>[0],
  failureClass: Failure['failureClass'],
  { now = NOW, ...others }: Partial<Failure> & { readonly now?: number } = {},
) => nextTry(item, { failureClass, reason: 'because', ...others }, { retry, now, random: 1 });

describe('after a failed attempt', () => {
  test.each([
    { attempts: 1, pauseMs: 1_000 },
    { attempts: 2, pauseMs: 2_000 },
    { attempts: 3, pauseMs: undefined },
    { attempts: 4, pauseMs: undefined },
  ])('a fault after $attempts attempts pauses $pauseMs ms', ({ attempts, pauseMs }) => {
    expect(tryAgain({ attempts, failures: {} }, 'fault')?.pauseMs).toBe(pauseMs);
  });

  test('an outage is waited for as long as it may last, whatever the attempts', () => {
    const since = NOW - HOUR_MS;
    const failures = { outage: { count: 9, since } };
    expect(tryAgain({ attempts: 99, failures }, 'outage', { now: NOW - 60_000 })).toEqual({
      failures: { outage: { count: 10, since } },
      pauseMs: 60_000,
    });
    expect(tryAgain({ attempts: 1, failures }, 'outage')).toBeUndefined();
  });

  test('the last try begins when the patience ends, and not a pause later', () => {
    const failures = { outage: { count: 9, since: NOW - HOUR_MS + 5_000 } };
    expect(tryAgain({ attempts: 1, failures }, 'outage')?.pauseMs).toBe(5_000);
    expect(tryAgain({ attempts: 1, failures }, 'outage', { retryAfterSeconds: 600 })?.pauseMs).toBe(5_000);
  });

  test('refusals by another one are counted anew: the former has answered meanwhile', () => {
    const since = NOW - HOUR_MS;
    const failures = { outage: { count: 9, since, by: 'the weather services' } };
    expect(tryAgain({ attempts: 1, failures }, 'outage', { by: 'the weather services' })).toBeUndefined();
    expect(tryAgain({ attempts: 1, failures }, 'outage', { by: 'the data manager' })).toEqual({
      failures: { outage: { count: 1, since: NOW, by: 'the data manager' } },
      pauseMs: 1_000,
    });
    expect(tryAgain({ attempts: 1, failures }, 'outage')?.failures).toEqual({ outage: { count: 1, since: NOW } });
  });

  test('no try begins behind the end that a failure names, whoever refuses', () => {
    const failures = { outage: { count: 9, since: NOW - 1, by: 'the weather services' } };
    const refused = (until: number) => tryAgain({ attempts: 1, failures }, 'outage', { by: 'another', until })?.pauseMs;
    expect([refused(NOW + 400), refused(NOW + 1_000), refused(NOW)]).toEqual([400, 1_000, undefined]);
  });

  test('a failure of another class is the first in a row', () => {
    const since = NOW - 1;
    const failures = { outage: { count: 9, since } };
    expect(tryAgain({ attempts: 1, failures }, 'refusal')).toEqual({
      failures: { refusal: { count: 1, since: NOW } },
      pauseMs: 1_000,
    });
    expect(tryAgain({ attempts: 1, failures: { refusal: { count: 1, since } } }, 'refusal')).toBeUndefined();
  });

  test('what would not change by trying again is given up at once', () => {
    expect(tryAgain({ attempts: 1, failures: {} }, 'final')).toBeUndefined();
  });

  test('a pause that was asked for is kept, up to a quarter of an hour', () => {
    expect(tryAgain({ attempts: 1, failures: {} }, 'outage', { retryAfterSeconds: 120 })?.pauseMs).toBe(120_000);
    expect(tryAgain({ attempts: 1, failures: {} }, 'outage', { retryAfterSeconds: 86_400 })?.pauseMs).toBe(900_000);
  });
});

test.each([
  { attempts: 5, exhausted: false },
  { attempts: 6, exhausted: true },
])('an item with $attempts attempts begun has none left: $exhausted', ({ attempts, exhausted }) => {
  expect(isExhausted({ attempts }, retry)).toBe(exhausted);
});

test('storage that is away is an outage, any other error a fault of ours', () => {
  expect(failureOf(new ServiceError(commonFaults.unavailable, 'Away.', { retryAfterSeconds: 7 }))).toEqual({
    failureClass: 'outage',
    reason: 'Away.',
    retryAfterSeconds: 7,
  });
  expect(failureOf(new ServiceError(commonFaults.unauthorized, 'No.'))).toMatchObject({ failureClass: 'fault' });
  expect(failureOf(new Error('Broken.'))).toEqual({ failureClass: 'fault', reason: 'Broken.' });
  expect(failureOf('thrown')).toMatchObject({ failureClass: 'fault' });
});
