/** The season that docs/gdd.md works through, held against what the service calculates from the same temperatures. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { cropModels } from '../../shared/gdd/days/crops.js';
import { cumulativeOf, degreeDaySeries } from '../../shared/gdd/days/degreeDaySeries.js';
import { limitsOf } from '../../shared/gdd/days/degreeDays.js';
import { fillWithNormals, interpolateGaps, placeDays } from '../../shared/gdd/days/season.js';
import { degreeDaysIn, roundHalfUp } from '../../shared/gdd/days/temperature.js';
import { daysOf } from '../../shared/gdd/weather/fieldDays.js';
import { corrected, heightCorrection } from '../../shared/gdd/weather/terrain/elevation.js';
import { referenceOf, referenceSpan } from '../../shared/gdd/weather/cache/weatherCache.js';
import type { Temperatures } from '../../shared/gdd/weather/weatherSource.js';

const document = readFileSync(new URL('../../docs/gdd.md', import.meta.url), 'utf8');
const chapter = document.slice(
  document.indexOf('## One total worked through'),
  document.indexOf('## Crops and formulas'),
);

interface Row {
  readonly date: string;
  readonly label: string;
  readonly told: Temperatures | undefined;
  readonly field: Temperatures | undefined;
  readonly limited: Temperatures | undefined;
  readonly gdd: number;
  readonly sum: number;
}

function pair(cell: string): Temperatures | undefined {
  const [minC, maxC] = cell.split('/').map(Number);
  return minC === undefined || maxC === undefined ? undefined : { minC, maxC };
}

const rows = chapter.split('\n').flatMap((line): Row[] => {
  const [day = '', label = '', told = '', field = '', limited = '', gdd = '', sum = ''] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  if (!/^\d\d-\d\d$/.test(day)) return [];
  const temperatures = { told: pair(told), field: pair(field), limited: pair(limited) };
  return [{ date: `2026-${day}`, label, ...temperatures, gdd: Number(gdd), sum: Number(sum) }];
});

/** Heights and bias as the text tells them. */
function figure(pattern: RegExp): number {
  const found = pattern.exec(chapter)?.[1];
  if (found === undefined) throw new Error(`The text does not tell ${String(pattern)}.`);
  return Number(found.replace('−', '-'));
}

const today = '2026-06-09';
const span = { from: '2026-06-01', to: '2026-06-10' };
const correction = heightCorrection(figure(/archive at (\d+) m/), figure(/field lies at (\d+)\s+m/));
const bias = { maxC: figure(/so \+(0\.\d) and/), minC: figure(/ and (−0\.\d) °C are added/) };
const valuesOf = (isMeant: (row: Row) => boolean, added: Temperatures): Map<string, Temperatures> =>
  new Map(rows.flatMap((row) => (row.told && isMeant(row) ? [[row.date, corrected(row.told, added)]] : [])));
const isForecast = ({ date }: Row): boolean => date >= '2026-06-08';

/** Reference years whose every 10 June is worth 9.80 °C·day. */
const reference = referenceOf({
  origin: {} as never,
  retrievedAt: 0,
  days: daysOf(referenceSpan).map((date) => ({ date, minC: 14.8, maxC: 24.8 })),
});
const days = fillWithNormals(
  interpolateGaps(
    placeDays({
      ...{ span, today, trustedForecastDays: 1 },
      archive: valuesOf((row) => !isForecast(row), correction),
      forecast: valuesOf(isForecast, bias),
    }),
    today,
  ),
);
const { daily } = degreeDaySeries({ span, days, reference }, cropModels.CORN);

describe('the season that the document works through', () => {
  test('has ten days of all labels, in order', () => {
    expect(rows.map(({ date }) => date)).toEqual(daysOf(span));
    expect(rows.map(({ label }) => label)).toEqual(days.map(({ source }) => source));
    expect(new Set(rows.map(({ label }) => label)).size).toBe(5);
  });

  test('is brought to the height of the field, without bias, and over its gap, as the service does it', () => {
    const rounded = days.map(
      ({ temperatures }) =>
        temperatures && { minC: roundHalfUp(temperatures.minC, 1), maxC: roundHalfUp(temperatures.maxC, 1) },
    );
    expect(rows.map(({ field }) => field)).toEqual(rounded);
    expect([correction.maxC, correction.minC].map((value) => roundHalfUp(value, 1))).toEqual([1.3, 0.9]);
  });

  test('is limited to the range of corn', () => {
    const { lowerC, upperC } = limitsOf(cropModels.CORN);
    const limit = (celsius: number): number => Math.min(Math.max(celsius, lowerC), upperC);
    for (const { field, limited } of rows) {
      expect(limited).toEqual(field && { minC: limit(field.minC), maxC: limit(field.maxC) });
    }
  });

  test('has the degree-days, sums and the total of the service', () => {
    const sums = cumulativeOf(daily);
    expect(rows.map(({ gdd }) => gdd)).toEqual(daily.map((value) => roundHalfUp(value)));
    expect(rows.map(({ sum }) => sum)).toEqual(sums.map((value) => roundHalfUp(value)));
    expect(figure(/\*\*([\d.]+) °C·day\*\* is the total/)).toBe(roundHalfUp(sums.at(-1)!));
    expect(figure(/is the total, ([\d.]+) °F·day/)).toBe(roundHalfUp(degreeDaysIn('F', sums.at(-1)!)));
  });
});
