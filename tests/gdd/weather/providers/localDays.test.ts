import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ForecastStep } from '../../../../shared/gdd/weather/weatherSource.js';
import { localDays, withNewerSteps } from '../../../../shared/gdd/weather/providers/localDays.js';

const hour = 3_600_000;
const midnight = Date.parse('2026-07-20T00:00:00Z');

/** Hourly steps from an hour after midnight UTC on: colder by night, 10 to 20 °C. */
const hourly = (first: number, count: number): ForecastStep[] =>
  Array.from({ length: count }, (_, index) => {
    const at = midnight + (first + index) * hour;
    return { at, temperatureC: 15 - 5 * Math.cos((2 * Math.PI * (first + index - 3)) / 24) };
  });

/** Six-hourly steps with extremes, as later days have them. */
const sixHourly = (first: number, count: number): ForecastStep[] =>
  Array.from({ length: count }, (_, index) => ({
    at: midnight + (first + 6 * index) * hour,
    temperatureC: 15,
    nextSixHours: { minC: 11, maxC: 19 },
  }));

describe('days out of hourly steps', () => {
  test('have the lowest and the highest of them, from midnight to midnight', () => {
    const days = localDays(hourly(0, 49), 0);
    expect(days.map(({ date }) => date)).toEqual(['2026-07-20', '2026-07-21']);
    expect(days[0]!.minC).toBeCloseTo(10, 9);
    expect(days[0]!.maxC).toBeCloseTo(20, 9);
  });

  test('are those of the field’s midnight', () => {
    expect(localDays(hourly(0, 49), 5 * 3600).map(({ date }) => date)).toEqual(['2026-07-21']);
    expect(localDays(hourly(0, 49), -5 * 3600).map(({ date }) => date)).toEqual(['2026-07-20']);
  });

  test('are absent when they have begun before the first step: part of a day is no day', () => {
    expect(localDays(hourly(1, 24), 0)).toEqual([]);
    expect(localDays(hourly(0, 24), 0)).toEqual([]);
  });

  test('are absent with a hole of two hours inside', () => {
    const steps = hourly(0, 25).filter(({ at }) => at !== midnight + 12 * hour);
    expect(localDays(steps, 0)).toEqual([]);
  });
});

describe('days of which the hours at both ends are missing', () => {
  test.each([
    { from: 3, to: 21, why: 'six hours are missing: as many as a window across midnight hides', days: 1 },
    { from: 4, to: 21, why: 'seven hours are missing', days: 0 },
    { from: 5, to: 19, why: 'ten hours are missing', days: 0 },
  ])('from $from to $to o’clock: $why', ({ from, to, days }) => {
    const within = hourly(from, to - from + 1);
    const steps = [...hourly(0, 1).map((step) => ({ ...step, at: step.at - hour })), ...within, ...hourly(25, 1)];
    expect(localDays(steps, 0)).toHaveLength(days);
  });
});

describe('days out of six-hourly steps', () => {
  test('count the windows inside them', () => {
    expect(localDays(sixHourly(0, 5), 0)).toEqual([{ date: '2026-07-20', minC: 11, maxC: 19 }]);
  });

  test('leave out the window across midnight: two hours at one end, four at the other are not covered', () => {
    const steps = sixHourly(0, 9).map((step, index) =>
      index === 3 || index === 7 ? { ...step, nextSixHours: { minC: -40, maxC: 40 } } : step,
    );
    // 22:00 UTC to 22:00 UTC: the windows at 18:00 cross it.
    expect(localDays(steps, 2 * 3600)).toEqual([{ date: '2026-07-21', minC: 11, maxC: 19 }]);
  });

  test.each([0, 1, 3])('are absent when window %i inside them has no extremes', (without) => {
    const steps = sixHourly(0, 5).map((step, index): ForecastStep =>
      index === without ? { at: step.at, temperatureC: 15 } : step,
    );
    expect(localDays(steps, 0)).toEqual([]);
  });

  test('never leave the range of what was told, wherever the field lies', () => {
    fc.assert(
      fc.property(fc.integer({ min: -12 * 3600, max: 14 * 3600 }), (offset) => {
        for (const { minC, maxC } of localDays([...hourly(0, 55), ...sixHourly(60, 20)], offset)) {
          expect(minC).toBeGreaterThanOrEqual(10 - 1e-9);
          expect(maxC).toBeLessThanOrEqual(20 + 1e-9);
          expect(maxC).toBeGreaterThan(minC);
        }
      }),
    );
  });
});

describe('the log of forecasts', () => {
  test('keeps what lies before a newer answer, for ten days', () => {
    const older = hourly(-300, 310);
    const log = withNewerSteps(older, hourly(2, 30));
    expect(log[0]!.at).toBe(midnight + (2 - 240) * hour);
    expect(log.filter(({ at }) => at === midnight + 5 * hour)).toHaveLength(1);
    expect(localDays(log, 0).at(-1)?.date).toBe('2026-07-20');
  });
});
