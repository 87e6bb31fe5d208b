import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IndexDay } from '../../console/api/fields.js';
import type { DayOnMap, FieldMap } from '../../console/map/mapScene.js';
import { knownDays } from '../../console/views/fields/dayState.js';
import { useDrawing } from '../../console/views/fields/useDrawing.js';
import { useRetry } from '../../console/views/fields/useRetry.js';
import { useStretch } from '../../console/views/fields/useSpread.js';
import { runHook } from './hookRun.js';

const aDay = (date: string, p2: number, p98: number): IndexDay => ({
  date,
  outcome: 'done',
  reason: null,
  clear_percent: 90,
  layers: ['ndvi'],
  scenes: [],
  statistics: { ndvi: { mean: 0.5, p2, p50: 0.5, p98 } },
});

describe('colours stretched to a field', () => {
  const known = knownDays([aDay('2026-07-01', 0.25, 0.5), aDay('2026-07-16', 0.5, 0.75), aDay('2026-07-21', 0.5, 0.5)]);
  const stretchOn = (date: string) =>
    useStretch(true, { field: undefined, date, layer: 'ndvi', compared: undefined }, known);

  test('have the range of a day with its first drawing, and the same object while it is the same', () => {
    const run = runHook(stretchOn, '2026-07-01');
    for (const date of ['2026-07-16', '2026-07-16', '2026-07-21']) run.draw(date);
    run.end();
    expect(run.values).toEqual([[0.25, 0.5], [0.5, 0.75], [0.5, 0.75], undefined]);
    expect(run.values[2]).toBe(run.values[1]);
  });
});

describe('a day on the map', () => {
  const [first, second]: readonly DayOnMap[] = ['ndvi', 'vegetation'].map(
    (layer) => ({ layer, fields: new Map() }) as DayOnMap,
  );
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** A map that settles what it was asked to show when it is asked for something else, as its store does. */
  function aMap() {
    const own = { settle: (): void => undefined };
    const show = (): Promise<void> => {
      own.settle();
      return new Promise((resolve) => (own.settle = resolve));
    };
    return { own, map: { show } as unknown as FieldMap };
  }

  function drawing() {
    const { own, map } = aMap();
    const onDrawn = jest.fn();
    const run = runHook(
      (shown: DayOnMap | undefined) =>
        useDrawing(map, { shown, left: undefined }, { nextDays: () => () => [], onDrawn }),
      first,
    );
    return { own, onDrawn, run, drawn: run.values[0]! };
  }

  test('is drawn when its own pictures are there, not when another day takes its place', async () => {
    const { own, onDrawn, run, drawn } = drawing();
    run.draw(second);
    await settled();
    expect([drawn.isDrawn(), onDrawn.mock.calls.length]).toEqual([false, 0]);
    own.settle();
    await settled();
    expect([drawn.isDrawn(), onDrawn.mock.calls.length]).toEqual([true, 1]);
    run.end();
  });

  test('is not drawn while the map, moved meanwhile, waits for pictures', async () => {
    const { own, run, drawn } = drawing();
    drawn.noteWaiting(3);
    own.settle();
    await settled();
    expect(drawn.isDrawn()).toBe(false);
    drawn.noteWaiting(0);
    expect(drawn.isDrawn()).toBe(true);
    run.end();
  });

  test('has the same question for each drawing', () => {
    const { run } = drawing();
    run.draw(second);
    expect(run.values[1]!.isDrawn).toBe(run.values[0]!.isDrawn);
    run.end();
  });
});

describe('what fails', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is tried again less and less often though each try clears the error, and soon again after a calm minute', () => {
    const tries: number[] = [];
    const begun = jest.now();
    const retry = (): void => void tries.push((jest.now() - begun) / 1000);
    const run = runHook((isFailing: boolean) => {
      useRetry(isFailing, retry);
    }, true);
    /** A try clears the error at once, and fails at once. */
    const failAgain = (seconds: number): void => {
      jest.advanceTimersByTime(seconds * 1000);
      run.draw(false);
      run.draw(true);
    };
    for (const seconds of [5, 10, 20, 40, 60, 60]) failAgain(seconds);
    expect(tries).toEqual([5, 15, 35, 75, 135, 195]);
    run.draw(false);
    jest.advanceTimersByTime(60_000);
    run.draw(true);
    jest.advanceTimersByTime(5000);
    expect(tries.at(-1)).toBe(195 + 60 + 5);
    run.end();
  });

  test('is tried again for as long as a try leaves it failing, and not once it is gone', () => {
    const retry = jest.fn();
    const run = runHook((isFailing: boolean) => {
      useRetry(isFailing, retry);
    }, true);
    jest.advanceTimersByTime(15_000);
    expect(retry).toHaveBeenCalledTimes(2);
    run.end();
    jest.advanceTimersByTime(600_000);
    expect(retry).toHaveBeenCalledTimes(2);
  });
});
