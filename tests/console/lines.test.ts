import { afterEach, describe, expect, test } from '@jest/globals';
import type { IndexDay } from '../../console/api/fields.js';
import { apart, dayToRead, runsOf } from '../../console/charts/lineReading.js';
import { addBeside, besideFields, MOST_BESIDE, removeBeside } from '../../console/views/fields/chartChoice.js';
import { knownDays } from '../../console/views/fields/dayState.js';
import { hasEarlierYears, medianPoints, pointsOf, yearLines } from '../../console/views/fields/lineData.js';
import { curveOf } from '../../console/views/fields/selection.js';
import { signOut } from '../../console/session/session.js';

const curve = curveOf('ndvi');
const aDay = (date: string, mean: number | undefined): IndexDay => ({
  date,
  outcome: mean === undefined ? 'cloud' : 'done',
  reason: null,
  clear_percent: 90,
  layers: [],
  scenes: [],
  ...(mean === undefined ? {} : { statistics: { ndvi: { mean, p2: mean, p50: mean, p98: mean } } }),
});
const aField = (days: Readonly<Record<string, number | undefined>>) =>
  knownDays(Object.entries(days).map(([date, mean]) => aDay(date, mean)));

describe('the lines of a chart', () => {
  test('have the means of days with a picture', () => {
    const points = pointsOf(aField({ '2026-06-01': 0.3, '2026-06-04': undefined, '2026-06-06': 0.5 }), curve);
    expect(points.map(({ date, value }) => [date, value])).toEqual([
      ['2026-06-01', 0.3],
      ['2026-06-06', 0.5],
    ]);
    expect(points[1]!.x - points[0]!.x).toBe(5);
  });

  test('have none for a field whose days were not read', () => {
    expect(pointsOf(undefined, curve)).toEqual([]);
  });

  test('end where nothing is known for longer than 75 days, and begin anew behind that', () => {
    const runs = runsOf([1, 40, 115, 191].map((x) => ({ x })));
    expect(runs.map((run) => run.map(({ x }) => x))).toEqual([[1, 40, 115], [191]]);
    expect(runsOf([])).toEqual([]);
  });
});

describe('the median of the farm', () => {
  test('is that of the newest picture of each field up to the day, as in the list', () => {
    const farm = [
      aField({ '2026-06-01': 0.2, '2026-06-11': 0.4 }),
      aField({ '2026-06-06': 0.8 }),
      aField({ '2026-06-11': 0.6 }),
      aField({ '2026-06-06': undefined }),
    ];
    expect(medianPoints(farm, curve).map(({ date, value }) => [date, value])).toEqual([
      ['2026-06-01', 0.2],
      ['2026-06-06', 0.5],
      ['2026-06-11', 0.6],
    ]);
  });

  test('has no day without any picture', () => {
    expect(medianPoints([aField({ '2026-06-06': undefined })], curve)).toEqual([]);
  });
});

describe('the years of a field', () => {
  const points = pointsOf(aField({ '2024-02-29': 0.1, '2025-06-15': 0.4, '2026-06-15': 0.5 }), curve);

  test('lie above each other by month and day, the newest first', () => {
    const years = yearLines(points);
    expect(years.map(({ name }) => name)).toEqual(['2026', '2025', '2024']);
    const [newest, before, first] = years.map((year) => year.points[0]!);
    expect(newest!.x).toBe(before!.x);
    expect(newest!.x - first!.x).toBe(107);
  });

  test.each([
    { why: 'there are two', given: points, expected: true },
    { why: 'there is one', given: points.slice(2), expected: false },
    { why: 'there is none', given: [], expected: false },
  ])('are compared where $why: $expected', ({ given, expected }) => {
    expect(hasEarlierYears(given)).toBe(expected);
  });
});

describe('the keys of a chart', () => {
  const days = [10, 15, 25, 40];
  test.each([
    { key: 'ArrowLeft', at: 15, to: 10 },
    { key: 'ArrowLeft', at: 10, to: 10 },
    { key: 'ArrowRight', at: 15, to: 25 },
    { key: 'PageDown', at: 10, to: 40 },
    { key: 'PageUp', at: 40, to: 10 },
    { key: 'Home', at: 25, to: 10 },
    { key: 'End', at: 10, to: 40 },
    { key: 'a', at: 10, to: undefined },
  ])('$key at $at leads to $to', ({ key, at, to }) => {
    expect(dayToRead(key, days, at)).toBe(to);
  });
});

describe('names at the ends of lines', () => {
  test.each([
    { why: 'have room', places: [10, 50], expected: [10, 50] },
    { why: 'would lie over each other', places: [20, 22, 60], expected: [20, 34, 60] },
    { why: 'would lie below the drawing', places: [95, 99], expected: [86, 100] },
  ])('that $why stand at $expected', ({ places, expected }) => {
    expect(apart(places, { gap: 14, from: 0, to: 100 })).toEqual(expected);
  });
});

describe('the fields beside the one that is looked at', () => {
  afterEach(signOut);

  test('are each there once, six at most, and gone with whoever signs out', () => {
    for (const id of ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g']) addBeside(id);
    expect(besideFields.value).toHaveLength(MOST_BESIDE);
    removeBeside('a');
    expect(besideFields.value).toEqual(['b', 'c', 'd', 'e', 'f']);
    signOut();
    expect(besideFields.value).toEqual([]);
  });
});
