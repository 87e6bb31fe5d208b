/** The error that the range takes a forecast for, held against forecasts as they were issued and what came. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { cropModels } from '../../shared/gdd/days/crops.js';
import { degreeDaysOf, limitsOf } from '../../shared/gdd/days/degreeDays.js';
import { dayErrorOf, runningError, usualSpread } from '../../shared/gdd/outlook/forecastError.js';
import { celsiusOf } from '../../shared/gdd/days/temperature.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import type { Temperatures } from '../../shared/gdd/weather/weatherSource.js';

const folder = new URL('../../../shared/data/recorded/weather/', import.meta.url);
const corn = limitsOf(cropModels.CORN);
/** Half of the interval that holds eight of ten, in standard deviations. */
const tenPercent = 1.28155;

const linesOf = (name: string): string[][] =>
  readFileSync(new URL(name, folder), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

function celsius(high: string | undefined, low: string | undefined): Temperatures | undefined {
  if (high === undefined || low === undefined || high === '' || low === '') return undefined;
  const day = { maxC: celsiusOf(Number(high)), minC: celsiusOf(Number(low)) };
  return day.maxC >= day.minC ? day : undefined;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (within: readonly boolean[]): number => within.filter(Boolean).length / within.length;

interface Issued {
  readonly place: string;
  readonly forecast: Temperatures;
  readonly truth: Temperatures;
}

/** Forecasts without the mean error of their place. */
function unbiased(issues: readonly Issued[]): Issued[] {
  const places = new Map<string, Issued[]>();
  for (const issue of issues) places.set(issue.place, [...(places.get(issue.place) ?? []), issue]);
  return [...places.values()].flatMap((own) => {
    const maxC = mean(own.map(({ forecast, truth }) => truth.maxC - forecast.maxC));
    const minC = mean(own.map(({ forecast, truth }) => truth.minC - forecast.minC));
    return own.map((issue) => ({
      ...issue,
      forecast: { maxC: issue.forecast.maxC + maxC, minC: issue.forecast.minC + minC },
    }));
  });
}

const openMeteo = existsSync(new URL('openmeteo-lead-errors-10us.csv', folder));

(openMeteo ? describe : describe.skip)('single days of Open-Meteo at ten places in the USA', () => {
  const rows = openMeteo ? linesOf('openmeteo-lead-errors-10us.csv') : [];
  test.each([1, 3, 7])('%i days ahead: 75 to 88 % come within the error they are taken for', (lead) => {
    const issues = rows.flatMap(([place = '', , at, high, low, actualHigh, actualLow]): Issued[] => {
      const [forecast, truth] = [celsius(high, low), celsius(actualHigh, actualLow)];
      return Number(at) !== lead || forecast === undefined || truth === undefined ? [] : [{ place, forecast, truth }];
    });
    expect(issues.length).toBeGreaterThan(1000);
    const within = unbiased(issues).map(({ forecast, truth }) => {
      const { size } = dayErrorOf({ temperatures: forecast, lead, spread: usualSpread }, corn);
      return Math.abs(degreeDaysOf(truth, corn) - degreeDaysOf(forecast, corn)) <= tenPercent * size + 1e-9;
    });
    expect(share(within)).toBeGreaterThanOrEqual(0.75);
    expect(share(within)).toBeLessThanOrEqual(0.88);
  });
});

const nws = existsSync(new URL('nws-daily-by-lead-10us.csv', folder));
const leads = [1, 2, 3, 4, 5, 6];

interface Run {
  readonly place: string;
  readonly days: readonly { readonly forecast: Temperatures; readonly truth: Temperatures }[];
}

/** Forecasts of the next six days with what was told of each day on the day before it came to be: the nearest to a truth. */
function runsOf(rows: readonly string[][]): Run[] {
  const told = new Map<string, Temperatures>();
  for (const [place, issued, lead, high, low] of rows) {
    const day = celsius(high, low);
    if (day !== undefined) told.set(`${place} ${issued} ${lead}`, day);
  }
  const keys = new Set(rows.map(([place, issued]) => `${place} ${issued}`));
  return [...keys].flatMap((key): Run[] => {
    const [place = '', issued = ''] = key.split(' ');
    const days = leads.flatMap((lead) => {
      const forecast = told.get(`${place} ${issued} ${lead}`);
      const truth = told.get(`${place} ${addDays(issued, lead)} 0`);
      return forecast === undefined || truth === undefined ? [] : [{ forecast, truth }];
    });
    return days.length === leads.length ? [{ place, days }] : [];
  });
}

/** Root mean square errors of these forecasts at leads of one to six days, °C, and the shares that a day's error takes. */
const nwsErrors = {
  maxC: [1.59, 1.75, 2.05, 2.44, 2.92, 3.41],
  minC: [1.72, 1.79, 1.91, 2.09, 2.34, 2.73],
} as const;
const errorShares = [0.36, 0.42, 0.48, 0.58, 0.68, 0.77];

/** Errors of these sizes as a spread of the weather that the table of shares leads to. */
const nwsSpread = (index: number): Temperatures => ({
  maxC: nwsErrors.maxC[index]! / errorShares[index]!,
  minC: nwsErrors.minC[index]! / errorShares[index]!,
});

const sumOf = (days: readonly Temperatures[]): number => days.reduce((sum, day) => sum + degreeDaysOf(day, corn), 0);

/** Share of runs whose sum came within the error, by the spread that a day's error is taken from. */
function shareWithin(runs: readonly Run[], spreadAt: (index: number) => Temperatures): number {
  const within = [...new Set(runs.map(({ place }) => place))].flatMap((place) => {
    const own = runs.filter((run) => run.place === place);
    const days = own.flatMap((run) => run.days);
    const bias = {
      maxC: mean(days.map(({ forecast, truth }) => truth.maxC - forecast.maxC)),
      minC: mean(days.map(({ forecast, truth }) => truth.minC - forecast.minC)),
    };
    return own.map((run) => {
      const forecasts = run.days.map(({ forecast }) => ({
        maxC: forecast.maxC + bias.maxC,
        minC: forecast.minC + bias.minC,
      }));
      const errors = forecasts.map((temperatures, index) =>
        dayErrorOf({ temperatures, lead: leads[index]!, spread: spreadAt(index) }, corn),
      );
      const error = sumOf(run.days.map(({ truth }) => truth)) - sumOf(forecasts);
      return Math.abs(error) <= tenPercent * runningError(errors, 0.5).at(-1)! + 1e-9;
    });
  });
  return share(within);
}

(nws ? describe : describe.skip)('sums of six days of the National Weather Service at ten places', () => {
  const runs = runsOf(nws ? linesOf('nws-daily-by-lead-10us.csv') : []);

  test('75 to 88 % come within the errors of its days, added up with a correlation of 0.4', () => {
    expect(runs.length).toBeGreaterThan(2000);
    const within = shareWithin(runs, nwsSpread);
    expect(within).toBeGreaterThanOrEqual(0.75);
    expect(within).toBeLessThanOrEqual(0.88);
  });

  test('these forecasts are better than the raw model the range is made for: it is on the safe side', () => {
    expect(shareWithin(runs, () => usualSpread)).toBeGreaterThan(0.85);
  });
});
